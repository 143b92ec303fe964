#pragma once
// The division of a launch of `running_sums` (gpu/algorithms/running_sums.cu).

#include "gpu/kernels/stage.hpp"
#include "gpu/kernels/tensor/integer_sums.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

inline constexpr int kMostRunningThreads = 256, kMostRunningPixels = 16;

/// Neighbouring pixels of a row that a thread owns.
constexpr int running_pixels(int channels) { return channels == 1 ? kMostRunningPixels : 8; }

/// Rows of outputs that a thread block computes at a time.
constexpr int running_rows_at_once(std::size_t bytes_per_sample) { return bytes_per_sample == 1 ? 2 : 1; }

/// Prefix sums of a thread and the gap behind them, which keeps threads from meeting in a bank of shared
/// memory. Pixels of several channels have four of them, read at once.
constexpr int running_pitch(int channels) { return channels == 1 ? 17 : 36; }

/// Pixels, unless stated otherwise.
struct RunningGrid {
    int threads;       ///< threads of a thread block
    int across;        ///< thread blocks in a row
    int outputs;       ///< outputs of a thread block in a row: those of whole threads
    int rows;          ///< output rows of a thread block
    int lead;          ///< from the first pixel of a thread block to its first window
    int width, height; ///< the window
    bool wide_loads;   ///< threads load their pixels at once
    bool averages;     ///< and store them at once: of all channels, each at most full scale
    SumFinish finish;
    /// From a thread's first prefix sum to those before its windows and to those behind their last pixels.
    int before[kMostRunningPixels], behind[kMostRunningPixels];
};

/// Rows of the source that a thread block may load: those of its windows, the one above them, and those that
/// it loads ahead.
__host__ __device__ constexpr int running_rows(const RunningGrid& grid) {
    constexpr int kAhead = 4;
    return grid.rows + grid.height + kAhead;
}

/// What a division is for: `count` images of `width` x `height` outputs, on a GPU.
struct RunningWork {
    std::int64_t width, height;
    int channels;
    std::size_t bytes_per_sample;
    unsigned count;
    int multiprocessors;
    std::size_t shared_bytes; ///< the most that a thread block may use
};

/// The division with the least estimated time, without what depends on addresses; `lead` is the most
/// possible. No threads: no thread block holds the window.
RunningGrid running_grid(const RunningWork& work, const RunningGrid& window);

/// Microseconds on an H200 that such a division takes; accurate enough for ranking.
double running_microseconds(const RunningWork& work, const RunningGrid& grid);

/// Sets lead, and with it the places of prefix sums.
void set_lead(RunningGrid& grid, int lead, int channels);

/// Shared memory of a thread block.
std::size_t running_bytes(const RunningGrid& grid, int channels, std::size_t bytes_per_sample);

} // namespace kg::gpu
