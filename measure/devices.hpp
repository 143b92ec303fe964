#pragma once
// The devices of a report, and their limits.

#include "measure/comparison.hpp"
#include "measure/report/report.hpp"

#include <memory>
#include <stop_token>

namespace kg::measure {

/// The limits of an engine, measured within `most_us`. One without enough time is unknown. Throws Cancelled
/// when stopped.
ReportLimits limits_of(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules, double most_us,
                       const std::stop_token& stop = {});

/// The device of an engine. After limits_of(), which raises the clocks.
ReportDevice report_device(const Engine& engine, const ReportLimits& limits);

} // namespace kg::measure
