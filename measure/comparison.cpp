#include "measure/comparison.hpp"

#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "core/support/quantile.hpp"
#include "core/support/thread.hpp"
#include "measure/candidate_runs.hpp"
#include "measure/limits.hpp"
#include "peers/peers.hpp"

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
        row.end(Verdict::failed, "there is not enough memory for it", "out-of-memory");
    } catch (const std::exception& e) {
        row.end(Verdict::failed, message_of(e), as_error(e).code());
    }
    runner = {};
}

/// There was no time for it, or not enough.
void leave_unmeasured(Row& row, Runner& runner) {
    row.end(Verdict::stopped, kTimeWasOver, kTimeWasOverCode);
    runner = {};
}

/// Candidates in the order in which they prepare: those that an engine refuses, which takes no time; its own
/// choice; other libraries, whose cost is unknown; and its other algorithms from the fastest estimate to the
/// slowest.
std::vector<std::size_t> by_estimated_cost(const ImageRequest& request,
                                           const std::vector<Candidate>& candidates) {
    std::map<const Engine*, std::vector<AlgorithmAnswer>> algorithms;
    std::vector<std::pair<double, bool>> keys;
    for (const auto& who : candidates) {
        auto [found, is_new] = algorithms.try_emplace(who.engine.get());
        if (is_new) try {
                found->second = algorithm_answers(*who.engine, request);
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

/// The rows of one comparison while it is measured.
class Comparison {
public:
    Comparison(const ImageRequest& request, const ConstImageView& image,
               const std::vector<Candidate>& candidates, const ComparisonRules& rules,
               const Progress& progress, const std::stop_token& stop)
        : request_(request), candidates_(candidates), rules_(rules), progress_(progress), stop_(stop),
          runs_(request, image, rules, candidates.size(), stop),
          rows_(untimed_rows(candidates, Verdict::stopped, "it was not verified yet", "not-verified")),
          runners_(candidates.size()) {
        for (auto& row : rows_) row.products = products(request);
    }

    std::vector<Row> measured() {
        try {
            prepare();
            prepare_copies();
            run_rounds();
        } catch (const Cancelled&) {
            // Measured rows are kept.
        }
        const bool stopped = stop_.stop_requested(); // a stop from here on is too late
        verify_again();
        for (std::size_t i = 0; i < rows_.size(); ++i) finish(i, stopped);
        return std::move(rows_);
    }

private:
    void report_progress(std::size_t done, const std::string& what) const {
        if (progress_) progress_(done, candidates_.size() + rules_.rounds + 1, what);
    }

    template <typename Body>
    void unless_time_is_over(Row& row, Runner& runner, const Body& body) {
        try {
            or_failed(row, runner, body);
        } catch (const Cancelled&) {
            if (stop_.stop_requested()) throw;
            leave_unmeasured(row, runner);
        }
    }

    void prepare() {
        for (std::size_t done = 0; const auto i : by_estimated_cost(request_, candidates_)) {
            if (rules_.pause_point) rules_.pause_point();
            report_progress(done, "verifying " + rows_[i].algorithm);
            unless_time_is_over(rows_[i], runners_[i], [&] {
                runs_.prepare(candidates_[i], rows_[i], runners_[i], candidates_.size() - done);
            });
            ++done;
        }
    }

    void prepare_copies() {
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const auto& engine = candidates_[i].engine;
            if (!runners_[i].algorithm || std::ranges::count(copies_, engine.get(), &Copy::engine) > 0)
                continue;
            for (const auto* algorithm : copy_limits(*engine)) {
                auto& copy = copies_.emplace_back(Copy{engine.get(), algorithm, {}, {}});
                unless_time_is_over(copy.row, copy.runner,
                                    [&] { runs_.prepare_copy(engine, *algorithm, copy.runner); });
            }
        }
    }

    void run_rounds() {
        double finish_us = 0;
        for (const auto& runner : runners_)
            if (runner.algorithm) finish_us += runner.finish_us;
        const auto timed = std::ranges::count_if(runners_,
                                                 [](const Runner& r) { return r.algorithm != nullptr; });
        runs_.share_between(static_cast<std::size_t>(timed) + copies_.size(), finish_us);
        for (std::size_t round = 0; round < rules_.rounds; ++round) {
            report_progress(candidates_.size() + round,
                            "round " + std::to_string(round + 1) + " of " + std::to_string(rules_.rounds));
            for (std::size_t i = 0; i < runners_.size(); ++i) { // another candidate begins each round
                const auto next = (i + round) % runners_.size();
                if (!runners_[next].algorithm) continue;
                if (rules_.pause_point) rules_.pause_point();
                or_failed(rows_[next], runners_[next],
                          [&] { runs_.run_round(*candidates_[next].engine, runners_[next]); });
            }
            for (auto& copy : copies_)
                if (copy.runner.algorithm)
                    or_failed(copy.row, copy.runner, [&] { runs_.take_runs(copy.runner); });
        }
    }

    /// Verifies the last results.
    void verify_again() {
        report_progress(candidates_.size() + rules_.rounds, "verifying the last results");
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!runners_[i].samples.download.empty()) try {
                    or_failed(rows_[i], runners_[i], [&] { runs_.verify_again(rows_[i], runners_[i]); });
                } catch (const Cancelled&) {
                    leave_unmeasured(rows_[i], runners_[i]);
                }
    }

    void finish(std::size_t i, bool stopped) {
        auto& row = rows_[i];
        const auto& runner = runners_[i];
        if (runner.samples.download.empty()) {
            if (row.verdict != Verdict::right) return;
            if (stopped) row.end(Verdict::right, "stopped before it was timed", "cancelled");
            else row.end(Verdict::stopped, kTimeWasOver, kTimeWasOverCode);
            return;
        }
        runner.samples.summarize_in(row, rules_, runner.first, *runner.algorithm);
        if (!runner.alone.empty())
            if (const auto alone = summarize(runner.alone, kAlone);
                compare(alone, row.times->run) == Order::faster)
                row.alone = alone;
        for (const auto& copy : copies_)
            if (const double us = quantile(copy.runner.samples.run, 0.5);
                copy.engine == candidates_[i].engine.get() && us > 0)
                row.copy_us = row.copy_us > 0 ? std::min(row.copy_us, us) : us;
    }

    const ImageRequest& request_;
    const std::vector<Candidate>& candidates_;
    const ComparisonRules& rules_;
    const Progress& progress_;
    const std::stop_token& stop_;
    CandidateRuns runs_;
    std::vector<Row> rows_;
    std::vector<Runner> runners_;
    std::vector<Copy> copies_;
};

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
        if (algorithm->id != kConvert && !algorithm->whole_requests) all.push_back({engine, algorithm, {}});
    if (!with_peers) return all;
    for (const auto* peer : peers::all())
        if (peer->is_on(*engine) && !peer->algorithms.empty() && peer->absent().empty())
            for (std::size_t i = 0; i < peer->algorithms.size(); ++i)
                all.push_back({engine, peer->algorithms[i], std::string(peer->id),
                               peer->marked.empty() ? nullptr : peer->marked[i]});
    return all;
}

std::string_view id_of(const Candidate& who) { return who.algorithm ? who.algorithm->id : kAuto; }

std::vector<Row> untimed_rows(const std::vector<Candidate>& candidates, Verdict verdict,
                              const std::string& reason, std::string_view code) {
    std::vector<Row> rows;
    for (const auto& who : candidates) {
        auto& row = rows.emplace_back();
        row.engine = who.engine->device().id;
        row.algorithm = id_of(who);
        row.peer = who.peer;
        row.end(verdict, reason, code);
    }
    return rows;
}

std::vector<Row> comparison(const ImageRequest& request, const ConstImageView& image,
                            const std::vector<Candidate>& candidates, const ComparisonRules& rules,
                            const Progress& progress, const std::stop_token& stop) {
    return Comparison(request, image, candidates, rules, progress, stop).measured();
}

} // namespace kg::measure
