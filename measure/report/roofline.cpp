#include "measure/report/roofline.hpp"

#include <algorithm>

namespace kg::measure {

std::vector<RooflinePoint> roofline_points(const ReportDevice& device,
                                           const std::vector<Standing>& standings) {
    std::vector<RooflinePoint> points;
    if (device.limits.copy_gb_per_s <= 0 || device.limits.multiply_adds_g_per_s <= 0) return points;
    for (const auto& standing : standings) {
        bool first = true;
        for (const auto* row : standing.timed) {
            if (row->engine != device.engine || row->copy_us <= 0 || row->arithmetic_us <= 0 ||
                row->times->run.median <= 0)
                continue;
            const auto multiply_adds = row->arithmetic_us * device.limits.multiply_adds_g_per_s;
            const auto bytes = row->copy_us * device.limits.copy_gb_per_s;
            points.push_back({multiply_adds / bytes, multiply_adds / row->times->run.median, row,
                              standing.label(*row), first});
            first = false;
        }
    }
    return points;
}

std::string why_no_roofline(const ReportLimits& limits) {
    const bool copy = limits.copy_gb_per_s > 0, adds = limits.multiply_adds_g_per_s > 0;
    if (copy && adds) return "no row of this device has a time";
    const std::string missing = copy ? "multiply-adds" : adds ? "a copy" : "a copy and of multiply-adds";
    return "the time limit was too short for the speed of " + missing +
           "; kernelglass bench image FILE has more time";
}

RooflineBounds roofline_bounds(const ReportLimits& limits, const std::vector<RooflinePoint>& points) {
    const double roof = limits.multiply_adds_g_per_s, ridge = roof / limits.copy_gb_per_s;
    RooflineBounds bounds{ridge, ridge, roof, roof};
    for (const auto& point : points) {
        bounds.left = std::min(bounds.left, point.intensity);
        bounds.right = std::max(bounds.right, point.intensity);
        bounds.low = std::min(bounds.low, point.rate);
        bounds.high = std::max(bounds.high, point.rate);
    }
    bounds.left /= 2;
    bounds.right *= 2;
    bounds.low = std::min(bounds.low, bounds.left * limits.copy_gb_per_s) / 1.5;
    bounds.high *= 1.5;
    return bounds;
}

} // namespace kg::measure
