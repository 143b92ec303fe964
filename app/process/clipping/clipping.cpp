#include "app/process/clipping/clipping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace kg {

namespace {

/// The smallest and the largest number that the format holds after rounding.
std::pair<float, float> held_by(const PixelFormat& format) {
    constexpr float kLargestHalf = 65520; // above it, the nearest half float would be beyond 65504
    switch (format.depth) {
    case Depth::u8:
    case Depth::u16: return {-0.5f, static_cast<float>(full_scale(format)) + 0.5f};
    case Depth::f16: return {-kLargestHalf, kLargestHalf};
    case Depth::f32:
    case Depth::f64: break;
    }
    return {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
}

} // namespace

ImageRequest unclamped(ImageRequest request) {
    request.out.scale = static_cast<float>(full_scale(request.out));
    request.out.depth = Depth::f32;
    return request;
}

void count_clipped(const ImageRequest& request, const ConstImageView& numbers, Clipping& sum) {
    const auto& format = request.out;
    const auto [lowest, highest] = held_by(format);
    const auto computed = computed_channels(request) & ~(format.alpha >= 0 ? 1u << format.alpha : 0u);
    const auto size = numbers.size;
    for (std::int64_t y = 0; y < size.height; ++y) {
        const auto* row = numbers.row<float>(y);
        for (std::int64_t x = 0; x < size.width; ++x, row += format.channels) {
            bool below = false, above = false, not_finite = false;
            for (int c = 0; c < format.channels; ++c) {
                if (!(computed >> c & 1u)) continue;
                auto& samples = sum.channels[static_cast<std::size_t>(c)];
                samples.below += row[c] < lowest;
                samples.above += row[c] > highest;
                below = below || row[c] < lowest;
                above = above || row[c] > highest;
                not_finite = not_finite || !std::isfinite(row[c]);
            }
            sum.below += below;
            sum.above += above;
            sum.not_finite += not_finite;
        }
    }
    sum.pixels += size.width * size.height;
}

bool has_not_finite(const ConstImageView& image) {
    if (image.format.depth != Depth::f32) return false;
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        const std::span samples(image.row<float>(y),
                                static_cast<std::size_t>(image.size.width * image.format.channels));
        if (!std::ranges::all_of(samples, [](float v) { return std::isfinite(v); })) return true;
    }
    return false;
}

} // namespace kg
