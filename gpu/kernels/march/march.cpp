#include "gpu/kernels/march/march.hpp"

#include "gpu/kernels/march/column_grid.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

std::string why_not_divided(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    const float divisor = std::fabs(kernel.divisor);
    if (step.in.depth == Depth::u16 && reciprocal_of(divisor, kernel.weights, Depth::u16) == 0.0f)
        return "its weights or divisor are below 2^-40 or above 2^40";
    return divisor < 0x1p-100f || divisor > 0x1p100f ? "its divisor is below 2^-100 or above 2^100" : "";
}

MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples,
                     std::int64_t warps) {
    constexpr int kAtOnce = 4;
    // Rows of a strip: fewer read most rows twice, more leave multiprocessors without strips. On an H200, 512
    // x 512 pixels of four channels are enough for strips of 8.
    const int fewest_rows = c.channels == 4 ? 8 : 4;
    const int result_bytes = c.floats ? 4 : sample_bytes;
    const auto up = [](std::int64_t number, std::int64_t step) { return (number + step - 1) / step; };
    MarchGrid grid{};
    const int aligned = load_shift(c, count, sample_bytes, kAtOnce * sample_bytes, sample_bytes);
    grid.wide_loads = aligned >= 0;
    grid.shift = std::max(aligned, 0);
    grid.wide_stores = stores_together(c, count, result_bytes, kAtOnce * result_bytes, grid.shift);
    grid.across = static_cast<int>(up(std::int64_t{c.dst_width} * c.channels + grid.shift, samples));
    // As few waves as strips of kMostStripRows need, and no strip left over for one more.
    const auto columns = std::int64_t{grid.across} * count;
    const auto waves = up(columns * up(c.dst_height, kMostStripRows), warps);
    const auto rows = std::max<std::int64_t>(up(c.dst_height, warps * waves / columns), fewest_rows);
    const auto down = up(c.dst_height, rows);
    grid.rows = static_cast<int>(up(c.dst_height, down));
    grid.strips = static_cast<int>(grid.across * up(c.dst_height, grid.rows));
    grid.plain = c.offset == 0.0f && c.computed == (1u << c.channels) - 1u;
    return grid;
}

} // namespace kg::gpu
