#pragma once
// The division of a launch of `separable_tiles` (gpu/algorithms/separable_tiles.cu).

#include "core/image/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

inline constexpr int kRun = 16;           // outputs of a column or a row that a lane sums together
inline constexpr int kJobRows = 8;        // rows of a job along the rows: of these a lane has one
inline constexpr int kJobSamples = 64;    // most samples of each of its rows
inline constexpr int kStagedPitch = 68;   // from one of its rows to the next where outputs are staged
inline constexpr int kMostTileWarps = 16; // most warps of a thread block
/// Sizes of a factor. They are odd; for others the code would be twice as long.
inline constexpr int kSmallestFactor = kRun + 1, kLargestFactor = 127;
inline constexpr int kFactorWeights = 128; // weights of each factor, as a launch carries them

/// The size of a factor: kRun * whole + rest.
struct SeparableSpan {
    int whole, rest;
};
constexpr SeparableSpan separable_span(int size) { return {size / kRun, size % kRun}; }

/// Pixels of each row of a job along the rows: four runs of one channel, two of two, or one of several.
KG_HOST_DEVICE constexpr int job_pixels(int channels) {
    return kRun * (channels == 1 ? 4 : channels == 2 ? 2 : 1);
}

/// A thread block computes the outputs of a tile. Tiles begin at the rectangle of outputs.
struct SeparableGrid {
    int width, rows;    ///< outputs of a tile: multiples of job_pixels() and kRun
    int across, blocks; ///< tiles side by side; all tiles
    int column_jobs;    ///< jobs side by side, of 32 columns of samples
    int plane, pitch;   ///< from one channel's column sums to the next's in a row; from row to row
    int source_rows;    ///< rows that a tile reads
    int warps;          ///< warps of a thread block
    SeparableSpan down, along;

    KG_HOST_DEVICE int threads() const { return 32 * warps; }
    /// Place of a column's sums in a row. Its writes and the reads of RowSource hardly meet
    /// in a bank: two lanes do with three channels.
    KG_HOST_DEVICE int place(int channels, int column) const {
        const int pixel = column / channels;
        return (column - pixel * channels) * plane + pixel;
    }
};

/// What a division is for: `count` images, of which so many outputs are computed, on a GPU.
struct SeparableWork {
    std::int64_t width, height;
    int channels;
    int kernel_width, kernel_height;
    unsigned count;
    int multiprocessors;
    std::size_t shared_bytes; ///< the most that a thread block may use
};

/// The division with the least estimated time.
SeparableGrid separable_grid(const SeparableWork& work);

/// Microseconds on an H200 that such a division takes; accurate enough for ranking.
double separable_microseconds(const SeparableWork& work, const SeparableGrid& grid);

/// Shared memory of a thread block: column sums, outputs that are staged, where rows lie in the source.
std::size_t separable_bytes_of(const SeparableGrid& grid);

} // namespace kg::gpu
