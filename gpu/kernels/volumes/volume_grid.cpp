#include "core/support/parts_of.hpp"
#include "gpu/kernels/volumes/dense_tile.hpp"
#include "gpu/kernels/volumes/stencil_march.hpp"
#include "gpu/kernels/volumes/time_tile.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kFewestLaneBits = 1, kMostLaneBits = 5; // two threads to a warp

/// Blocks with chunks of slices: so many in all if there are, and chunks of at least `fewest` slices.
VolumeBlocks with_chunks(VolumeBlocks blocks, std::int64_t depth, std::int64_t wanted, std::int64_t fewest) {
    const auto deep = std::clamp<std::int64_t>(parts_of(wanted, blocks.count()), 1, parts_of(depth, fewest));
    blocks.deep = parts_of(depth, parts_of(depth, deep));
    return blocks;
}

} // namespace

VolumeTile volume_tile(std::int64_t width) {
    VolumeTile tile{kFewestLaneBits};
    while (tile.lane_bits < kMostLaneBits && tile.columns() < width) ++tile.lane_bits;
    return tile;
}

VolumeBlocks march_blocks(const VolumeExtent& size, int multiprocessors) {
    constexpr std::int64_t kBlocksPerMultiprocessor = 12, // four waves
        kFewestSlices = 4;                                // two more are loaded
    const auto tile = volume_tile(size.width);
    return with_chunks({parts_of(size.width, tile.columns()), parts_of(size.height, tile.rows()), 1},
                       size.depth, multiprocessors * kBlocksPerMultiprocessor, kFewestSlices);
}

TimeBlocks time_blocks(const VolumeExtent& size, int multiprocessors) {
    constexpr std::int64_t kBlocksPerMultiprocessor = 4,
                           kFewestSlices = 8; // four more are loaded, and two more first steps
    constexpr int kFewestTimeLaneBits = 2;    // the first and the last thread of a row write nothing
    TimeBlocks best{};
    for (int bits = kFewestTimeLaneBits; bits <= kMostLaneBits; ++bits) {
        TimeGrid grid{{bits, kTimeThreads}, 0, 0, 0};
        const VolumeBlocks blocks{parts_of(size.width, grid.columns()), parts_of(size.height, grid.rows()),
                                  1};
        if (best.blocks.count() == 0 || blocks.count() <= best.blocks.count()) best = {grid, blocks};
    }
    best.blocks = with_chunks(best.blocks, size.depth, multiprocessors * kBlocksPerMultiprocessor,
                              kFewestSlices);
    best.grid.across = static_cast<std::uint32_t>(best.blocks.across);
    best.grid.down = static_cast<std::uint32_t>(best.blocks.down);
    best.grid.chunk = march_chunk(size, best.blocks);
    return best;
}

std::int64_t march_chunk(const VolumeExtent& size, const VolumeBlocks& blocks) {
    return parts_of(size.depth, blocks.deep);
}

DenseRuns dense_runs(int width) {
    if (width <= kMostDenseTaps) return {width, 1};
    // Runs begin at multiples of 16 bytes.
    const auto fours = static_cast<int>(parts_of(width, 4));
    return fours % 2 == 0 ? DenseRuns{8, fours / 2} : DenseRuns{4, fours};
}

DenseLaunch dense_launch(const VolumeExtent& size, const VolumeBox& box, int multiprocessors,
                         std::size_t shared_bytes) {
    constexpr std::size_t kMostSharedBytes = std::size_t{96} << 10; // two blocks of a multiprocessor
    constexpr std::int64_t kBlocksPerMultiprocessor = 2;
    const auto budget = std::min(kMostSharedBytes, shared_bytes);
    DenseGrid grid{box, volume_tile(size.width), 0, 0, kDenseSlices, 0, 0, 0, 1};
    const auto [taps, runs] = dense_runs(box.width);
    grid.taps = taps, grid.runs = runs;
    const auto fit = [&] {
        const int window = (taps + kVolumeColumns - 1 + 3) / 4 * 4; // of the last run of the last thread
        grid.cells = grid.tile.columns() - kVolumeColumns + (runs - 1) * taps + window;
        return grid.shared_bytes() <= budget;
    };
    while (!fit() && grid.tile.lane_bits < kMostLaneBits) ++grid.tile.lane_bits; // fewer rows
    const auto blocks_of = [&] {
        return VolumeBlocks{parts_of(size.width, grid.tile.columns()),
                            parts_of(size.height, grid.tile.rows()), parts_of(size.depth, grid.slices)};
    };
    if (blocks_of().count() < multiprocessors * kBlocksPerMultiprocessor) grid.slices = 1;
    while (grid.chunk < box.height) {
        ++grid.chunk;
        if (grid.shared_bytes() <= budget) continue;
        --grid.chunk;
        break;
    }
    const auto blocks = blocks_of();
    grid.across = static_cast<std::uint32_t>(blocks.across);
    grid.down = static_cast<std::uint32_t>(blocks.down);
    return {grid, blocks};
}

} // namespace kg::gpu
