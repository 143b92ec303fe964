#include "measure/contest.hpp"

#include "core/error.hpp"
#include "measure/limits.hpp"
#include "measure/peers/peers.hpp"
#include "measure/turns.hpp"

#include <algorithm>
#include <new>

namespace kg::measure {

namespace {

/// What a way throws is its own row's failure, and costs it its times; a stop is everybody's.
template <typename Body>
void or_failed(Row& row, Runner& runner, Body body) {
    try {
        body();
        return;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::bad_alloc&) {
        row.reason = "there is not enough memory for it";
    } catch (const std::exception& e) {
        row.reason = e.what();
    }
    row.verdict = Verdict::failed;
    runner = {};
}

/// A copy that runs beside an engine's contestants; its row is read by nobody.
struct Copy {
    const Engine* engine = nullptr;
    const Algorithm* algorithm = nullptr;
    Row row;
    Runner runner;
};

double median(const std::vector<double>& values) { return values.empty() ? 0 : summarize(values).median; }

void finish(Row& row, const Runner& runner, const std::vector<Copy>& copies, const Engine* engine,
            std::size_t turn) {
    if (runner.download.empty()) {
        if (row.verdict == Verdict::right) row.reason = "stopped before it was timed";
        return;
    }
    const auto moves = std::min(turn, kTransfers);
    row.times = Times{summarize(runner.run, turn), summarize(runner.upload, moves),
                      summarize(runner.download, moves), runner.first, runner.way->runs_per_sample()};
    if (!runner.alone.empty())
        if (const auto alone = summarize(runner.alone, kAlone);
            compare(alone, row.times->run) == Order::faster)
            row.alone = alone;
    row.clock_mhz = median(runner.clock_mhz);
    row.processor_us = median(runner.processor);
    for (const auto& copy : copies)
        if (const double us = median(copy.runner.run); copy.engine == engine && us > 0)
            row.copy_us = row.copy_us > 0 ? std::min(row.copy_us, us) : us;
}

} // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::right: return "right";
    case Verdict::wrong: return "wrong";
    case Verdict::refused: return "refused";
    case Verdict::failed: return "failed";
    case Verdict::stopped: return "stopped";
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
            for (std::size_t i = 0; i < peer->algorithms.size(); ++i)
                all.push_back({engine, peer->algorithms[i], std::string(peer->id),
                               peer->marked.empty() ? nullptr : peer->marked[i]});
    return all;
}

std::vector<Row> contest(const ImageRequest& request, const ConstImageView& picture,
                         const std::vector<Contestant>& contestants, const ContestRules& rules,
                         const Progress& progress, const std::stop_token& stop) {
    Turns turns(request, picture, rules, contestants.size(), stop);
    std::vector<Row> rows(contestants.size());
    std::vector<Runner> runners(contestants.size());
    std::vector<Copy> copies;
    const auto steps = contestants.size() + rules.rounds + 1;
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
            row.verdict = Verdict::stopped;
            row.reason = "it was not proved yet";
            row.products = products(request);
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            say(i, "proving " + rows[i].algorithm);
            or_failed(rows[i], runners[i], [&] { turns.prepare(contestants[i], rows[i], runners[i]); });
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            const auto& engine = contestants[i].engine;
            if (!runners[i].way || std::ranges::count(copies, engine.get(), &Copy::engine) > 0) continue;
            for (const auto* algorithm : copy_limits(*engine)) {
                auto& copy = copies.emplace_back(Copy{engine.get(), algorithm, {}, {}});
                or_failed(copy.row, copy.runner,
                          [&] { turns.prepare_copy(engine, *algorithm, copy.runner); });
            }
        }
        const auto timed = std::ranges::count_if(runners, [](const Runner& r) { return r.way != nullptr; });
        turns.share_between(static_cast<std::size_t>(timed) + copies.size());
        for (std::size_t round = 0; round < rules.rounds; ++round) {
            say(contestants.size() + round,
                "round " + std::to_string(round + 1) + " of " + std::to_string(rules.rounds));
            for (std::size_t i = 0; i < runners.size(); ++i) { // another begins each round
                const auto turn = (i + round) % runners.size();
                if (runners[turn].way)
                    or_failed(rows[turn], runners[turn],
                              [&] { turns.take_turn(*contestants[turn].engine, rows[turn], runners[turn]); });
            }
            for (auto& copy : copies)
                if (copy.runner.way)
                    or_failed(copy.row, copy.runner, [&] { turns.take_samples(copy.runner); });
        }
    } catch (const Cancelled&) {
        // What was measured is kept.
    }
    say(contestants.size() + rules.rounds, "proving what ran last");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!runners[i].run.empty())
            or_failed(rows[i], runners[i], [&] { turns.prove_again(rows[i], runners[i]); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        finish(rows[i], runners[i], copies, contestants[i].engine.get(), rules.samples_per_round);
    return rows;
}

} // namespace kg::measure
