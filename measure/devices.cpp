#include "measure/devices.hpp"

#include "core/support/error.hpp"
#include "core/support/time_limit.hpp"
#include "measure/clocks.hpp"
#include "measure/limits.hpp"

namespace kg::measure {

namespace {

/// Share of the time for limits that the multiply-adds may take.
constexpr double kForAdds = 0.3;
/// Share of the time of one limit that is measured, so that the measurement completes.
constexpr double kUsed = 0.8;

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

ReportDevice report_device(const Engine& engine, const ReportLimits& limits) {
    const auto& info = engine.device();
    const auto clocks = clocks_of(engine);
    return {info.id, info.name, info.description, clocks.driver, clocks.now_mhz, clocks.most_mhz, limits};
}

} // namespace kg::measure
