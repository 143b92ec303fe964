#include "gpu/kernels/fourier/overlap_save.hpp"

#include "core/image/weights.hpp"
#include "core/request/rounding.hpp"
#include "core/request/separate.hpp"
#include "gpu/runtime/cufft_library.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace kg::gpu {

namespace {

// Measured on an H200: frames laid out, transformed, multiplied, transformed back and written to the image,
// in samples of frames whose width and height are powers of two; in the cache and through the memory. Double
// the bytes take double the time.
constexpr double kSamplesPerUs = 40e3, kSamplesPerUsThroughMemory = 30e3;
constexpr double kFloat64 = 1.72; // times as long as float32, colour weighted by alpha at 15 x 15 and 31 x 31
constexpr double kLaunchesMicroseconds = 12; // launches of one run of tiles through the cache

constexpr int kMostAtOnce = 32768; // limit of a launch's grid
constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::int64_t kMostTiles = std::int64_t{1} << 30;
constexpr int kMostEqualParts = 16; // with more parts, tiles that do not fill the last row waste little

/// A length that cuFFT is fast for: even and from 128 on a multiple of 16, so that a warp's reads of a row
/// are coalesced.
int frame_length(int least) { return smooth_length(least, least < 128 ? 2 : 16, 7); }

/// Time per sample relative to a frame whose length is a power of two, for all five passes. cuFFT's two
/// passes alone took 1.6 times as long for other lengths on an H200, and 2.4 times beyond 1024.
double roughness(int length) {
    if (std::has_single_bit(static_cast<unsigned>(length))) return 1;
    return length <= 1024 ? 1.12 : 1.27;
}

/// Candidate lengths of frames: powers of two, and the lengths needed for a few equal parts of the image's
/// width or height.
std::vector<int> frame_lengths(std::int64_t image, int reach) {
    std::vector<int> all;
    for (int parts = 1; parts <= kMostEqualParts; ++parts) {
        const auto part = (image + parts - 1) / parts;
        if (part + reach - 1 > kLongestFrame) continue;
        const int length = frame_length(static_cast<int>(part) + reach - 1);
        if (length <= kLongestFrame) all.push_back(length);
        if (part == 1) break;
    }
    const auto longest = all.empty() ? kLongestFrame : all.front(); // holds the whole image
    for (int length = 64; length <= longest; length *= 2)
        if (length >= reach) all.push_back(length);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

int tiles_along(std::int64_t image, int tile) { return static_cast<int>((image + tile - 1) / tile); }

struct Work {
    int kernels, channels; ///< channels that are computed
    Precision precision;
    std::size_t cache_bytes, most_bytes;

    bool operator==(const Work&) const = default;
};

/// All that a tiling depends on.
struct TiledImage {
    Extent size;
    int reach_width, reach_height;
    Work work;

    bool operator==(const TiledImage&) const = default;
};

/// Determines how many tiles to take at once, and the total time; false if even one is too many.
bool fill_in(Tiling& t, const Work& work) {
    const double own = work.kernels * work.channels * t.samples() *
                       static_cast<double>(bytes(work.precision));
    if (own > static_cast<double>(work.most_bytes) || std::int64_t{t.across} * t.down > kMostTiles)
        return false;
    // Half of the cache: the transforms' work area and the image need space, too.
    const double room = static_cast<double>(std::min(work.cache_bytes / 2, work.most_bytes));
    const int most = static_cast<int>(std::clamp(room / own, 1.0, static_cast<double>(kMostAtOnce)));
    // One forward transform, and one inverse per kernel; the layout belongs to the former, the result to the
    // latter.
    const double passes = work.channels * (1 + work.kernels) / 2.0;
    const double speed = (own <= room ? kSamplesPerUs : kSamplesPerUsThroughMemory) /
                         (work.precision == Precision::float32 ? 1 : kFloat64) /
                         (roughness(t.frame_width) * roughness(t.frame_height));
    t.microseconds = std::numeric_limits<double>::infinity();
    const auto consider = [&](int at_once) {
        const auto runs = (std::int64_t{t.across} * t.down + at_once - 1) / at_once;
        const double us = static_cast<double>(runs) *
                          (kLaunchesMicroseconds + at_once * passes * t.samples() / speed);
        if (us < t.microseconds) t.microseconds = us, t.at_once = at_once;
    };
    if (t.across > most) { // parts of a row of tiles
        const int parts = (t.across + most - 1) / most;
        consider((t.across + parts - 1) / parts);
        return true;
    }
    const int most_rows = std::min(most / t.across, t.down),
              fewest_runs = (t.down + most_rows - 1) / most_rows;
    for (int runs = fewest_runs; runs <= std::min(fewest_runs + 3, t.down); ++runs)
        consider(t.across * ((t.down + runs - 1) / runs));
    return true;
}

Tiling best_tiling(const TiledImage& image) {
    Tiling best;
    const auto heights = frame_lengths(image.size.height, image.reach_height);
    for (const int width : frame_lengths(image.size.width, image.reach_width))
        for (const int height : heights) {
            Tiling t{width, height, width - image.reach_width + 1, height - image.reach_height + 1};
            t.across = tiles_along(image.size.width, t.tile_width);
            t.down = tiles_along(image.size.height, t.tile_height);
            if (fill_in(t, image.work) && (best.at_once == 0 || t.microseconds < best.microseconds)) best = t;
        }
    return best;
}

/// The largest error of an integer result before rounding (semantics 11), as a fraction of full scale. For
/// floats the later use of the result is unknown.
double most_for_integers(const ImageStep& step) {
    int kernel_sizes = std::numeric_limits<int>::max();
    for (const auto& kernel : step.stages.front().kernels)
        kernel_sizes = std::min(kernel_sizes, kernel.width + kernel.height);
    const double u8 = kShareOfMargin / 64 / 255, u16 = kernel_sizes / 512.0 / 65535;
    return step.out.depth == Depth::u8 ? u8 : step.out.depth == Depth::u16 ? u16 : std::min(u8, u16);
}

/// The largest sum |w| of all kernels.
double largest_sum(const Stage& stage) {
    double largest = 0;
    for (const auto& kernel : stage.kernels) {
        double sum = 0;
        for (const float w : kernel.weights) sum += std::fabs(static_cast<double>(w));
        largest = std::max(largest, sum);
    }
    return largest;
}

/// The largest power of two up to 1 of which all weights, and so all sums of integers, and the divisor are
/// multiples.
double unit_of(const Kernel& kernel) {
    return std::min({1.0, common_unit(kernel.weights), common_unit({&kernel.divisor, 1})});
}

/// Whether later operations amplify errors: rounding to integers, or dividing colour by an alpha that may be
/// small.
bool errors_grow(const ImageStep& step) {
    return step.for_integers || (step.in.premultiplied && step.in.alpha >= 0);
}

bool must_be_fine(const ImageStep& step) { return is_integer(step.out.depth) || errors_grow(step); }

float as_limit(double magnitude) {
    return static_cast<float>(std::min(magnitude, static_cast<double>(std::numeric_limits<float>::max())));
}

} // namespace

bool sums_are_whole(const ImageStep& step) {
    const auto& stage = step.stages.front();
    return is_integer(step.in.depth) && sums_exactly(stage, full_scale(step.in)) &&
           std::ranges::all_of(stage.kernels, [](const Kernel& kernel) {
               return std::isfinite(static_cast<float>(kernel.divisor / unit_of(kernel)));
           });
}

ImageStep with_whole_sums(ImageStep step) {
    auto& stage = step.stages.front();
    if (!sums_are_whole(step)) return step;
    stage.generator = {};
    stage = with_whole_weights(std::move(stage), full_scale(step.in));
    return step;
}

bool float32_suffices(const ImageStep& step, double samples) {
    const double weights = largest_sum(step.stages.front());
    if (weights < 0x1p-60 || weights > 0x1p60) return false; // spectra must not vanish either
    const double bound = fourier_bound(Precision::float32, samples);
    if (sums_are_whole(step)) {
        double unit = 1;
        for (const auto& kernel : step.stages.front().kernels) unit = std::min(unit, unit_of(kernel));
        return bound * weights * full_scale(step.in) < 0.5 * unit;
    }
    if (is_integer(step.in.depth) && sums_exactly(step.stages.front(), full_scale(step.in))) return false;
    if (is_integer(step.out.depth)) // division and the offset take their share
        return bound * absolute_gain(step.stages.front()) <= most_for_integers(step) / 2;
    return !errors_grow(step) && !step.float64_sums;
}

float largest_transformed(const ImageStep& step, double samples) {
    if (is_integer(step.in.depth)) return std::numeric_limits<float>::infinity();
    return as_limit(0x1p120 / (samples * std::max(largest_sum(step.stages.front()), 1.0)));
}

Rect whole_tiles(int tile_width, int tile_height, const Rect& output) {
    const auto x = output.x / tile_width * tile_width, y = output.y / tile_height * tile_height;
    const auto beyond = [](std::int64_t end, int tile) { return (end + tile - 1) / tile * tile; };
    return {x, y, beyond(output.right(), tile_width) - x, beyond(output.bottom(), tile_height) - y};
}

double fourier_bound(Precision precision, double samples) {
    const double eps = precision == Precision::float32
                           ? static_cast<double>(std::numeric_limits<float>::epsilon())
                           : std::numeric_limits<double>::epsilon();
    return 8 * eps * std::log2(std::max(samples, 2.0));
}

std::size_t room_for_frames(std::size_t memory_limit, std::size_t most) {
    return memory_limit == 0 ? most : std::min(most, memory_limit / 5);
}

Tiling tiling_of(const ImageStep& step, Precision precision, std::size_t cache_bytes,
                 std::size_t most_bytes) {
    const auto& stage = step.stages.front();
    const auto r = reach(stage);
    const TiledImage image{step.size,
                           r.left + r.right + 1,
                           r.up + r.down + 1,
                           {static_cast<int>(stage.kernels.size()), std::popcount(computed_channels(step)),
                            precision, cache_bytes, most_bytes}};
    // A plan asks several times, and a slider's drag at every step.
    thread_local std::optional<std::pair<TiledImage, Tiling>> last[2];
    auto& known = last[precision == Precision::float64];
    if (!known || known->first != image) known = {image, best_tiling(image)};
    return known->second;
}

CufftChoice choose_cufft(const ImageStep& step, std::size_t cache_bytes, std::size_t most_bytes) {
    constexpr double kHardlyLonger = 1.25;
    const double weights = largest_sum(step.stages.front()), gain = absolute_gain(step.stages.front());
    const double white = full_scale(step.in);
    CufftChoice choice;
    choice.whole_sums = sums_are_whole(step);
    const auto coarse = tiling_of(step, Precision::float32, cache_bytes, most_bytes),
               fine = tiling_of(step, Precision::float64, cache_bytes, most_bytes);
    const bool has_time = fine.at_once > 0 && fine.microseconds <= kHardlyLonger * coarse.microseconds;
    if (coarse.at_once > 0 && float32_suffices(step, coarse.samples()) && !has_time) {
        choice.tiling = coarse;
        choice.largest_sample = largest_transformed(step, coarse.samples());
    } else {
        choice.precision = Precision::float64;
        choice.tiling = fine;
        if (fine.at_once == 0) {
            choice.why_not = "its transforms would take more than " +
                             std::to_string((most_bytes + kMegabyte - 1) / kMegabyte) +
                             " MB of memory at once";
            return choice;
        }
        const double bound = fourier_bound(Precision::float64, fine.samples());
        const double white_may_be = most_for_integers(step) / 4 / (bound * gain); // infinite without weights
        if (!choice.whole_sums && must_be_fine(step) && is_integer(step.in.depth) && !(white_may_be >= 1)) {
            choice.why_not =
                "its weights add up to so many times the divisor that a transform is not accurate enough";
            return choice;
        }
        choice.largest_sample = as_limit(white * (errors_grow(step) ? white_may_be : 0x1p24));
        choice.noise = bound * weights;
    }
    if (is_integer(step.in.depth)) choice.largest_sample = std::numeric_limits<float>::infinity();
    return choice;
}

double fourier_error(const ImageStep& step) {
    if (is_integer(step.out.depth) || step.for_integers || sums_are_whole(step)) return 0;
    // Where errors grow later, transforms are float64 (float32_suffices()).
    const auto precision = errors_grow(step) ? Precision::float64 : Precision::float32;
    return fourier_bound(precision, static_cast<double>(kLongestFrame) * kLongestFrame) *
           absolute_gain(step.stages.front());
}

} // namespace kg::gpu
