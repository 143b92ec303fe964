#include "measure/turns.hpp"

#include "core/support/error.hpp"
#include "core/plan/planner.hpp"
#include "measure/limits.hpp"
#include "measure/noise.hpp"
#include "peers/peers.hpp"
#include "peers/support/patience.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <string_view>

namespace kg::measure {

namespace {

/// Parts of a contest's time: plans, the reference, first results and warming up may take the first; what follows the last,
/// which only verifying again may, is beyond it.
constexpr double kPreparing = 0.4, kGrace = 0.1;
/// Parts of the time that a way has to prepare, or for its turns: for its plan (most need far less), for warming up, for waking
/// up, and for its samples. The rest transfers.
constexpr double kPlanning = 0.25, kWarmingUp = 0.2, kWakingUp = 0.2, kSampling = 0.6;
/// One way may take such a part of what is left for all that still have to prepare.
constexpr double kOneOfThem = 0.5;

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

Turns::Turns(const ImageRequest& request, const ConstImageView& picture, const ContestRules& rules,
             std::size_t ways, const std::stop_token& stop)
    : request_(request), picture_(picture), rules_(rules), ways_(static_cast<double>(ways)), stop_(stop),
      began_us_(time().now_us()), preparing_(time(), began_us_ + kPreparing * rules.most_us, stop),
      most_turns_us_(rules.most_us) {}

void Turns::prepare(const Contestant& who, Row& row, Runner& runner, std::size_t waiting) {
    if (preparing_.is_over()) throw Cancelled();
    const auto share_us = [&] { return preparing_.left_us() * (waiting > 1 ? kOneOfThem : 1); };
    std::shared_ptr<const Plan> planned;
    const double began = time().now_us();
    try {
        const peers::Patience patience(preparing_.token(), kPlanning * share_us() / 1e6, time());
        planned = who.algorithm ? plan(*who.engine, request_, *who.algorithm) : plan(*who.engine, request_);
    } catch (const Refused& e) {
        row.verdict = Verdict::refused;
        row.reason = e.why();
        return;
    }
    runner.first.plan_us = time().now_us() - began;
    row.algorithm = planned->algorithm;
    verifier(); // all share it: it does not count as this one's time
    const double most_us = share_us();
    const TimeLimit limit(time(), time().now_us() + most_us, preparing_.token());
    const auto stop = limit.token();
    const auto& buffers = rotation(who.engine);
    const double ready = time().now_us();
    auto way = std::make_unique<TimedWay>(buffers, planned, timing(most_us), stop);
    runner.finish_us = time().now_us() - ready;
    runner.first.run_us = way->first_run_us();
    runner.judged_as = who.algorithm ? who.algorithm : inexact_way(*who.engine, *planned);
    verify(*way, row, runner, stop);
    if (row.verdict != Verdict::right) return;
    row.reason = planned->reason;
    way->warm_up(stop);
    if (who.marked) {
        const peers::Patience patience(stop, kPlanning * limit.left_us() / 1e6, time());
        try {
            runner.marked = std::make_unique<TimedWay>(rotation(who.engine),
                                                       plan(*who.engine, request_, *who.marked),
                                                       timing(limit.left_us()), stop, peers::kOwnWork);
            runner.marked->warm_up(stop);
        } catch (const std::bad_alloc&) { // it has scratch of its own; the figure that ranks needs none of it
            runner.marked.reset();
        }
    }
    runner.way = std::move(way);
}

void Turns::prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy, Runner& runner) {
    if (!copy.why_not(request_, *engine).empty()) return;
    if (preparing_.is_over()) throw Cancelled();
    const auto stop = preparing_.token();
    auto way = std::make_unique<TimedWay>(rotation(engine), copy.plan(request_, *engine),
                                          timing(preparing_.left_us() / ways_), stop);
    way->warm_up(stop);
    runner.way = std::move(way);
}

void Turns::share_between(std::size_t ways, double finish_us) {
    const double end_us = began_us_ + rules_.most_us - finish_us;
    sampling_.emplace(time(), end_us, stop_);
    most_turns_us_ = sampling_->left_us() / static_cast<double>(std::max<std::size_t>(ways, 1));
    most_row_us_ = std::min(rules_.most_row_us, kSampling * most_turns_us_);
}

/// Where time is short, who has spent its part stays out of further turns.
bool Turns::has_overspent(const Runner& runner) const {
    return !runner.run.empty() && runner.turns_us >= most_turns_us_;
}

void Turns::take_samples(Runner& runner) {
    if (has_overspent(runner)) return;
    if (sampling_->is_over()) throw Cancelled();
    const auto stop = sampling_->token();
    const double began = time().now_us();
    runner.way->wake_up(stop, kWakingUp * most_turns_us_ / static_cast<double>(rules_.rounds));
    for (std::size_t i = 0; i < rules_.samples_per_round; ++i) {
        if (i > 0 && runner.spent_us >= most_row_us_) break;
        runner.run.push_back(runner.way->sample(stop));
        if (runner.way->computes_here()) runner.processor.push_back(runner.way->processor_us());
        runner.spent_us += runner.run.back() * runner.way->runs_per_sample();
    }
    runner.turns_us += time().now_us() - began;
}

void Turns::take_turn(const Engine& engine, Row& row, Runner& runner) {
    const auto before = runner.run.size();
    take_samples(runner);
    if (runner.run.size() == before) return;
    const auto stop = sampling_->token();
    const double began = time().now_us();
    for (auto i = before; runner.marked && i < std::min(runner.run.size(), before + kAlone); ++i)
        runner.alone.push_back(runner.marked->sample(stop));
    const auto clocks = rules_.clocks(engine);
    if (clocks.now_mhz > 0) runner.clock_mhz.push_back(clocks.now_mhz);
    if (row.throttled.find(clocks.throttled) == std::string::npos)
        row.throttled += (row.throttled.empty() ? "" : "; ") + clocks.throttled;
    for (auto i = before; i < std::min(runner.run.size(), before + kTransfers); ++i) {
        runner.upload.push_back(runner.way->upload_sample(stop));
        runner.download.push_back(runner.way->download_sample(stop));
    }
    runner.turns_us += time().now_us() - began;
}

void Turns::verify_again(Row& row, Runner& runner) {
    const TimeLimit limit(time(), began_us_ + (1 + kGrace) * rules_.most_us);
    if (limit.is_over()) throw Cancelled();
    runner.way->run_afresh(limit.token());
    verify(*runner.way, row, runner, limit.token());
    if (row.verdict == Verdict::right) return;
    row.reason = "its first result was right, but not a later one: " + row.reason;
    runner = {};
}

TimingRules Turns::timing(double left_us) const {
    auto timing = rules_.timing;
    timing.most_warm_up_us = std::min(timing.most_warm_up_us, kWarmingUp * left_us);
    return timing;
}

const std::shared_ptr<Rotation>& Turns::rotation(const std::shared_ptr<Engine>& engine) {
    auto& rotations = rules_.rotations ? *rules_.rotations : own_rotations_;
    return rotations.of(engine, request_, picture_, rules_.cold ? cold_bytes(*engine) : 0);
}

const Verifier& Turns::verifier() {
    if (!verifier_) verifier_ = rules_.verifier(request_, picture_, rules_.most_products, preparing_.token());
    return *verifier_;
}

void Turns::verify(TimedWay& way, Row& row, Runner& runner, const std::stop_token& stop) {
    const double began = time().now_us();
    const auto result = way.result();
    const auto fingerprint = fingerprint_of(result.view());
    if (row.proof.samples > 0 && fingerprint == runner.fingerprint) return;
    if (row.proof.samples == 0) runner.finish_us += time().now_us() - began;
    runner.fingerprint = fingerprint;
    row.proof = verifier().verify(result.view(), runner.judged_as, stop);
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
