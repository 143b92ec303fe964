#include "gpu/kernels/running_sums.hpp"

#include "core/support/parts_of.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kWarp = 32;
constexpr int kResidentWarps = 12; // per multiprocessor, as many as there are registers for

/// Thread blocks that the GPU runs at a time.
std::int64_t resident_blocks(const RunningWork& work, const RunningGrid& grid) {
    const auto bytes = running_bytes(grid, work.channels, work.bytes_per_sample);
    const auto by_memory = static_cast<std::int64_t>(work.shared_bytes / bytes);
    const std::int64_t by_registers = kResidentWarps * kWarp / grid.threads;
    return std::max(work.multiprocessors, 1) * std::max<std::int64_t>(std::min(by_memory, by_registers), 1);
}

} // namespace

RunningGrid running_grid(const RunningWork& work, const RunningGrid& window) {
    const int pixels = running_pixels(work.channels), at_once = running_rows_at_once(work.bytes_per_sample);
    RunningGrid best{};
    double least = 0;
    for (int threads = kWarp; threads <= kMostRunningThreads; threads *= 2) {
        auto grid = window;
        grid.threads = threads;
        grid.lead = pixels - 1;
        grid.outputs = (threads * pixels - grid.lead - grid.width) / pixels * pixels;
        grid.rows = at_once;
        const auto least_bytes = running_bytes(grid, work.channels, work.bytes_per_sample);
        if (grid.outputs <= 0 || least_bytes > work.shared_bytes) continue;
        // One number of shared memory for each row.
        const auto most_rows = at_once +
                               static_cast<std::int64_t>((work.shared_bytes - least_bytes) / sizeof(int)) /
                                   at_once * at_once;
        grid.across = static_cast<int>(parts_of(work.width, grid.outputs));
        const auto resident = resident_blocks(work, grid);
        // As many waves of thread blocks as there are, and blocks as high as fill them.
        for (int waves = 1; waves <= 4; ++waves) {
            const auto down = std::max<std::int64_t>(
                resident * waves / (std::int64_t{grid.across} * work.count), 1);
            const auto rows = parts_of(parts_of(work.height, down), at_once) * at_once;
            grid.rows = static_cast<int>(std::min(rows, most_rows));
            const double time = running_microseconds(work, grid);
            if (best.threads == 0 || time < least) best = grid, least = time;
        }
    }
    return best;
}

double running_microseconds(const RunningWork& work, const RunningGrid& grid) {
    // Fitted to 120 divisions at 4096 x 4096: a step of two rows takes longer the more warps share a
    // multiprocessor, and the window's first rows take less.
    constexpr double kLaunch = 3, kStep = 0.65, kOfWarp = 0.19, kBegin = 4, kOfHeight = 0.14;
    const double of_format = (work.channels == 3 ? 1.35 : 1) * (work.bytes_per_sample == 1 ? 1 : 1.6);
    const auto blocks = std::int64_t{grid.across} * parts_of(work.height, grid.rows) * work.count;
    const int warps = grid.threads / kWarp;
    const auto resident = resident_blocks(work, grid);
    const auto whole_waves = blocks / resident, rest = blocks % resident;
    const auto step = [&](std::int64_t of) {
        return kStep + kOfWarp * static_cast<double>(parts_of(of, std::max(work.multiprocessors, 1)) * warps);
    };
    const double steps = grid.rows / 2.0 + kBegin + kOfHeight * grid.height;
    return kLaunch + of_format * steps *
                         (static_cast<double>(whole_waves) * step(resident) + (rest > 0 ? step(rest) : 0));
}

void set_lead(RunningGrid& grid, int lead, int channels) {
    const int pixels = running_pixels(channels), of_pixel = channels == 1 ? 1 : 4;
    const auto place = [&](int pixel) {
        return pixel / pixels * running_pitch(channels) + pixel % pixels * of_pixel;
    };
    grid.lead = lead;
    for (int p = 0; p < pixels; ++p) {
        grid.before[p] = place(lead + p);
        grid.behind[p] = place(lead + grid.width + p);
    }
}

std::size_t running_bytes(const RunningGrid& grid, int channels, std::size_t bytes_per_sample) {
    const int warps = grid.threads / kWarp;
    const int words = running_rows_at_once(bytes_per_sample) *
                          (grid.threads * running_pitch(channels) + warps * channels) +
                      grid.threads * running_pixels(channels) + running_rows(grid);
    return sizeof(int) * static_cast<std::size_t>(words);
}

} // namespace kg::gpu
