#include "gpu/kernels/march/march.hpp"

#include "gpu/kernels/march/column_grid.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

std::string why_not_divided(const ImageStep& step) {
    const float divisor = std::fabs(step.stages.front().kernels.front().divisor);
    return divisor < 0x1p-100f || divisor > 0x1p100f ? "its divisor is below 2^-100 or above 2^100" : "";
}

MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples, std::int64_t warps,
                     int fewest_rows) {
    constexpr int kAtOnce = 4;
    const int result_bytes = c.floats ? 4 : sample_bytes;
    const auto up = [](std::int64_t number, std::int64_t step) { return (number + step - 1) / step; };
    MarchGrid grid{};
    const int aligned = load_shift(c, count, sample_bytes, kAtOnce * sample_bytes, sample_bytes);
    grid.wide_loads = aligned >= 0;
    grid.shift = std::max(aligned, 0);
    grid.wide_stores = stores_together(c, count, result_bytes, kAtOnce * result_bytes, grid.shift);
    grid.across = static_cast<int>(up(std::int64_t{c.dst_width} * c.channels + grid.shift, samples));
    const auto columns = std::int64_t{grid.across} * count;
    const auto waves = up(columns * c.dst_height, warps * kMostStripRows);
    const auto rows = std::max<std::int64_t>(up(columns * c.dst_height, warps * waves), fewest_rows);
    const auto down = up(c.dst_height, rows);
    grid.rows = static_cast<int>(up(c.dst_height, down));
    grid.strips = static_cast<int>(grid.across * up(c.dst_height, grid.rows));
    grid.plain = c.offset == 0.0f && c.computed == (1u << c.channels) - 1u;
    return grid;
}

} // namespace kg::gpu
