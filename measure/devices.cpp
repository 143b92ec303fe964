#include "measure/devices.hpp"

#include "core/support/error.hpp"
#include "core/support/time_limit.hpp"
#include "measure/clocks.hpp"
#include "measure/limits.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

/// Share of a benchmark's time for the limits of all its devices.
constexpr double kForLimits = 0.1;
/// Share of the time for limits that the multiply-adds may take.
constexpr double kForAdds = 0.3;
/// Share of the time of one limit that is measured, so that the measurement completes.
constexpr double kUsed = 0.8;

bool is_known(const ReportLimits& limits) {
    return limits.copy_gb_per_s > 0 && limits.multiply_adds_g_per_s > 0;
}

/// From earlier benchmarks.
ReportLimits known_limits(const Engine& engine, const BenchRules& rules) {
    if (!rules.known_limits) return {};
    const auto found = rules.known_limits->find(engine.device().id);
    return found == rules.known_limits->end() ? ReportLimits{} : found->second;
}

} // namespace

// The loop of multiply-adds is steady within a fraction of a second; a copy beyond a large cache needs the
// rest for its buffers.
ReportLimits limits_of(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules, double most_us,
                       const std::stop_token& stop) {
    auto& time = *rules.timing.time;
    ReportLimits limits;
    const double end_us = time.now_us() + most_us;
    const auto within = [&](double us, auto measure) {
        const TimeLimit limit(time, time.now_us() + us, stop);
        try {
            measure(limit.token(), kUsed * us);
        } catch (const Cancelled&) {
            if (stop.stop_requested()) throw;
        }
    };
    within(kForAdds * most_us, [&](const std::stop_token& end, double us) {
        const auto adds = multiply_adds_g_per_s(*engine, end, us);
        limits.multiply_adds_g_per_s = adds.best;
        limits.multiply_adds_steady = adds.is_steady;
    });
    within(end_us - time.now_us(), [&](const std::stop_token& end, double us) {
        limits.copy_gb_per_s = copy_gb_per_s(engine, end, us, time, rules.most_cold_bytes);
    });
    return limits;
}

ReportLimits limits_for(const std::shared_ptr<Engine>& engine, const BenchRules& rules, double most_us,
                        const std::stop_token& stop) {
    auto limits = known_limits(*engine, rules);
    if (!rules.limits || is_known(limits)) return limits;
    try {
        limits = limits_of(engine, rules.comparison, most_us, stop);
        if (rules.known_limits) (*rules.known_limits)[engine->device().id] = limits;
    } catch (const Cancelled&) { // the rows are kept
    }
    return limits;
}

double share_for_limits(std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules) {
    const auto is_open = [&](const auto& engine) { return !is_known(known_limits(*engine, rules)); };
    return rules.limits && std::ranges::any_of(engines, is_open) ? kForLimits : 0;
}

ReportDevice report_device(const Engine& engine, const ReportLimits& limits) {
    const auto& info = engine.device();
    const auto clocks = clocks_of(engine);
    return {info.id, info.name, info.description, clocks.driver, clocks.now_mhz, clocks.most_mhz, limits};
}

} // namespace kg::measure
