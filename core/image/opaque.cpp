#include "core/image/opaque.hpp"

#include "core/request/rounding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace kg {

namespace {

/// What rounding leaves of weights that are meant to add up to the divisor: each of them, and the divisor, by half a last place.
constexpr double kRounded = 0x1p-22;

/// A piece holds whole pixels of one, two, four and eight bytes, so that in all pieces the same bytes are alpha's.
using Piece = std::array<std::uint64_t, 8>;

template <typename Sample>
bool row_is_opaque(const ConstImageView& picture, std::int64_t y) {
    constexpr auto kFull = static_cast<Sample>(~Sample{0});
    const auto channels = static_cast<std::size_t>(picture.format.channels),
               count = static_cast<std::size_t>(picture.size.width) * channels,
               alpha = static_cast<std::size_t>(picture.format.alpha);
    const auto* samples = picture.row<Sample>(y);
    constexpr std::size_t kSamples = sizeof(Piece) / sizeof(Sample);
    std::size_t at = 0;
    if (std::has_single_bit(channels)) {
        Piece all;
        all.fill(~std::uint64_t{0});
        for (; at + kSamples <= count; at += kSamples) {
            Piece some;
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

/// Gain 1 but for roundings, or a stage that copies alpha.
bool leaves_opaque(const Stage& stage) {
    return !filters_alpha(stage) || std::fabs(dc_gain(stage) - 1) <= kRounded;
}

} // namespace

bool is_opaque(const ConstImageView& picture) {
    const auto depth = picture.format.depth;
    if (picture.format.alpha < 0 || !is_integer(depth)) return false;
    for (std::int64_t y = 0; y < picture.size.height; ++y)
        if (!(depth == Depth::u8 ? row_is_opaque<std::uint8_t>(picture, y)
                                 : row_is_opaque<std::uint16_t>(picture, y)))
            return false;
    return true;
}

ImageRequest for_opaque(ImageRequest request) {
    if (!uses_coverage(request) || request.border == Border::zero || request.in.premultiplied ||
        request.out.premultiplied || !std::ranges::all_of(request.stages, leaves_opaque))
        return request;
    // As one more channel alpha goes with the colours in the same words; it comes out full where it is rounded to whole numbers.
    const bool comes_out_full = is_integer(request.out.depth) &&
                                std::ranges::all_of(request.stages, filters_alpha);
    request.alpha = comes_out_full ? AlphaMode::straight : AlphaMode::keep;
    if (needs_float64(request))
        request.alpha = AlphaMode::premultiplied; // whose sums may be coarser, and quicker
    return request;
}

std::string reason_with_alpha(std::string reason, bool opaque) {
    return std::move(reason) + (opaque ? "; alpha is full everywhere: filtered without coverage" : "");
}

} // namespace kg
