#include "measure/devices.hpp"

#include "core/support/error.hpp"
#include "core/support/time_limit.hpp"
#include "measure/clocks.hpp"
#include "measure/limits.hpp"

namespace kg::measure {

namespace {

/// Share of the time of one limit that is measured, so that the measurement completes.
constexpr double kUsedOfHalf = 0.8;

/// A limit without enough time is unknown; each gets half of the time.
ReportLimits limits_of(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules, double most_us,
                       const std::stop_token& stop) {
    auto& time = *rules.timing.time;
    ReportLimits limits;
    const auto within_half = [&](auto measure) {
        const TimeLimit limit(time, time.now_us() + most_us / 2, stop);
        try {
            measure(limit.token(), kUsedOfHalf * most_us / 2);
        } catch (const Cancelled&) {
            if (stop.stop_requested()) throw;
        }
    };
    within_half([&](const std::stop_token& end, double us) {
        limits.copy_gb_per_s = copy_gb_per_s(engine, end, us, time, rules.most_cold_bytes);
    });
    within_half([&](const std::stop_token& end, double us) {
        const auto adds = multiply_adds_g_per_s(*engine, end, us);
        limits.multiply_adds_g_per_s = adds.best;
        limits.multiply_adds_steady = adds.is_steady;
    });
    return limits;
}

} // namespace

ReportDevice report_device(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules,
                           bool with_limits, double most_us, const std::stop_token& stop) {
    const auto& info = engine->device();
    const auto limits = with_limits ? limits_of(engine, rules, most_us, stop) : ReportLimits{};
    const auto clocks = clocks_of(*engine); // after these have raised the clocks
    return {info.id, info.name, info.description, clocks.driver, clocks.now_mhz, clocks.most_mhz, limits};
}

} // namespace kg::measure
