#pragma once
// Extents and rectangles in pixels. 64 bits throughout, because images of 2^31 pixels are supported.

#include "core/image/host_device.hpp"

#include <algorithm>
#include <cstdint>

namespace kg {

struct Extent {
    std::int64_t width = 0, height = 0;

    constexpr bool operator==(const Extent&) const = default;
};

/// Half-open: columns [x, x + width), rows [y, y + height).
struct Rect {
    std::int64_t x = 0, y = 0, width = 0, height = 0;

    constexpr std::int64_t right() const { return x + width; }
    constexpr std::int64_t bottom() const { return y + height; }
    constexpr bool empty() const { return width <= 0 || height <= 0; }
    constexpr bool contains(const Rect& inner) const {
        return inner.empty() ||
               (inner.x >= x && inner.y >= y && inner.right() <= right() && inner.bottom() <= bottom());
    }
    constexpr bool operator==(const Rect&) const = default;
};

constexpr Rect whole(Extent size) { return {0, 0, size.width, size.height}; }

constexpr Rect intersect(const Rect& a, const Rect& b) {
    const auto x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max<std::int64_t>(0, std::min(a.right(), b.right()) - x),
            std::max<std::int64_t>(0, std::min(a.bottom(), b.bottom()) - y)};
}

} // namespace kg
