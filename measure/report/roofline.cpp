#include "measure/report/roofline.hpp"

namespace kg::measure {

std::vector<RooflinePoint> roofline_points(const ReportDevice& device,
                                           const std::vector<Standing>& standings) {
    std::vector<RooflinePoint> points;
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

} // namespace kg::measure
