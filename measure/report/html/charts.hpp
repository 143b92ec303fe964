#pragma once
// The charts of the page: SVG `width` pixels wide at its natural size, with `name` as its class.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// Time over the family's axis, which shows where each algorithm becomes the fastest: ours as solid lines
/// with dots (stronger for algorithms that are fastest somewhere), peers dashed with markers, the interval of
/// the median as a band, wrong algorithms as hollow crosses above, the time of a copy as a thin line. Empty
/// if fewer than two sizes have times.
std::string crossover_chart(const Family& family, double width, const std::string& name);

/// How near each algorithm is to its device's limits, and which of the two applies: multiply-adds per second
/// over multiply-adds per byte that must be moved, with the limits of copying (the slope) and of
/// multiply-adds (the flat line). Above the roof are algorithms that need fewer products than the request
/// has. Empty if the device's limits were not measured or nothing ran on it.
std::string roofline_chart(const ReportDevice& device, const std::vector<Standing>& standings, double width,
                           const std::string& name);

} // namespace kg::measure
