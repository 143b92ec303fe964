#pragma once
// Borders: what lies outside the image (semantics 2). One index function for host and device, for any radius
// and any size.

#include "core/image/host_device.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace kg {

enum class Border : std::uint8_t {
    zero,       ///< 00|abcd|00
    replicate,  ///< aa|abcd|dd
    reflect,    ///< ba|abcd|dc   the edge pixel is repeated (numpy "symmetric")
    reflect101, ///< cb|abcd|cb   the edge pixel is the mirror (the default)
    wrap,       ///< cd|abcd|ab
    constant,   ///< kk|abcd|kk   with the pixel k of the request (ImageRequest::outside)
};

/// The borders that need no pixel of their own.
inline constexpr std::array kBorders{Border::zero, Border::replicate, Border::reflect, Border::reflect101,
                                     Border::wrap};

constexpr std::string_view name(Border border) {
    constexpr std::string_view names[] = {"zero", "replicate", "reflect", "reflect101", "wrap", "constant"};
    return names[static_cast<int>(border)];
}

/// Maps index i along an axis of n >= 1 pixels to a pixel of the image: 0 to n - 1, or -1 where there
/// is none: under `zero` and `constant`.
template <typename Int>
KG_HOST_DEVICE constexpr Int border_index(Border border, Int i, Int n) {
    if (i >= 0 && i < n) return i;
    Int back = 0; // pixels of a period in reverse order
    switch (border) {
    case Border::zero:
    case Border::constant: return -1;
    case Border::replicate: return i < 0 ? 0 : n - 1;
    case Border::reflect: back = n; break;
    case Border::reflect101: back = n - 2; break;
    case Border::wrap: break;
    }
    if (n == 1) return 0;
    const Int period = n + back; // one division for all borders: on a GPU it is most of this function's code
    Int m = i % period;
    if (m < 0) m += period;
    return m < n ? m : period - m - (border == Border::reflect ? 1 : 0);
}

static_assert(border_index(Border::zero, -1, 4) == -1 && border_index(Border::zero, 4, 4) == -1);
static_assert(border_index(Border::replicate, -1, 4) == 0 && border_index(Border::replicate, 4, 4) == 3);
static_assert(border_index(Border::reflect, -1, 4) == 0 && border_index(Border::reflect, 4, 4) == 3);
static_assert(border_index(Border::reflect101, -1, 4) == 1 && border_index(Border::reflect101, 4, 4) == 2);
static_assert(border_index(Border::wrap, -1, 4) == 3 && border_index(Border::wrap, 4, 4) == 0);
static_assert(border_index(Border::reflect101, -7, 1) == 0 && border_index(Border::reflect, 9, 1) == 0);
static_assert(border_index(Border::reflect101, 13, 3) == 1 && border_index(Border::wrap, -7, 3) == 2);

/// Half-open range of indices.
struct Span {
    std::int64_t begin = 0, end = 0;
    constexpr bool operator==(const Span&) const = default;
};

/// The smallest range of pixels on an axis of n pixels that contains every pixel to which the indices
/// [reach.begin, reach.end) map. Never empty, so that buffers always exist: under `zero` and
/// `constant`, a reach entirely outside the image yields the nearest pixel.
constexpr Span border_span(Border border, Span reach, std::int64_t n) {
    const auto pixel = [&](std::int64_t i) {
        const auto index = border_index(border, i, n);
        return index < 0 ? border_index(Border::replicate, i, n) : index;
    };
    Span span{std::max<std::int64_t>(reach.begin, 0), std::min(reach.end, n)};
    if (span.begin >= span.end) span = {pixel(reach.begin), pixel(reach.begin) + 1};
    const auto include = [&](std::int64_t begin, std::int64_t end) {
        for (auto i = begin; i < end; ++i) {
            span.begin = std::min(span.begin, pixel(i));
            span.end = std::max(span.end, pixel(i) + 1);
        }
    };
    // Outside the image every border repeats after at most 2n indices, so further indices add no pixels.
    const auto left_end = std::min<std::int64_t>(reach.end, 0), right_begin = std::max(reach.begin, n);
    include(std::max(reach.begin, left_end - 2 * n), left_end);
    include(right_begin, std::min(reach.end, right_begin + 2 * n));
    return span;
}

static_assert(border_span(Border::reflect101, {-5, 1}, 10) == Span{0, 6});
static_assert(border_span(Border::wrap, {-1, 3}, 10) == Span{0, 10} &&
              border_span(Border::wrap, {3, 5}, 10) == Span{3, 5});
static_assert(border_span(Border::zero, {-9, -4}, 10) == Span{0, 1});

} // namespace kg
