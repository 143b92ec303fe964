#include "measure/contest.hpp"

#include "core/error.hpp"
#include "core/planner.hpp"
#include "measure/peers/peers.hpp"
#include "measure/verify.hpp"

#include <chrono>
#include <memory>

namespace kg::measure {

namespace {

/// A contestant that was proved, while it is timed.
struct Runner {
    std::unique_ptr<TimedWay> way;
    FirstCall first;
    std::vector<double> run, upload, download;
    double spent_us = 0;
};

using Clock = std::chrono::steady_clock;

void prepare(const Contestant& who, const ImageRequest& request, const ConstImageView& picture,
             const ContestRules& rules, const std::stop_token& stop, Row& row, Runner& runner) {
    std::shared_ptr<const Plan> planned;
    const auto began = Clock::now();
    try {
        planned = who.algorithm ? plan(*who.engine, request, *who.algorithm) : plan(*who.engine, request);
    } catch (const Error& e) {
        row.verdict = Verdict::refused;
        row.reason = e.what();
        return;
    }
    runner.first.plan_us = std::chrono::duration<double, std::micro>(Clock::now() - began).count();
    auto way = std::make_unique<TimedWay>(who.engine, request, planned, picture, rules.timing, stop);
    runner.first.run_us = way->first_run_us();
    row.algorithm = planned->algorithm;
    row.proof = verify(request, picture, way->result().view(), who.algorithm, rules.most_products, stop);
    row.verdict = row.proof.right() ? Verdict::right : Verdict::wrong;
    row.reason = row.proof.right() ? planned->reason : row.proof.first_wrong;
    if (row.verdict == Verdict::right) runner.way = std::move(way);
}

void take_turn(Runner& runner, const ContestRules& rules, const std::stop_token& stop) {
    for (std::size_t i = 0; i < rules.samples_per_round && runner.spent_us < rules.most_row_us; ++i) {
        runner.run.push_back(runner.way->sample(stop));
        runner.spent_us += runner.run.back() * runner.way->runs_per_sample();
        runner.upload.push_back(runner.way->upload_sample(stop));
        runner.download.push_back(runner.way->download_sample(stop));
    }
}

/// What a way throws is its own row's failure, and costs it its times; a stop is everybody's.
template <typename Body>
void or_failed(Row& row, Runner& runner, Body body) {
    try {
        body();
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        row.verdict = Verdict::failed;
        row.reason = e.what();
        runner = {};
    }
}

} // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::right: return "right";
    case Verdict::wrong: return "wrong";
    case Verdict::refused: return "refused";
    case Verdict::failed: return "failed";
    }
    return {};
}

std::vector<Contestant> contestants(const std::shared_ptr<Engine>& engine, bool with_peers) {
    std::vector<Contestant> all;
    for (const auto* algorithm : engine->algorithms())
        if (algorithm->id != "convert" && !algorithm->whole_requests) all.push_back({engine, algorithm, {}});
    if (!with_peers) return all;
    for (const auto* peer : peers())
        if (peer->engine == engine->device().id && peer->absent().empty())
            for (const auto* algorithm : peer->algorithms)
                all.push_back({engine, algorithm, std::string(peer->id)});
    return all;
}

std::vector<Row> contest(const ImageRequest& request, const ConstImageView& picture,
                         const std::vector<Contestant>& contestants, const ContestRules& rules,
                         const Progress& progress, const std::stop_token& stop) {
    std::vector<Row> rows(contestants.size());
    std::vector<Runner> runners(contestants.size());
    const auto steps = contestants.size() + rules.rounds;
    const auto say = [&](std::size_t done, const std::string& what) {
        if (progress) progress(done, steps, what);
    };
    try {
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            const auto& who = contestants[i];
            auto& row = rows[i];
            row.engine = who.engine->device().id;
            row.algorithm = who.algorithm ? who.algorithm->id : "auto";
            row.peer = who.peer;
            row.reason = "stopped before it was proved";
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            say(i, "proving " + rows[i].algorithm);
            or_failed(rows[i], runners[i], [&] {
                prepare(contestants[i], request, picture, rules, stop, rows[i], runners[i]);
                if (runners[i].way) runners[i].way->warm_up(stop);
            });
        }
        for (std::size_t round = 0; round < rules.rounds; ++round) {
            say(contestants.size() + round,
                "round " + std::to_string(round + 1) + " of " + std::to_string(rules.rounds));
            for (std::size_t i = 0; i < runners.size(); ++i) { // another begins each round
                const auto turn = (i + round) % runners.size();
                if (runners[turn].way)
                    or_failed(rows[turn], runners[turn], [&] { take_turn(runners[turn], rules, stop); });
            }
        }
    } catch (const Cancelled&) {
        // What was measured is kept.
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& runner = runners[i];
        if (runner.download.empty()) {
            if (rows[i].verdict == Verdict::right) rows[i].reason = "stopped before it was timed";
            continue;
        }
        rows[i].times = Times{summarize(runner.run), summarize(runner.upload), summarize(runner.download),
                              runner.first, runner.way->runs_per_sample()};
    }
    return rows;
}

} // namespace kg::measure
