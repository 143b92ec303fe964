#include "measure/comparison.hpp"

#include "core/support/error.hpp"
#include "core/plan/planner.hpp"
#include "core/support/thread.hpp"
#include "measure/limits.hpp"
#include "peers/peers.hpp"
#include "measure/candidate_runs.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <numeric>
#include <utility>

namespace kg::measure {

namespace {

/// An algorithm's exception fails its own row and discards its times; a stop ends the whole comparison.
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
        row.reason = message_of(e);
    }
    row.verdict = Verdict::failed;
    runner = {};
}

/// There was no time for it, or not enough.
void leave_unmeasured(Row& row, Runner& runner) {
    row.verdict = Verdict::stopped;
    row.reason = kTimeWasOver;
    runner = {};
}

/// Candidates in the order in which they prepare: those that an engine refuses, which takes no time; its own
/// choice; other libraries, whose cost is unknown; and its other algorithms from the fastest estimate to the
/// slowest.
std::vector<std::size_t> by_estimated_cost(const ImageRequest& request,
                                           const std::vector<Candidate>& candidates) {
    std::map<const Engine*, std::vector<kg::Candidate>> algorithms;
    std::vector<std::pair<double, bool>> keys;
    for (const auto& who : candidates) {
        auto [found, is_new] = algorithms.try_emplace(who.engine.get());
        if (is_new) try {
                found->second = kg::candidates(*who.engine, request);
            } catch (const Error&) { // planning it gives the reason
            }
        double own = Cost::kOnlyWhenForced, cheapest = Cost::kOnlyWhenForced;
        for (const auto& algorithm : found->second) {
            const double us = algorithm.why_not.empty() ? algorithm.microseconds : 0;
            if (algorithm.algorithm == who.algorithm) own = us;
            if (algorithm.why_not.empty()) cheapest = std::min(cheapest, us);
        }
        const bool unknown = !who.algorithm || !who.peer.empty();
        keys.emplace_back(unknown ? cheapest : own, unknown);
    }
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
    return order;
}

/// A copy that runs beside an engine's candidates; its row is not reported.
struct Copy {
    const Engine* engine = nullptr;
    const Algorithm* algorithm = nullptr;
    Row row;
    Runner runner;
};

double median(const std::vector<double>& values) { return values.empty() ? 0 : summarize(values).median; }

void finish(Row& row, const Runner& runner, const std::vector<Copy>& copies, const Engine* engine,
            std::size_t batch, bool stopped) {
    if (runner.download.empty()) {
        if (row.verdict != Verdict::right) return;
        row.reason = stopped ? "stopped before it was timed" : kTimeWasOver;
        if (!stopped) row.verdict = Verdict::stopped;
        return;
    }
    const auto moves = std::min(batch, kTransfers);
    row.times = Times{summarize(runner.run, batch), summarize(runner.upload, moves),
                      summarize(runner.download, moves), runner.first, runner.algorithm->runs_per_sample()};
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

std::vector<Candidate> candidates(const std::shared_ptr<Engine>& engine, bool with_peers) {
    std::vector<Candidate> all;
    for (const auto* algorithm : engine->algorithms())
        if (algorithm->id != "convert" && !algorithm->whole_requests) all.push_back({engine, algorithm, {}});
    if (!with_peers) return all;
    for (const auto* peer : peers::all())
        if (peer->engine == engine->device().id && peer->absent().empty())
            for (std::size_t i = 0; i < peer->algorithms.size(); ++i)
                all.push_back({engine, peer->algorithms[i], std::string(peer->id),
                               peer->marked.empty() ? nullptr : peer->marked[i]});
    return all;
}

std::vector<Row> comparison(const ImageRequest& request, const ConstImageView& image,
                            const std::vector<Candidate>& candidates, const ComparisonRules& rules,
                            const Progress& progress, const std::stop_token& stop) {
    CandidateRuns runs(request, image, rules, candidates.size(), stop);
    std::vector<Row> rows(candidates.size());
    std::vector<Runner> runners(candidates.size());
    std::vector<Copy> copies;
    const auto steps = candidates.size() + rules.rounds + 1;
    const auto report_progress = [&](std::size_t done, const std::string& what) {
        if (progress) progress(done, steps, what);
    };
    const auto unless_time_is_over = [&](Row& row, Runner& runner, auto body) {
        try {
            or_failed(row, runner, body);
        } catch (const Cancelled&) {
            if (stop.stop_requested()) throw;
            leave_unmeasured(row, runner);
        }
    };
    try {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto& who = candidates[i];
            auto& row = rows[i];
            row.engine = who.engine->device().id;
            row.algorithm = who.algorithm ? who.algorithm->id : "auto";
            row.peer = who.peer;
            row.verdict = Verdict::stopped;
            row.reason = "it was not verified yet";
            row.products = products(request);
        }
        for (std::size_t done = 0; const auto i : by_estimated_cost(request, candidates)) {
            report_progress(done, "verifying " + rows[i].algorithm);
            unless_time_is_over(rows[i], runners[i], [&] {
                runs.prepare(candidates[i], rows[i], runners[i], candidates.size() - done);
            });
            ++done;
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto& engine = candidates[i].engine;
            if (!runners[i].algorithm || std::ranges::count(copies, engine.get(), &Copy::engine) > 0)
                continue;
            for (const auto* algorithm : copy_limits(*engine)) {
                auto& copy = copies.emplace_back(Copy{engine.get(), algorithm, {}, {}});
                unless_time_is_over(copy.row, copy.runner,
                                    [&] { runs.prepare_copy(engine, *algorithm, copy.runner); });
            }
        }
        double finish_us = 0;
        for (const auto& runner : runners)
            if (runner.algorithm) finish_us += runner.finish_us;
        const auto timed = std::ranges::count_if(runners,
                                                 [](const Runner& r) { return r.algorithm != nullptr; });
        runs.share_between(static_cast<std::size_t>(timed) + copies.size(), finish_us);
        for (std::size_t round = 0; round < rules.rounds; ++round) {
            report_progress(candidates.size() + round,
                            "round " + std::to_string(round + 1) + " of " + std::to_string(rules.rounds));
            for (std::size_t i = 0; i < runners.size(); ++i) { // another candidate begins each round
                const auto next = (i + round) % runners.size();
                if (runners[next].algorithm)
                    or_failed(rows[next], runners[next],
                              [&] { runs.run_round(*candidates[next].engine, rows[next], runners[next]); });
            }
            for (auto& copy : copies)
                if (copy.runner.algorithm)
                    or_failed(copy.row, copy.runner, [&] { runs.take_samples(copy.runner); });
        }
    } catch (const Cancelled&) {
        // Measured rows are kept.
    }
    const bool stopped = stop.stop_requested(); // a stop from here on is too late
    report_progress(candidates.size() + rules.rounds, "verifying the last results");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!runners[i].download.empty()) try {
                or_failed(rows[i], runners[i], [&] { runs.verify_again(rows[i], runners[i]); });
            } catch (const Cancelled&) {
                leave_unmeasured(rows[i], runners[i]);
            }
    for (std::size_t i = 0; i < rows.size(); ++i)
        finish(rows[i], runners[i], copies, candidates[i].engine.get(), rules.samples_per_round, stopped);
    return rows;
}

} // namespace kg::measure
