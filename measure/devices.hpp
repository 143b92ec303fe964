#pragma once
// The devices of a report.

#include "measure/comparison.hpp"
#include "measure/report/report.hpp"

#include <memory>
#include <stop_token>

namespace kg::measure {

/// The device once its clocks are up, and its limits if `with_limits`, measured within `most_us`. A limit
/// without enough time is unknown. Throws Cancelled when stopped.
ReportDevice report_device(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules,
                           bool with_limits, double most_us, const std::stop_token& stop = {});

} // namespace kg::measure
