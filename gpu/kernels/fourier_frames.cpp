#include "gpu/kernels/fourier_frames.hpp"

#include "gpu/kernels/overlap_save.hpp"

#include <algorithm>
#include <bit>

namespace kg::gpu {

namespace {

// Of an H200 (docs/performance.md), for one size of frames each: numbers of frames in a microsecond, there and back.
struct FrameSpeed {
    int size;
    double numbers_per_us;
};
constexpr FrameSpeed kSpeeds[] = {{256, 104e3}, {512, 81.7e3}, {1024, 63.5e3}};
constexpr double kApartNumbersPerUs = 696e3; // which those take longer whose planes lie in two tiles
constexpr double kBytesPerUs = 2.57e6;       // of the picture and of the result
constexpr double kFixedMicroseconds = 14;    // of a call
constexpr double kMicrosecondsOfRun = 6;     // of its three launches
// Of the frames that go through at once. Not so few that the cache would hold them: that was 1.4 times slower, because three
// launches of 20 us each leave a part of the GPU idle at their ends.
constexpr std::size_t kMostBytesAtOnce = std::size_t{400} << 20;
constexpr std::size_t kBytesOfNumber = 2 * sizeof(float);

} // namespace

bool by_channel(const ImageRequest& step) { return !is_integer(step.in.depth); }

int tiles_of_group(const ImageRequest& step) {
    return tiles_of_group(std::popcount(computed_channels(step)), by_channel(step));
}

int pairs_of_group(const ImageRequest& step) {
    return std::popcount(computed_channels(step)) * tiles_of_group(step) / 2;
}

FourierFrames choose_frames(const ImageRequest& step, std::size_t memory_limit) {
    const auto all = reach(step.stages.front());
    const int width = all.left + all.right + 1, height = all.up + all.down + 1;
    const auto room = room_for_frames(memory_limit, kMostBytesAtOnce);
    const double fixed = kFixedMicroseconds +
                         static_cast<double>(step.size.width * step.size.height) *
                             static_cast<double>(bytes_per_pixel(step.in) + bytes_per_pixel(step.out)) /
                             kBytesPerUs;
    const double apart = tiles_of_group(step) == 1 ? 0 : 1 / kApartNumbersPerUs;
    FourierFrames best;
    for (const auto& speed : kSpeeds) {
        const auto numbers = static_cast<std::size_t>(speed.size) * static_cast<std::size_t>(speed.size) *
                             static_cast<std::size_t>(pairs_of_group(step)), // of a group
            bytes = numbers * kBytesOfNumber;
        if (std::max(width, height) > speed.size * 3 / 4 || bytes > room) continue;
        FourierFrames own{speed.size, speed.size - width + 1, speed.size - height + 1};
        const auto along = [](std::int64_t picture, int tile) { return (picture + tile - 1) / tile; };
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
