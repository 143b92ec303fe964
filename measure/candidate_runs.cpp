#include "measure/candidate_runs.hpp"

#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "measure/limits.hpp"
#include "measure/noise.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <new>
#include <string_view>

namespace kg::measure {

namespace {

/// Shares of a comparison's time: preparation (plans, the reference, first results and warm-up) may take the
/// first, beside the time to fill the buffers; verifying again may exceed the limit by the second.
constexpr double kPreparing = 0.4, kGrace = 0.1;
/// Shares of an algorithm's preparation time: its plan (most need far less), and warm-up.
constexpr double kPlanning = 0.25, kWarmingUp = 0.2;
/// The largest share of the remaining time for one algorithm while others still have to prepare.
constexpr double kOneOfThem = 0.5;

} // namespace

CandidateRuns::CandidateRuns(const ImageRequest& request, const ConstImageView& image,
                             const ComparisonRules& rules, std::size_t algorithms,
                             const std::stop_token& stop)
    : request_(request), image_(image), rules_(rules), algorithms_(static_cast<double>(algorithms)),
      stop_(stop), began_us_(time().now_us()) {
    preparing_.emplace(time(), began_us_ + kPreparing * rules.most_us, stop);
}

void CandidateRuns::prepare(const Candidate& who, Row& row, Runner& runner, std::size_t waiting) {
    if (preparing_->is_over()) throw Cancelled();
    const auto share_us = [&] { return preparing_->left_us() * (waiting > 1 ? kOneOfThem : 1); };
    std::shared_ptr<const Plan> planned;
    const double began = time().now_us();
    try {
        const PlanContext context{preparing_->token(), began + kPlanning * share_us(), &time()};
        planned = who.algorithm ? plan(*who.engine, request_, *who.algorithm, context)
                                : plan(*who.engine, request_, std::string_view(), context);
    } catch (const Refused& e) {
        row.end(Verdict::refused, e.why(), e.code());
        return;
    }
    runner.first.plan_us = time().now_us() - began;
    row.algorithm = planned->algorithm;
    // Shared by all: not counted as this candidate's time.
    const auto& buffers = rotation(who.engine);
    row.partly_warm = !buffers->is_filled();
    verifier();
    const double most_us = share_us();
    const TimeLimit limit(time(), time().now_us() + most_us, preparing_->token());
    const auto stop = limit.token();
    const double ready = time().now_us();
    auto algorithm = std::make_unique<TimedAlgorithm>(buffers, planned, timing(most_us), stop);
    runner.finish_us = time().now_us() - ready;
    runner.first.run_us = algorithm->first_run_us();
    runner.judged_as = who.algorithm ? who.algorithm : inexact_algorithm(*who.engine, *planned);
    verify(*algorithm, row, runner, stop);
    if (row.verdict != Verdict::right) return;
    row.reason = planned->reason;
    algorithm->warm_up(stop);
    if (who.marked) {
        const PlanContext context{stop, time().now_us() + kPlanning * limit.left_us(), &time()};
        try {
            runner.marked = std::make_unique<TimedAlgorithm>(
                rotation(who.engine), plan(*who.engine, request_, *who.marked, context),
                timing(limit.left_us()), stop, peers::kOwnWork);
            runner.marked->warm_up(stop);
            // marked plans have scratch of their own; the ranking does not need them
        } catch (const std::bad_alloc&) {
            runner.marked.reset();
        }
    }
    runner.algorithm = std::move(algorithm);
}

void CandidateRuns::prepare_copy(const std::shared_ptr<Engine>& engine, const Algorithm& copy,
                                 Runner& runner) {
    const PlanStep step{ImageStep(request_)};
    if (!copy.why_not(step, *engine).empty()) return;
    if (preparing_->is_over()) throw Cancelled();
    const auto stop = preparing_->token();
    auto algorithm = std::make_unique<TimedAlgorithm>(rotation(engine), copy.plan(step, *engine, {stop}),
                                                      timing(preparing_->left_us() / algorithms_), stop);
    algorithm->warm_up(stop);
    runner.algorithm = std::move(algorithm);
}

void CandidateRuns::share_between(std::size_t algorithms, double finish_us) {
    const double end_us = began_us_ + rules_.most_us - finish_us;
    sampling_.emplace(time(), end_us, stop_);
    share_ = round_share(rules_, sampling_->left_us(), algorithms);
}

std::size_t CandidateRuns::take_runs(Runner& runner) {
    return runner.samples.take_runs(*runner.algorithm, rules_, share_, *sampling_);
}

void CandidateRuns::run_round(const Engine& engine, Runner& runner) {
    const auto runs = take_runs(runner);
    if (runs == 0) return;
    auto& samples = runner.samples;
    const double began = time().now_us();
    for (std::size_t i = 0; runner.marked && i < std::min(runs, kAlone); ++i)
        runner.alone.push_back(runner.marked->sample(sampling_->token()));
    samples.rounds_us += time().now_us() - began;
    samples.take_transfers(*runner.algorithm, engine, rules_, runs, *sampling_);
}

void CandidateRuns::verify_again(Row& row, Runner& runner) {
    const TimeLimit limit(time(), began_us_ + (1 + kGrace) * rules_.most_us);
    if (limit.is_over()) throw Cancelled();
    runner.algorithm->run_afresh(limit.token());
    verify(*runner.algorithm, row, runner, limit.token());
    if (row.verdict == Verdict::right) return;
    row.end(row.verdict, "its first result was right, but not a later one: " + row.reason,
            "later-result-wrong");
    runner = {};
}

TimingRules CandidateRuns::timing(double left_us) const {
    auto timing = rules_.timing;
    timing.most_warm_up_us = std::min(timing.most_warm_up_us, kWarmingUp * left_us);
    return timing;
}

/// The time to fill the buffers is added to that of preparation.
const std::shared_ptr<Rotation>& CandidateRuns::rotation(const std::shared_ptr<Engine>& engine) {
    auto& buffers = buffers_[engine.get()];
    if (buffers) return buffers;
    auto& rotations = rules_.rotations ? *rules_.rotations : own_rotations_;
    const auto bytes = rules_.cold ? std::min(cold_bytes(*engine), rules_.most_cold_bytes) : 0;
    const double left_us = preparing_->left_us();
    const TimeLimit filling(time(), time().now_us() + kFilling * rules_.most_us, stop_);
    buffers = rotations.of(engine, request_, image_, bytes, filling);
    preparing_.emplace(time(), time().now_us() + left_us, stop_);
    return buffers;
}

const Verifier& CandidateRuns::verifier() {
    if (!verifier_) verifier_ = rules_.verifier(request_, image_, rules_.most_products, preparing_->token());
    return *verifier_;
}

void CandidateRuns::verify(TimedAlgorithm& algorithm, Row& row, Runner& runner, const std::stop_token& stop) {
    const double began = time().now_us();
    const auto result = algorithm.result();
    const auto fingerprint = fingerprint_of(result.view());
    if (row.verification.samples > 0 && fingerprint == runner.fingerprint) return;
    if (row.verification.samples == 0) runner.finish_us += time().now_us() - began;
    runner.fingerprint = fingerprint;
    row.verification = verifier().verify(result.view(), runner.judged_as, stop);
    row.verdict = Verdict::right;
    row.code.clear();
    // possibly outside the rectangles that are compared with the reference
    if (const auto left = poison_left(result.view()))
        row.end(Verdict::wrong,
                "nothing was written at x " + std::to_string(left->width) + " y " +
                    std::to_string(left->height),
                "nothing-written");
    if (!row.verification.right()) row.end(Verdict::wrong, row.verification.first_wrong, "wrong-samples");
}

} // namespace kg::measure
