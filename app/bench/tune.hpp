#pragma once
// Fits the constants by which `auto` chooses among algorithms (core/plan/cost_corrections.hpp) to measured
// reports.

#include "core/plan/cost_corrections.hpp"
#include "measure/bench.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace kg {

/// The corrections for an engine's own algorithms, from the cold rows of images that have both a time and a
/// formula's estimate, and no conversion. Throws Error if the reports have none.
CostCorrections fitted_costs(std::span<const measure::BenchReport> reports, std::string_view engine);

/// The requests that `bench tune` measures: the depths, channel counts, kernel sizes and kinds of kernels
/// among which the algorithms differ, on a small and on a large image.
std::vector<measure::BenchCase> tuning_cases();

} // namespace kg
