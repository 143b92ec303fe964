#include "gpu/kernels/waves.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

double blocks_end(std::int64_t edges, double edge, std::int64_t inner, std::int64_t slots) {
    // After the whole waves of edges, `late` slots run one more, and the others are free.
    const auto late = edges % slots;
    const double free_at = static_cast<double>(edges / slots) * edge, late_at = free_at + edge;
    const double edges_end = late > 0 ? late_at : free_at;
    // The earliest time by which the slots have room for all inner blocks; a slot of either kind ends then.
    const auto room = [&](double time) {
        const auto of = [&](double from) {
            return static_cast<std::int64_t>(std::max(std::floor(time - from + 1e-9), 0.0));
        };
        return (slots - late) * of(free_at) + late * of(late_at);
    };
    const auto earliest = [&](double from) {
        double time = from + static_cast<double>(std::max<std::int64_t>(inner / slots - 1, 0));
        while (room(time) < inner) ++time;
        return time;
    };
    return std::max(edges_end, inner == 0 ? 0 : std::min(earliest(free_at), earliest(late_at)));
}

} // namespace kg::gpu
