#pragma once
// How near each algorithm is to its device's limits, and which of the two limits applies.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// An SVG like crossover_chart()'s: multiply-adds per second over multiply-adds per byte that must be moved,
/// with the limits of copying (the slope) and of multiply-adds (the flat line). Above the roof are algorithms
/// that need fewer products than the request has. Empty if the device's limits were not measured or nothing
/// ran on it.
std::string roofline_chart(const ReportDevice& device, const std::vector<Standing>& standings, double width,
                           const std::string& name);

} // namespace kg::measure
