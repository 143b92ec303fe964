#include "gpu/kernels/separable_grid.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

constexpr int kWarp = 32;
constexpr int kResidentWarps = 32; // per multiprocessor, as many as there are registers for
constexpr int kTileWarps = 12;     // most warps of one of several resident thread blocks

constexpr int quotient_up(std::int64_t number, std::int64_t step) {
    return static_cast<int>((number + step - 1) / step);
}

/// A row of column sums ends 16 bytes behind a multiple of the banks, and channels lie side by side in them.
void place_sums(SeparableGrid& grid, int channels) {
    const int beside = channels == 1 ? 0 : channels == 2 ? 16 : channels == 3 ? 12 : 8;
    grid.plane = quotient_up(grid.column_jobs * kWarp, channels);
    while (grid.plane % kWarp != beside) ++grid.plane;
    grid.pitch = quotient_up(channels * grid.plane, kWarp) * kWarp + 4;
}

/// Thread blocks that a multiprocessor runs at a time.
int resident_blocks(const SeparableWork& work, const SeparableGrid& grid) {
    constexpr std::size_t kReserved = 1 << 10; // bytes that CUDA reserves in each block
    const auto by_memory = static_cast<int>((work.shared_bytes + kReserved) /
                                            (separable_bytes_of(grid) + kReserved));
    return std::max(std::min(by_memory, kResidentWarps / grid.warps), 1);
}

/// As many warps as have the same number of jobs down the columns.
int warps_for(const SeparableGrid& grid, int most) {
    const int jobs = grid.column_jobs * (grid.rows / kRun);
    return quotient_up(jobs, quotient_up(jobs, most));
}

SeparableGrid tiles_of(const SeparableWork& work, int width, int rows) {
    SeparableGrid grid{};
    grid.width = width, grid.rows = rows;
    grid.across = quotient_up(work.width, width);
    grid.blocks = grid.across * quotient_up(work.height, rows);
    grid.column_jobs = quotient_up(std::int64_t{width + work.kernel_width - 1} * work.channels, kWarp);
    grid.source_rows = rows + work.kernel_height - 1;
    grid.down = separable_span(work.kernel_height), grid.along = separable_span(work.kernel_width);
    place_sums(grid, work.channels);
    grid.warps = warps_for(grid, kTileWarps);
    if (resident_blocks(work, grid) > 1) return grid;
    for (const int most : {kMostTileWarps, kTileWarps / 2, kTileWarps / 3}) { // each has memory of its own
        grid.warps = warps_for(grid, most);
        if (separable_bytes_of(grid) <= work.shared_bytes) break;
    }
    return grid;
}

/// Jobs along the rows side by side in the widest tile: of those that were measured, the fastest.
int widest_jobs(const SeparableWork& work) {
    const int k = work.kernel_width;
    const int jobs = work.channels == 1 ? (k <= 33   ? 4
                                           : k <= 65 ? 5
                                                     : 8)
                                        : (k <= 33   ? 8
                                           : k <= 47 ? 7
                                           : k <= 65 ? 6
                                                     : 8);
    return static_cast<int>(std::min<std::int64_t>(jobs, quotient_up(work.width, job_pixels(work.channels))));
}

/// Whether a division has two thread blocks for each multiprocessor.
bool is_enough(const SeparableWork& work, const SeparableGrid& grid) {
    return std::int64_t{grid.blocks} * work.count >= 2 * std::int64_t{work.multiprocessors};
}

} // namespace

SeparableGrid separable_grid(const SeparableWork& work) {
    SeparableGrid best{};
    double least = 0;
    for (const int rows : {2 * kRun, kRun})
        for (int jobs = widest_jobs(work); jobs > 0; --jobs) {
            const auto grid = tiles_of(work, jobs * job_pixels(work.channels), rows);
            if (separable_bytes_of(grid) > work.shared_bytes) continue;
            // The largest tiles were measured. Others are for images that have too few of them.
            if (best.width > 0 && is_enough(work, best)) return best;
            const double time = separable_microseconds(work, grid);
            if (best.width == 0 || time < least) best = grid, least = time;
        }
    return best;
}

double separable_microseconds(const SeparableWork& work, const SeparableGrid& grid) {
    // Fitted at 4096 x 4096 on an H100: what one multiprocessor takes for a sample that is read and written,
    // times 0.8 for the memory of an H200, and for a tap of a sample.
    constexpr double kLaunch = 4, kSample = 3.7e-4, kTap = 7.8e-6;
    // Not measured: how long a thread block waits for its first rows, and how much slower few warps are.
    constexpr double kLatency = 2, kManyWarps = 20, kFewWarps = 0.4;
    const double outputs = static_cast<double>(grid.rows) * grid.width * work.channels,
                 columns = static_cast<double>(grid.column_jobs) * kWarp;
    const double taps = grid.rows * columns * work.kernel_height + outputs * work.kernel_width;
    const double per_multiprocessor = std::max(
        static_cast<double>(grid.blocks) * work.count / std::max(work.multiprocessors, 1), 1.0);
    const double warps = grid.warps * std::min<double>(resident_blocks(work, grid), per_multiprocessor);
    const double slower = std::pow(std::max(kManyWarps / warps, 1.0), kFewWarps);
    const double busy = std::cbrt(std::pow(kSample * outputs, 3) + std::pow(kTap * taps * slower, 3));
    return kLaunch + kLatency + busy * per_multiprocessor;
}

std::size_t separable_bytes_of(const SeparableGrid& grid) {
    return sizeof(float) * static_cast<std::size_t>(grid.rows * grid.pitch +
                                                    grid.warps * kJobRows * kStagedPitch + grid.source_rows);
}

} // namespace kg::gpu
