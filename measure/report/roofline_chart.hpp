#pragma once
// How near each way is to what its device could do at best, and which of the two limits that is.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// An SVG as crossover_chart() makes it: multiply-adds a second over multiply-adds for each byte that must be moved, with the
/// limits of copying (the slope) and of multiply-adds (the flat part). Above the roof are ways that need fewer products
/// than the request has. Empty if the device's limits were not measured or nothing ran on it.
std::string roofline_chart(const ReportDevice& device, const std::vector<Standing>& standings, double width,
                           const std::string& name);

} // namespace kg::measure
