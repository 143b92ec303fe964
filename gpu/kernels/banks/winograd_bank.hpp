#pragma once
// What Winograd's algorithms decide for a filter bank before it runs: its tiles, and how many of them are
// transformed at a time.

#include "core/image/host_device.hpp"
#include "core/request/bank_request.hpp"

#include <cstdint>

namespace kg::gpu {

/// The tiles of some outputs of an item, row by row. They begin at multiples of the side in the whole
/// request, so that an output has the same bytes whatever is computed beside it.
struct WinogradTiles {
    std::int64_t x, y;          ///< the first output of the first tile
    std::int64_t across, count; ///< tiles of a row, and all
};
WinogradTiles winograd_tiles(const Rect& outputs, int side);

/// What is transformed at a time: the same tiles of every item. They are the columns of matrices, item by
/// item.
struct WinogradPart {
    std::int64_t first, of_item; ///< tiles of an item
    std::int64_t columns, pitch; ///< of all items, and floats from a row to the next, a multiple of four
};
WinogradPart winograd_part(std::int64_t first, std::int64_t of_item, unsigned items);

/// Tiles of an item whose numbers and sums are in scratch at a time: a multiple of four. All parts of the
/// `count` tiles of an item are about as large.
std::int64_t winograd_tiles_at_once(const BankRequest& request, int side, std::int64_t count);

/// Floats of scratch for a tile: the numbers of a group's channels and the sums of its filters, at each point
/// of the transform.
std::int64_t winograd_floats(const BankRequest& request, int side);

/// Whether so few tiles as there may be at a time fit in scratch of moderate size.
bool winograd_fits(const BankRequest& request, int side);

/// The item of a column, and the first output of its tile.
struct WinogradPlace {
    unsigned item;
    std::int64_t p, q;
};
KG_HOST_DEVICE inline WinogradPlace winograd_place(const WinogradTiles& tiles, const WinogradPart& part,
                                                   int side, std::int64_t column) {
    const auto item = static_cast<unsigned>(column) / static_cast<unsigned>(part.of_item);
    const auto tile = part.first + column - item * part.of_item, row = tile / tiles.across;
    return {item, tiles.y + row * side, tiles.x + (tile - row * tiles.across) * side};
}

} // namespace kg::gpu
