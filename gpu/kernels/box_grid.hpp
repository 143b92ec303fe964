#pragma once
// The division of a launch of `box` (gpu/algorithms/box.cu).

#include "core/image/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

inline constexpr int kBoxRows = 8;          // rows of a group, and rows of outputs that are summed at a time
inline constexpr int kBoxRun = 16;          // pixels of a run
inline constexpr int kBoxRowWarps = 8;      // warps of a thread block that sum along the rows, one for each
inline constexpr int kMostColumnWarps = 24; // and down the columns
inline constexpr int kMostBoxGroups = 512;  // groups of rows in a window
inline constexpr int kMostBoxRows = 1024;   // rows of a strip, so that a thread block ends soon after a stop

/// The window along one axis: 1 + rest samples more than `whole` groups of rows, or runs of pixels.
struct BoxSpan {
    int whole, rest;
};
constexpr BoxSpan box_span(int size, int block) { return {(size - 1) / block, (size - 1) % block}; }

/// The window, and the last operations of an output.
struct BoxWindow {
    BoxSpan down, along;
    float weight, divisor, reciprocal; ///< `reciprocal`: 1 / divisor
};

/// Runs of a row that a warp sums at a time: a lane for each and its channel.
KG_HOST_DEVICE constexpr int box_runs(int channels) { return 32 / channels; }

/// Place of a sample in a row of shared memory. Gaps avoid bank conflicts when each lane reads a run.
KG_HOST_DEVICE constexpr int box_place(int channels, int sample) {
    const int every = channels < 3 ? 32 : kBoxRun * channels, gap = channels == 3 ? 13 : channels;
    return sample + gap * (sample / every);
}

/// Floats that a warp of rows has for its outputs, and for its sums of runs.
KG_HOST_DEVICE constexpr int box_staged(int channels) {
    return box_place(channels, box_runs(channels) * kBoxRun * channels);
}
KG_HOST_DEVICE constexpr int box_run_sums(int channels, const BoxSpan& along) {
    return (box_runs(channels) + along.whole) * channels;
}

/// A thread block computes the outputs of a tile. Tiles begin at multiples of kBoxRun and kBoxRows in the
/// image, the first of them up to so many outputs before the rectangle of outputs.
struct BoxGrid {
    int width, rows;        ///< outputs of a tile: multiples of kBoxRun and kBoxRows; no tile fits: 0
    int across, blocks;     ///< tiles side by side; all tiles
    int before_x, before_y; ///< from the first tile's corner to the rectangle of outputs
    int columns;            ///< columns of samples that a tile reads, rounded up to whole warps
    int column_warps;       ///< warps that sum them
    int pitch;              ///< from one row of column sums to the next, in floats
    int buffers;            ///< 2 or 4: half of them are written while rows of the others are summed; or 1
    int groups;             ///< whole groups of rows between the ends of every window
    bool in_scratch;        ///< their sums are in scratch memory

    /// Steps after which warps of columns and of rows meet.
    KG_HOST_DEVICE int steps_at_once() const { return buffers == 4 ? 2 : 1; }
    KG_HOST_DEVICE int threads() const { return 32 * (column_warps + kBoxRowWarps); }
    /// Whether the sums at the end of a column's queue are in scratch memory, too.
    KG_HOST_DEVICE bool ends_in_scratch() const { return in_scratch && buffers == 1; }
};

/// What a division is for: `count` images, of which the outputs from (x, y) on are computed, on a GPU.
struct BoxWork {
    std::int64_t x, y, width, height;
    int channels;
    int window_width, window_height;
    unsigned count;
    int multiprocessors;
    std::size_t shared_bytes; ///< the most that a thread block may use
};

/// The division with the least estimated time. Whether it uses scratch memory, and then how much, does not
/// depend on `count`.
BoxGrid box_grid(const BoxWork& work);

/// Microseconds on an H200 that such a division takes; accurate enough for ranking.
double box_microseconds(const BoxWork& work, const BoxGrid& grid);

/// Shared memory of a thread block; scratch memory of an image.
std::size_t box_bytes(const BoxWork& work, const BoxGrid& grid);
std::size_t box_scratch_bytes(const BoxGrid& grid);

} // namespace kg::gpu
