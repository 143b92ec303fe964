#pragma once
// The devices of a report, and their limits.

#include "measure/bench.hpp"
#include "measure/report/report.hpp"

#include <memory>
#include <span>
#include <stop_token>

namespace kg::measure {

/// The limits of an engine, measured within `most_us`. One without enough time is unknown. Throws Cancelled
/// when stopped.
ReportLimits limits_of(const std::shared_ptr<Engine>& engine, const ComparisonRules& rules, double most_us,
                       const std::stop_token& stop = {});

/// Those that earlier benchmarks know if they are complete, else measured ones. For after the rows, which
/// matter more: beyond a large cache limits need seconds for their buffers. A stop leaves them unknown.
ReportLimits limits_for(const std::shared_ptr<Engine>& engine, const BenchRules& rules, double most_us,
                        const std::stop_token& stop);
/// The share of a benchmark's time that rows leave for limits_for() of its engines: 0 if all are known.
double share_for_limits(std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules);

/// The device of an engine. After limits_of(), which raises the clocks.
ReportDevice report_device(const Engine& engine, const ReportLimits& limits);

} // namespace kg::measure
