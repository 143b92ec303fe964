#pragma once
// Reports with known answers, without measurement.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// A timed row of the request with kernel k x k: a median with an interval of 1 % to either side.
ReportRow timed_row(const std::string& algorithm, int k, double median_us, const std::string& peer = {});
/// A row without times.
ReportRow untimed_row(const std::string& algorithm, int k, Verdict verdict, const std::string& reason);

/// The head of a report of one CPU, without rows.
BenchReport empty_report();
/// k = 3: tiled 41 us (40-42) with naive 41.5 tied, then opencv:filter2D 80, and box refused.
BenchReport one_request();
/// k = 3 to 31: naive grows with k², separable with k and is fastest from 5 on, opencv:filter2D at 31; fft
/// is wrong at 5.
BenchReport sweep();

} // namespace kg::measure
