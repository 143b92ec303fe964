#include "measure/contest.hpp"

#include "core/error.hpp"
#include "core/planner.hpp"
#include "measure/limits.hpp"
#include "measure/noise.hpp"
#include "measure/peers/support/patience.hpp"
#include "measure/peers/peers.hpp"
#include "measure/verify.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string_view>

namespace kg::measure {

namespace {

/// Uploads and downloads that are timed in a turn: they are the same for all ways, and for large pictures take longer.
constexpr std::size_t kTransfers = 2;
/// Likewise samples of a library's own work, which say less than those of all that a user pays.
constexpr std::size_t kAlone = 2;

/// Parts of the time that is left: for one way's plan (most need far less), for the warming and waking up of all, and for all
/// samples once the turns begin. The rest transfers, and proves again.
constexpr double kPlanning = 0.25, kWarmingUp = 0.2, kWakingUp = 0.2, kSampling = 0.6;

/// A way may spend so many times its part, and so many microseconds at any rate, on samples.
constexpr double kOverspent = 3, kCheap = 100e3;

/// A contestant that was proved, while it is timed.
struct Runner {
    std::unique_ptr<TimedWay> way, marked;
    FirstCall first;
    const Algorithm* judged_as = nullptr; ///< whose stated error the proof allows
    std::vector<double> run, upload, download, alone, processor;
    std::vector<double> clock_mhz;
    std::size_t fingerprint = 0; ///< of the result that was proved
    double spent_us = 0;
};

using Clock = std::chrono::steady_clock;

/// Equal for equal pixels, and for others but once in 2^64.
std::size_t fingerprint_of(const ConstImageView& image) {
    const auto bytes = static_cast<std::size_t>(image.size.width) * bytes_per_pixel(image.format);
    std::size_t sum = 0;
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        const std::string_view row(image.row<char>(y), bytes);
        sum = sum * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(row);
    }
    return sum;
}

/// One request, and what all its contestants share.
class Contest {
public:
    Contest(const ImageRequest& request, const ConstImageView& picture, const ContestRules& rules,
            std::size_t ways, const std::stop_token& stop)
        : request_(request), picture_(picture), rules_(rules), ways_(static_cast<double>(ways)), stop_(stop) {
    }

    void prepare(const Contestant& who, Row& row, Runner& runner) {
        std::shared_ptr<const Plan> planned;
        const auto began = Clock::now();
        try {
            const Patience patience(stop_, kPlanning * left_us() / 1e6);
            planned = who.algorithm ? plan(*who.engine, request_, *who.algorithm)
                                    : plan(*who.engine, request_);
        } catch (const Refused& e) {
            row.verdict = Verdict::refused;
            row.reason = e.why();
            return;
        }
        runner.first.plan_us = std::chrono::duration<double, std::micro>(Clock::now() - began).count();
        row.algorithm = planned->algorithm;
        auto way = std::make_unique<TimedWay>(rotation(who.engine), planned, timing(), stop_);
        runner.first.run_us = way->first_run_us();
        runner.judged_as = who.algorithm ? who.algorithm : inexact_way(*who.engine, *planned);
        prove(*way, row, runner);
        if (row.verdict != Verdict::right) return;
        row.reason = planned->reason;
        runner.way = std::move(way);
        runner.way->warm_up(stop_);
        if (!who.marked) return;
        const Patience patience(stop_, kPlanning * left_us() / 1e6);
        try {
            runner.marked = std::make_unique<TimedWay>(
                rotation(who.engine), plan(*who.engine, request_, *who.marked), timing(), stop_, kOwnWork);
            runner.marked->warm_up(stop_);
        } catch (const std::bad_alloc&) { // it has scratch of its own; the figure that ranks needs none of it
            runner.marked.reset();
        }
    }

    /// The time that is left is for so many ways.
    void share_between(std::size_t ways) {
        most_row_us_ = std::min(rules_.most_row_us, kSampling * left_us() / static_cast<double>(ways));
    }

    /// Where time is short, who has long spent its own stays out of further turns.
    bool has_overspent(const Runner& runner) const {
        return std::isfinite(rules_.most_us) && !runner.run.empty() &&
               runner.spent_us >= std::max(kOverspent * most_row_us_, kCheap);
    }

    void take_samples(Runner& runner) {
        if (has_overspent(runner)) return;
        runner.way->wake_up(stop_);
        for (std::size_t i = 0; i < rules_.samples_per_round; ++i) {
            if (i > 0 && runner.spent_us >= most_row_us_) break;
            runner.run.push_back(runner.way->sample(stop_));
            if (runner.way->computes_here()) runner.processor.push_back(runner.way->processor_us());
            runner.spent_us += runner.run.back() * runner.way->runs_per_sample();
        }
    }

    /// Runs first: a transfer leaves pixels in a cache, where the next run would find them.
    void take_turn(const Engine& engine, Row& row, Runner& runner) {
        const auto before = runner.run.size();
        take_samples(runner);
        if (runner.run.size() == before) return;
        for (auto i = before; runner.marked && i < std::min(runner.run.size(), before + kAlone); ++i)
            runner.alone.push_back(runner.marked->sample(stop_));
        const auto clocks = rules_.clocks(engine);
        if (clocks.now_mhz > 0) runner.clock_mhz.push_back(clocks.now_mhz);
        if (row.throttled.find(clocks.throttled) == std::string::npos)
            row.throttled += (row.throttled.empty() ? "" : "; ") + clocks.throttled;
        for (auto i = before; i < std::min(runner.run.size(), before + kTransfers); ++i) {
            runner.upload.push_back(runner.way->upload_sample(stop_));
            runner.download.push_back(runner.way->download_sample(stop_));
        }
    }

    /// What was right at first may have gone wrong since. Not stopped, because times that are kept must be proved.
    void prove_again(Row& row, Runner& runner) {
        runner.way->run_afresh();
        prove(*runner.way, row, runner);
        if (row.verdict == Verdict::right) return;
        row.reason = "its first result was right, but not a later one: " + row.reason;
        runner = {};
    }

    void prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner) {
        if (!copy.why_not(request_, *engine).empty()) return;
        auto way = std::make_unique<TimedWay>(rotation(engine), copy.plan(request_, *engine), timing(),
                                              stop_);
        way->warm_up(stop_);
        runner.way = std::move(way);
    }

private:
    double left_us() const {
        return std::max(
            rules_.most_us - std::chrono::duration<double, std::micro>(Clock::now() - began_).count(), 0.0);
    }

    TimingRules timing() const {
        auto timing = rules_.timing;
        const double share = left_us() / ways_;
        timing.most_warm_up_us = std::min(timing.most_warm_up_us, kWarmingUp * share);
        timing.most_wake_up_us = std::min(timing.most_wake_up_us,
                                          kWakingUp * share / static_cast<double>(rules_.rounds));
        return timing;
    }

    const std::shared_ptr<Rotation>& rotation(const std::shared_ptr<Engine>& engine) {
        auto& shared = rotations_[engine.get()];
        if (!shared)
            shared = std::make_shared<Rotation>(engine, request_, picture_,
                                                rules_.cold ? cold_bytes(*engine) : 0);
        return shared;
    }

    void prove(TimedWay& way, Row& row, Runner& runner) {
        const auto result = way.result();
        const auto fingerprint = fingerprint_of(result.view());
        if (row.proof.samples > 0 && fingerprint == runner.fingerprint) return;
        runner.fingerprint = fingerprint;
        row.proof = verify(request_, picture_, result.view(), runner.judged_as, rules_.most_products,
                           row.proof.samples > 0 ? std::stop_token() : stop_);
        row.verdict = Verdict::right;
        const auto say_wrong = [&](std::string reason) {
            row.verdict = Verdict::wrong;
            row.reason = std::move(reason);
        };
        if (const auto left = poison_left(
                result.view())) // perhaps in no part that is held against the reference
            say_wrong("nothing was written at x " + std::to_string(left->width) + " y " +
                      std::to_string(left->height));
        if (!row.proof.right()) say_wrong(row.proof.first_wrong);
    }

    const ImageRequest& request_;
    const ConstImageView& picture_;
    const ContestRules& rules_;
    double ways_; ///< contestants
    const std::stop_token& stop_;
    Clock::time_point began_ = Clock::now();
    double most_row_us_ = rules_.most_row_us;
    std::map<const Engine*, std::shared_ptr<Rotation>> rotations_;
};

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
    Contest contest(request, picture, rules, contestants.size(), stop);
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
            or_failed(rows[i], runners[i], [&] { contest.prepare(contestants[i], rows[i], runners[i]); });
        }
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            const auto& engine = contestants[i].engine;
            if (!runners[i].way || std::ranges::count(copies, engine.get(), &Copy::engine) > 0) continue;
            for (const auto* algorithm : copy_limits(*engine)) {
                auto& copy = copies.emplace_back(Copy{engine.get(), algorithm, {}, {}});
                or_failed(copy.row, copy.runner,
                          [&] { contest.prepare_copy(engine, *algorithm, copy.runner); });
            }
        }
        const auto timed = std::ranges::count_if(runners, [](const Runner& r) { return r.way != nullptr; });
        contest.share_between(static_cast<std::size_t>(timed) + copies.size());
        for (std::size_t round = 0; round < rules.rounds; ++round) {
            say(contestants.size() + round,
                "round " + std::to_string(round + 1) + " of " + std::to_string(rules.rounds));
            for (std::size_t i = 0; i < runners.size(); ++i) { // another begins each round
                const auto turn = (i + round) % runners.size();
                if (runners[turn].way)
                    or_failed(rows[turn], runners[turn], [&] {
                        contest.take_turn(*contestants[turn].engine, rows[turn], runners[turn]);
                    });
            }
            for (auto& copy : copies)
                if (copy.runner.way)
                    or_failed(copy.row, copy.runner, [&] { contest.take_samples(copy.runner); });
        }
    } catch (const Cancelled&) {
        // What was measured is kept.
    }
    say(contestants.size() + rules.rounds, "proving what ran last");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!runners[i].run.empty())
            or_failed(rows[i], runners[i], [&] { contest.prove_again(rows[i], runners[i]); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        finish(rows[i], runners[i], copies, contestants[i].engine.get(), rules.samples_per_round);
    return rows;
}

} // namespace kg::measure
