#include "gpu/kernels/march/march.hpp"

#include "gpu/kernels/march/column_grid.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

int up(std::int64_t number, std::int64_t step) { return static_cast<int>((number + step - 1) / step); }

/// As few waves as strips of kMostStripRows need, and no strip left over for one more.
void divide_rows(MarchGrid& grid, const StageCommon& c, unsigned count, std::int64_t warps, double edge) {
    // Fewer read most rows twice, more leave multiprocessors without strips. On an H200, 512 x 512 pixels of
    // four channels are enough for strips of 8.
    const int fewest = c.channels == 4 ? 8 : 4, inner = grid.across - grid.edges;
    const auto strips = [&](int rows, int edge_rows) {
        return count * (std::int64_t{inner} * up(c.dst_height, rows) +
                        std::int64_t{grid.edges} * up(c.dst_height, edge_rows));
    };
    const auto most = warps * up(strips(kMostStripRows, kMostStripRows), warps);
    const auto work = static_cast<std::int64_t>(c.dst_height * (inner + grid.edges * edge) * count);
    int rows = std::min(up(work, most), kMostStripRows);
    do { // as evenly as so many strips allow
        grid.rows = std::max(up(c.dst_height, up(c.dst_height, rows)), fewest);
        grid.edge_rows = std::max(static_cast<int>(grid.rows / edge), fewest);
    } while (strips(grid.rows, grid.edge_rows) > most && grid.rows > fewest && ++rows <= kMostStripRows);
    if (rows > kMostStripRows) grid.edge_rows = grid.rows;
    grid.edge_strips = grid.edges * up(c.dst_height, grid.edge_rows);
    grid.strips = grid.edge_strips + inner * up(c.dst_height, grid.rows);
}

} // namespace

std::string why_not_divided(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    const float divisor = std::fabs(kernel.divisor);
    if (step.in.depth == Depth::u16 && reciprocal_of(divisor, kernel.weights, Depth::u16) == 0.0f)
        return "its weights or divisor are below 2^-40 or above 2^40";
    return divisor < 0x1p-100f || divisor > 0x1p100f ? "its divisor is below 2^-100 or above 2^100" : "";
}

MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples, std::int64_t warps,
                     double edge) {
    constexpr int kAtOnce = 4;
    const int result_bytes = c.floats ? 4 : sample_bytes;
    MarchGrid grid{};
    const int aligned = load_shift(c, count, sample_bytes, kAtOnce * sample_bytes, sample_bytes);
    grid.wide_loads = aligned >= 0;
    grid.shift = std::max(aligned, 0);
    grid.wide_stores = stores_together(c, count, result_bytes, kAtOnce * result_bytes, grid.shift);
    grid.across = up(std::int64_t{c.dst_width} * c.channels + grid.shift, samples);
    const int reach = (c.reach_width - c.left - 1) * c.channels,
              end_before_last = (grid.across - 1) * samples - grid.shift + reach;
    grid.edges = std::min(grid.across, end_before_last > c.dst_width * c.channels ? 3 : 2);
    divide_rows(grid, c, count, warps, edge);
    grid.plain = c.offset == 0.0f && c.computed == (1u << c.channels) - 1u;
    return grid;
}

} // namespace kg::gpu
