#include "measure/samples.hpp"

#include "core/support/error.hpp"
#include "core/support/quantile.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

/// Shares of a candidate's time for rounds: wake-up, and runs. The rest goes to transfers.
constexpr double kWakingUp = 0.2, kSampling = 0.6;

} // namespace

RoundShare round_share(const ComparisonRules& rules, double left_us, std::size_t candidates) {
    const double rounds_us = left_us / static_cast<double>(std::max<std::size_t>(candidates, 1));
    return {rounds_us, std::min(rules.most_row_us, kSampling * rounds_us)};
}

std::size_t Samples::take_runs(TimedAlgorithm& algorithm, const ComparisonRules& rules,
                               const RoundShare& share, const TimeLimit& limit) {
    if (!run.empty() && rounds_us >= share.rounds_us) return 0;
    if (limit.is_over()) throw Cancelled();
    const auto before = run.size();
    const auto stop = limit.token();
    auto& time = *rules.timing.time;
    const double began = time.now_us();
    algorithm.wake_up(stop, kWakingUp * share.rounds_us / static_cast<double>(rules.rounds));
    for (std::size_t i = 0; i < rules.samples_per_round; ++i) {
        if (i > 0 && spent_us >= share.runs_us) break;
        run.push_back(algorithm.sample(stop));
        if (algorithm.computes_here()) processor.push_back(algorithm.processor_us());
        spent_us += run.back() * algorithm.runs_per_sample();
    }
    rounds_us += time.now_us() - began;
    return run.size() - before;
}

void Samples::take_transfers(TimedAlgorithm& algorithm, const Engine& engine, const ComparisonRules& rules,
                             std::size_t runs, const TimeLimit& limit) {
    auto& time = *rules.timing.time;
    const double began = time.now_us();
    const auto clocks = rules.clocks(engine);
    if (clocks.now_mhz > 0) clock_mhz.push_back(clocks.now_mhz);
    if (throttled.find(clocks.throttled) == std::string::npos)
        throttled += (throttled.empty() ? "" : "; ") + clocks.throttled;
    const auto stop = limit.token();
    for (std::size_t i = 0; i < std::min(runs, kTransfers); ++i) {
        upload.push_back(algorithm.upload_sample(stop));
        download.push_back(algorithm.download_sample(stop));
    }
    rounds_us += time.now_us() - began;
}

void Samples::summarize_in(Row& row, const ComparisonRules& rules, const FirstCall& first,
                           const TimedAlgorithm& algorithm) const {
    const auto batch = rules.samples_per_round, moves = std::min(batch, kTransfers);
    row.times = Times{summarize(run, batch), summarize(upload, moves), summarize(download, moves), first,
                      algorithm.runs_per_sample()};
    row.clock_mhz = quantile(clock_mhz, 0.5);
    row.processor_us = quantile(processor, 0.5);
    row.throttled = throttled;
}

} // namespace kg::measure
