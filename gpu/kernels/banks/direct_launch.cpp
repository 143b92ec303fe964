#include "gpu/kernels/banks/direct_launch.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

/// The tiles of an axis, of `of_tile` outputs each, whose numbers are all among the first `count`. The first
/// tap of output 0 is at number `first`, that of the next output `stride` further, the last tap `reach`.
void set_inside(DirectAxis& axis, std::int64_t outputs, int of_tile, std::int64_t stride, std::int64_t first,
                std::int64_t reach, std::int64_t count) {
    const auto step = of_tile * stride;
    const auto ends_inside = [&](std::int64_t tile) {
        const auto last = std::min(outputs, (tile + 1) * of_tile) - 1;
        return first + last * stride + reach < count;
    };
    const auto from = first < 0 ? parts_of(-first, step) : 0;
    // Tiles whose first output ends inside, and then all of whose outputs do.
    auto to = std::clamp((count - first - reach + step - 1) / step, std::int64_t{0},
                         std::int64_t{axis.tiles});
    while (to > from && !ends_inside(to - 1)) --to;
    if (to > from)
        axis.first_inside = static_cast<unsigned>(from), axis.inside = static_cast<unsigned>(to - from);
}

/// Multiplied by it, numbers of up to 2^32 / divisor are divided exactly, as far as 32 bits go up.
unsigned reciprocal_of(int divisor) { return 0xffffffffu / static_cast<unsigned>(divisor) + 1; }

} // namespace

DirectRing direct_ring(const BankRequest& request, const DirectBank& bank, int stage) {
    return {parts_of(group_channels(request), bank.channels), bank.slots, stage,
            std::max(bank.slots * stage, bank.results())};
}

DirectPieces direct_pieces(const DirectBank& bank, const BankLaunch& b, unsigned count,
                           DirectBlocks& blocks) {
    constexpr int kAlignment = kVector * static_cast<int>(sizeof(float));
    const auto x0 = b.outputs.x * b.stride.columns - b.left, y0 = b.outputs.y * b.stride.rows - b.top;
    if (bank.x.phases == 1 && bank.x.classes == 1 && bank.y.phases == 1 && bank.y.classes == 1) {
        set_inside(blocks.x, b.outputs.width, bank.columns_out(), b.stride.columns, x0,
                   (b.kernel_width - 1) * bank.unit_x, b.columns.samples);
        set_inside(blocks.y, b.outputs.height, bank.rows_out(), b.stride.rows, y0,
                   (b.kernel_height - 1) * bank.unit_y, b.rows.samples);
    }
    const auto is_aligned = [&](const BankItem& item) {
        const auto address = reinterpret_cast<std::uintptr_t>(item.src) +
                             static_cast<std::uintptr_t>(x0 * b.in.column);
        return address % kAlignment == 0;
    };
    const bool by_four = bank.unit_x == 1 && b.in.column == sizeof(float) && b.in.row % kAlignment == 0 &&
                         b.in.channel % kAlignment == 0 && std::all_of(b.items, b.items + count, is_aligned);
    DirectPieces pieces{};
    pieces.floats = by_four ? kVector : 1;
    pieces.in_row = bank.planes * bank.cells / pieces.floats; // at least two
    pieces.reciprocal = reciprocal_of(pieces.in_row);
    pieces.row = bank.unit_y * b.in.row;
    pieces.piece = pieces.floats * bank.unit_x * b.in.column;
    pieces.down = kDirectThreads / pieces.in_row;
    pieces.along = kDirectThreads % pieces.in_row;
    pieces.next = pieces.down * pieces.row + pieces.along * pieces.piece;
    pieces.wrap = pieces.row - pieces.in_row * pieces.piece;
    pieces.to_next = pieces.down * bank.pitch + pieces.along * pieces.floats;
    pieces.to_wrap = bank.pitch - pieces.in_row * pieces.floats;
    pieces.cells = static_cast<unsigned>(bank.planes * bank.cells);
    pieces.cell_reciprocal = reciprocal_of(bank.planes * bank.cells);
    return pieces;
}

} // namespace kg::gpu
