#include "gpu/kernels/fourier/fourier_frames.hpp"

#include "gpu/kernels/fourier/overlap_save.hpp"

#include <algorithm>
#include <bit>

namespace kg::gpu {

namespace {

// Measured on an H200 (docs/performance.md) for one frame size each: numbers of frames per microsecond, in
// both directions.
struct FrameSpeed {
    int size;
    double numbers_per_us;
};
constexpr FrameSpeed kSpeeds[] = {{256, 104e3}, {512, 81.7e3}, {1024, 63.5e3}, {2048, 42.7e3}};
constexpr double kApartNumbersPerUs = 696e3; // additional cost of pairs whose planes lie in two tiles
constexpr double kBytesPerUs = 2.57e6;       // image and result
constexpr double kFixedMicroseconds = 14;    // per call
constexpr double kMicrosecondsOfRun = 6;     // its three launches
// Limit for frames in memory at once. Larger than the cache: frames that fit into the cache were 1.4 times
// slower, because three launches of 20 us each leave part of the GPU idle at their ends.
constexpr std::size_t kMostBytesAtOnce = std::size_t{400} << 20;
// Larger frames are compiled for floats alone, to and from which other samples are converted.
constexpr int kLargestOfIntegers = 1024;
constexpr std::size_t kBytesOfNumber = 2 * sizeof(float);

} // namespace

bool by_channel(const ImageStep& step) { return !is_integer(step.in.depth); }

int tiles_of_group(const ImageStep& step) {
    return tiles_of_group(std::popcount(computed_channels(step)), by_channel(step));
}

int pairs_of_group(const ImageStep& step) {
    return std::popcount(computed_channels(step)) * tiles_of_group(step) / 2;
}

FourierFrames choose_frames(const ImageStep& step, std::size_t memory_limit) {
    const auto all = reach(step.stages.front());
    const int width = all.left + all.right + 1, height = all.up + all.down + 1;
    const auto room = room_for_frames(memory_limit, kMostBytesAtOnce);
    const double fixed = kFixedMicroseconds +
                         static_cast<double>(step.size.width * step.size.height) *
                             static_cast<double>(bytes_per_pixel(step.in) + bytes_per_pixel(step.out)) /
                             kBytesPerUs;
    const double apart = tiles_of_group(step) == 1 ? 0 : 1 / kApartNumbersPerUs;
    const bool floats = step.in.depth == Depth::f32 && step.out.depth == Depth::f32;
    FourierFrames best;
    for (const auto& speed : kSpeeds) {
        const auto numbers = static_cast<std::size_t>(speed.size) * static_cast<std::size_t>(speed.size) *
                             static_cast<std::size_t>(pairs_of_group(step)), // pairs of a group
            bytes = numbers * kBytesOfNumber;
        if (std::max(width, height) > speed.size * 3 / 4 || bytes > room) continue;
        if (speed.size > kLargestOfIntegers && !floats) continue;
        FourierFrames own{speed.size, speed.size - width + 1, speed.size - height + 1};
        const auto along = [](std::int64_t image, int tile) { return (image + tile - 1) / tile; };
        const auto groups = along(step.size.width, own.tile_width * tiles_of_group(step)) *
                            along(step.size.height, own.tile_height);
        const auto most = static_cast<std::int64_t>(room / bytes), runs = (groups + most - 1) / most;
        own.at_once = static_cast<int>((groups + runs - 1) / runs);
        own.microseconds = fixed + static_cast<double>(runs) * kMicrosecondsOfRun +
                           static_cast<double>(groups) * static_cast<double>(numbers) *
                               (1 / speed.numbers_per_us + apart);
        if (own.microseconds < best.microseconds) best = own;
    }
    return best;
}

} // namespace kg::gpu
