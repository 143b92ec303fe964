#pragma once
// How near each algorithm is to its device's limits: the data of the roofline chart.

#include "measure/report/standing.hpp"

#include <string>
#include <vector>

namespace kg::measure {

struct RooflinePoint {
    double intensity; ///< multiply-adds of the request per byte that must be moved
    double rate;      ///< 1e9 multiply-adds per second
    const ReportRow* row;
    std::string label;
    bool fastest; ///< the fastest of its request on the device
};

/// The rows of a device. The work of a row's request follows from the time that the device's limits would
/// take for it; rows without these limits are left out. Empty if the device's limits are unknown. Points
/// refer to the report, which must outlive them.
std::vector<RooflinePoint> roofline_points(const ReportDevice& device,
                                           const std::vector<Standing>& standings);
/// Why there are no points: what a benchmark with these limits has not measured. To follow "because".
std::string why_no_roofline(const ReportLimits& limits);

/// The ends of the chart's axes: intensity from left to right, rate from low to high.
struct RooflineBounds {
    double left, right, low, high;
};

/// They enclose the points, the ridge and the whole roof, with a margin. The limits must be known.
RooflineBounds roofline_bounds(const ReportLimits& limits, const std::vector<RooflinePoint>& points);

} // namespace kg::measure
