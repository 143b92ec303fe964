#include "measure/turns.hpp"

#include "core/error.hpp"
#include "core/planner.hpp"
#include "measure/limits.hpp"
#include "measure/noise.hpp"
#include "measure/peers/peers.hpp"
#include "measure/peers/support/patience.hpp"
#include "measure/verify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <new>
#include <string_view>

namespace kg::measure {

namespace {

/// Parts of the time that is left: for one way's plan (most need far less), for the warming and waking up of all, and for all
/// samples once the turns begin. The rest transfers, and proves again.
constexpr double kPlanning = 0.25, kWarmingUp = 0.2, kWakingUp = 0.2, kSampling = 0.6;

/// A way may spend so many times its part, and so many microseconds at any rate, on samples.
constexpr double kOverspent = 3, kCheap = 100e3;

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

} // namespace

void Turns::prepare(const Contestant& who, Row& row, Runner& runner) {
    std::shared_ptr<const Plan> planned;
    const auto began = Clock::now();
    try {
        const Patience patience(stop_, kPlanning * left_us() / 1e6);
        planned = who.algorithm ? plan(*who.engine, request_, *who.algorithm) : plan(*who.engine, request_);
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

void Turns::prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner) {
    if (!copy.why_not(request_, *engine).empty()) return;
    auto way = std::make_unique<TimedWay>(rotation(engine), copy.plan(request_, *engine), timing(), stop_);
    way->warm_up(stop_);
    runner.way = std::move(way);
}

void Turns::share_between(std::size_t ways) {
    most_row_us_ = std::min(rules_.most_row_us, kSampling * left_us() / static_cast<double>(ways));
}

/// Where time is short, who has long spent its own stays out of further turns.
bool Turns::has_overspent(const Runner& runner) const {
    return std::isfinite(rules_.most_us) && !runner.run.empty() &&
           runner.spent_us >= std::max(kOverspent * most_row_us_, kCheap);
}

void Turns::take_samples(Runner& runner) {
    if (has_overspent(runner)) return;
    runner.way->wake_up(stop_);
    for (std::size_t i = 0; i < rules_.samples_per_round; ++i) {
        if (i > 0 && runner.spent_us >= most_row_us_) break;
        runner.run.push_back(runner.way->sample(stop_));
        if (runner.way->computes_here()) runner.processor.push_back(runner.way->processor_us());
        runner.spent_us += runner.run.back() * runner.way->runs_per_sample();
    }
}

void Turns::take_turn(const Engine& engine, Row& row, Runner& runner) {
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

void Turns::prove_again(Row& row, Runner& runner) {
    runner.way->run_afresh();
    prove(*runner.way, row, runner);
    if (row.verdict == Verdict::right) return;
    row.reason = "its first result was right, but not a later one: " + row.reason;
    runner = {};
}

double Turns::left_us() const {
    return std::max(rules_.most_us - std::chrono::duration<double, std::micro>(Clock::now() - began_).count(),
                    0.0);
}

TimingRules Turns::timing() const {
    auto timing = rules_.timing;
    const double share = left_us() / ways_;
    timing.most_warm_up_us = std::min(timing.most_warm_up_us, kWarmingUp * share);
    timing.most_wake_up_us = std::min(timing.most_wake_up_us,
                                      kWakingUp * share / static_cast<double>(rules_.rounds));
    return timing;
}

const std::shared_ptr<Rotation>& Turns::rotation(const std::shared_ptr<Engine>& engine) {
    auto& shared = rotations_[engine.get()];
    if (!shared)
        shared = std::make_shared<Rotation>(engine, request_, picture_,
                                            rules_.cold ? cold_bytes(*engine) : 0);
    return shared;
}

void Turns::prove(TimedWay& way, Row& row, Runner& runner) {
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
    if (const auto left = poison_left(result.view())) // perhaps in no part that is held against the reference
        say_wrong("nothing was written at x " + std::to_string(left->width) + " y " +
                  std::to_string(left->height));
    if (!row.proof.right()) say_wrong(row.proof.first_wrong);
}

} // namespace kg::measure
