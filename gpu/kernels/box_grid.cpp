#include "gpu/kernels/box_grid.hpp"

#include "core/support/parts_of.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kWarp = 32;
constexpr int kResidentWarps = 32; // per multiprocessor, as many as there are registers for

std::int64_t round_up(std::int64_t number, std::int64_t step) { return parts_of(number, step) * step; }

/// The widest tile: one warp's runs, or two where they are short.
int widest_tile(int channels) { return box_runs(channels) * kBoxRun * (channels == 1 ? 1 : 2); }

/// A grid of tiles `width` wide whose rows are not divided yet.
BoxGrid columns_of(const BoxWork& work, int width, int buffers, bool in_scratch) {
    BoxGrid grid{};
    grid.width = width;
    grid.before_x = static_cast<int>(work.x % kBoxRun), grid.before_y = static_cast<int>(work.y % kBoxRows);
    grid.across = static_cast<int>(parts_of(grid.before_x + work.width, width));
    grid.columns = static_cast<int>(round_up((width + work.window_width - 1) * work.channels, kWarp));
    const auto warps = parts_of(grid.columns, kWarp);
    grid.column_warps = static_cast<int>(parts_of(warps, parts_of(warps, kMostColumnWarps)));
    grid.pitch = box_place(work.channels, grid.columns);
    grid.buffers = buffers;
    grid.groups = std::max(box_span(work.window_height, kBoxRows).whole - 1, 0);
    grid.in_scratch = in_scratch;
    return grid;
}

bool fits(const BoxWork& work, const BoxGrid& grid) { return box_bytes(work, grid) <= work.shared_bytes; }

/// Thread blocks that a multiprocessor runs at a time.
std::int64_t resident_blocks(const BoxWork& work, const BoxGrid& grid) {
    const auto by_memory = static_cast<std::int64_t>(work.shared_bytes / box_bytes(work, grid));
    return std::max<std::int64_t>(std::min<std::int64_t>(by_memory, kResidentWarps * kWarp / grid.threads()),
                                  1);
}

/// Divides the columns of tiles into strips, as many as the GPU runs at a time, or some times as many.
void divide_rows(const BoxWork& work, BoxGrid& grid) {
    const auto rows = grid.before_y + work.height;
    const auto at_once = resident_blocks(work, grid) * std::max(work.multiprocessors, 1);
    BoxGrid best{};
    double least = 0;
    for (int waves = 1; waves <= 4; ++waves) {
        const auto down = std::max<std::int64_t>(at_once * waves / (std::int64_t{grid.across} * work.count),
                                                 1);
        grid.rows = static_cast<int>(
            std::min<std::int64_t>(round_up(parts_of(rows, down), kBoxRows), kMostBoxRows));
        grid.blocks = static_cast<int>(grid.across * parts_of(rows, grid.rows));
        const double time = box_microseconds(work, grid);
        if (best.width == 0 || time < least) best = grid, least = time;
    }
    grid = best;
}

} // namespace

BoxGrid box_grid(const BoxWork& one) {
    auto work = one;
    const auto total = work.x % kBoxRun + work.width;
    const int needed = static_cast<int>(
        std::min<std::int64_t>(round_up(total, kBoxRun), widest_tile(work.channels)));
    // Where the sums of a tile of half the width do not fit into shared memory, narrower tiles would read
    // most samples too many times.
    const int half = std::min(needed, widest_tile(work.channels) / 2);
    const bool in_scratch = !fits(work, columns_of(work, half, 2, false));
    if (in_scratch) work.count = 1;
    BoxGrid best{};
    double least = 0;
    for (int widest = needed;; widest = static_cast<int>(round_up(widest / 2, kBoxRun))) {
        const int width = static_cast<int>(round_up(parts_of(total, parts_of(total, widest)), kBoxRun));
        for (const int buffers : {4, 2, 1}) {
            auto grid = columns_of(work, width, buffers, in_scratch);
            if (!fits(work, grid)) continue;
            divide_rows(work, grid);
            const double time = box_microseconds(work, grid);
            if (best.width == 0 || time < least) best = grid, least = time;
        }
        if (widest <= kBoxRun) return best;
    }
}

double box_microseconds(const BoxWork& work, const BoxGrid& grid) {
    // Fitted to an H100, times 0.85, as most of it is the memory's: what an output takes, what a lane takes
    // for it, idle ones included, and what a sample takes that is read for it, the rows before a strip's
    // first window included; steps and groups of rows that wait for the memory; windows summed sample by
    // sample.
    constexpr double kLaunch = 4, kOutput = 2.6e-4, kLane = 0.6e-4, kSample = 1.6e-4;
    constexpr double kStep = 1.3, kGroup = 0.6, kEach = 4.5;
    // The first is a stand-alone prototype's at 257 x 257; the others are not measured.
    constexpr double kInScratch = 1.33, kOneBuffer = 1.5, kFourBuffers = 0.95;
    const double channels = work.channels, rows = grid.rows, columns = grid.width + work.window_width - 1;
    const auto lanes = static_cast<double>(round_up(grid.width, box_runs(work.channels) * kBoxRun));
    double busy = channels * (rows * (kOutput * grid.width + kLane * lanes) +
                              kSample * (rows + work.window_height) * columns);
    if (grid.in_scratch) busy *= kInScratch;
    if (grid.buffers == 1) busy *= kOneBuffer;
    if (grid.buffers == 4) busy *= kFourBuffers;
    if (work.window_height <= kBoxRows || work.window_width <= kBoxRun) busy *= kEach;
    const double waits = kStep * (rows / kBoxRows + 1) + kGroup * (work.window_height / kBoxRows);

    const auto multiprocessors = std::max(work.multiprocessors, 1);
    const auto blocks = std::int64_t{grid.blocks} * work.count,
               at_once = multiprocessors * resident_blocks(work, grid);
    const auto wave = [&](std::int64_t running) {
        return std::max(busy * static_cast<double>(running) / multiprocessors, waits);
    };
    const auto rest = blocks % at_once;
    return kLaunch + static_cast<double>(blocks / at_once) * wave(at_once) +
           (rest > 0 ? std::max(wave(rest), busy) : 0);
}

std::size_t box_bytes(const BoxWork& work, const BoxGrid& grid) {
    const auto along = box_span(work.window_width, kBoxRun);
    const std::int64_t sums = std::int64_t{grid.buffers} * kBoxRows * grid.pitch;
    const std::int64_t of_rows = kBoxRowWarps *
                                 (box_staged(work.channels) + box_run_sums(work.channels, along));
    const int of_column = 1 + (grid.ends_in_scratch() ? 0 : 2) + (grid.in_scratch ? 0 : grid.groups);
    return sizeof(float) * static_cast<std::size_t>(sums + of_rows + std::int64_t{of_column} * grid.columns);
}

std::size_t box_scratch_bytes(const BoxGrid& grid) {
    if (!grid.in_scratch) return 0;
    const auto of_column = static_cast<std::size_t>(grid.groups + (grid.ends_in_scratch() ? 2 : 0));
    return sizeof(float) * of_column * static_cast<std::size_t>(grid.columns) *
           static_cast<std::size_t>(grid.blocks);
}

} // namespace kg::gpu
