#include "gpu/kernels/march/column_grid.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

int up(std::int64_t number, std::int64_t step) { return static_cast<int>((number + step - 1) / step); }

} // namespace

ColumnGrid column_grid(const StageCommon& c, unsigned count, const ColumnShape& shape, int unit_bytes) {
    const int own = shape.samples, before = shape.before, samples = c.dst_width * c.channels;
    const int bytes = own * shape.sample_bytes,
              aligned = load_shift(c, count, shape.sample_bytes, bytes, unit_bytes);
    ColumnGrid grid{};
    grid.shift = std::max(aligned, 0);
    if (aligned >= 0) {
        // Column i has its window at sample origin + i * own of the source's rows.
        const int origin = (c.dst_x - c.src_x) * c.channels - grid.shift - before,
                  room = c.src_width * c.channels - origin - 2 * before - own;
        grid.whole_begin = origin >= 0 ? 0 : up(-origin, own);
        grid.whole_end = std::min(up(samples + grid.shift, own), room < 0 ? 0 : room / own + 1);
        if (grid.whole_end <= grid.whole_begin) grid.whole_begin = grid.whole_end = 0;
    }
    const int whole = grid.whole_end - grid.whole_begin;
    grid.left = whole == 0 ? c.dst_width : up(std::max(grid.whole_begin * own - grid.shift, 0), c.channels);
    grid.right = whole == 0 ? 0
                            : c.dst_width - std::min(grid.whole_end * own - grid.shift, samples) / c.channels;
    grid.blocks_across = std::max(up(whole, kColumnLanes), 1);
    const int result_bytes = c.floats ? 4 : shape.sample_bytes;
    grid.wide_stores = stores_together(c, count, result_bytes, std::min(16, own * result_bytes), grid.shift);
    grid.plain = c.offset == 0.0f && c.computed == (1u << c.channels) - 1u;
    return grid;
}

void divide_rows(ColumnGrid& grid, const StageCommon& c, int rows) {
    grid.rows = rows;
    grid.whole_blocks = grid.whole_end > grid.whole_begin
                            ? grid.blocks_across * up(c.dst_height, std::int64_t{kColumnWarps} * rows)
                            : 0;
    grid.other_blocks = up(std::int64_t{grid.left + grid.right} * c.dst_height, kColumnLanes * kColumnWarps);
}

int load_shift(const StageCommon& c, unsigned count, int sample_bytes, int alignment, int unit_bytes) {
    const auto of = [&](const StageItem& item) {
        const auto at = reinterpret_cast<std::int64_t>(item.src) +
                        std::int64_t{c.dst_x - c.src_x} * c.channels * sample_bytes;
        const auto over = at % alignment;
        return over % unit_bytes == 0 && item.src_pitch % 16 == 0 ? static_cast<int>(over / sample_bytes)
                                                                  : -1;
    };
    const int first = of(c.items[0]);
    for (unsigned i = 1; i < count; ++i)
        if (of(c.items[i]) != first) return -1;
    return first;
}

bool stores_together(const StageCommon& c, unsigned count, int sample_bytes, int alignment, int shift) {
    return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
        const auto at = reinterpret_cast<std::int64_t>(item.dst) - std::int64_t{shift} * sample_bytes;
        return at % alignment == 0 && item.dst_pitch % 16 == 0;
    });
}

} // namespace kg::gpu
