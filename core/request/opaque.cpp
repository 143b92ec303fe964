#include "core/request/opaque.hpp"

#include "core/request/rounding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace kg {

namespace {

/// The rounding error of weights that are meant to sum to the divisor: half a last place of each weight and
/// of the divisor.
constexpr double kRounded = 0x1p-22;

/// A word block holds whole pixels of one, two, four or eight bytes, so that alpha has the same bytes in
/// every block.
using WordBlock = std::array<std::uint64_t, 8>;

template <typename Sample>
bool row_is_opaque(const ConstImageView& image, std::int64_t y) {
    constexpr auto kFull = static_cast<Sample>(~Sample{0});
    const auto channels = static_cast<std::size_t>(image.format.channels),
               count = static_cast<std::size_t>(image.size.width) * channels,
               alpha = static_cast<std::size_t>(image.format.alpha);
    const auto* samples = image.row<Sample>(y);
    constexpr std::size_t kSamples = sizeof(WordBlock) / sizeof(Sample);
    std::size_t at = 0;
    if (std::has_single_bit(channels)) {
        WordBlock all;
        all.fill(~std::uint64_t{0});
        for (; at + kSamples <= count; at += kSamples) {
            WordBlock some;
            std::memcpy(some.data(), samples + at, sizeof(some));
            for (std::size_t i = 0; i < all.size(); ++i) all[i] &= some[i];
        }
        const auto together = std::bit_cast<std::array<Sample, kSamples>>(all);
        for (auto i = alpha; i < kSamples; i += channels)
            if (together[i] != kFull) return false;
    }
    for (at += alpha; at < count; at += channels)
        if (samples[at] != kFull) return false;
    return true;
}

/// True if the gain is 1 up to rounding, or the stage copies alpha.
bool leaves_opaque(const Stage& stage) {
    return !filters_alpha(stage) || std::fabs(dc_gain(stage) - 1) <= kRounded;
}

/// True if nothing transparent lies outside an opaque image.
bool border_is_opaque(const ImageRequest& request) {
    if (request.border != Border::constant) return request.border != Border::zero;
    return outside_pixel(request)[static_cast<std::size_t>(request.in.alpha)] == full_scale(request.in);
}

} // namespace

bool is_opaque(const ConstImageView& image) {
    const auto depth = image.format.depth;
    if (image.format.alpha < 0 || !is_integer(depth)) return false;
    for (std::int64_t y = 0; y < image.size.height; ++y)
        if (!(depth == Depth::u8 ? row_is_opaque<std::uint8_t>(image, y)
                                 : row_is_opaque<std::uint16_t>(image, y)))
            return false;
    return true;
}

ImageRequest for_opaque(ImageRequest request) {
    if (!is_alpha_weighted(request) || !border_is_opaque(request) || request.in.premultiplied ||
        request.out.premultiplied || !std::ranges::all_of(request.stages, leaves_opaque))
        return request;
    // Alpha is computed like the colour channels, in the same vectors. It is full after rounding to integers.
    const bool comes_out_full = is_integer(request.out.depth) &&
                                std::ranges::all_of(request.stages, filters_alpha);
    request.alpha = comes_out_full ? AlphaMode::straight : AlphaMode::keep;
    // Sums of premultiplied colour may be coarser and therefore faster.
    if (needs_float64(request)) {
        const auto plain = std::exchange(request.alpha, AlphaMode::premultiplied);
        if (needs_float64(request)) request.alpha = plain;
    }
    return request;
}

bool depends_on_opaque(const ImageRequest& request) { return for_opaque(request).alpha != request.alpha; }

std::string reason_with_alpha(std::string reason, bool opaque) {
    return std::move(reason) + (opaque ? "; alpha is full everywhere: filtered without alpha weighting" : "");
}

} // namespace kg
