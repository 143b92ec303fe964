#pragma once
// Rectangles of what is computed together.

#include "core/image/geometry.hpp"
#include "core/support/parts_of.hpp"

namespace kg {

/// A rectangle of whole(size), grown to begin and end at multiples of `step`, but to end at that of `size`.
constexpr Rect grown_to_multiples(const Rect& rect, Extent step, Extent size) {
    const auto end = [](std::int64_t of, std::int64_t unit, std::int64_t all) {
        return std::min(all, parts_of(of, unit) * unit);
    };
    const auto x = rect.x / step.width * step.width, y = rect.y / step.height * step.height;
    return {x, y, end(rect.right(), step.width, size.width) - x,
            end(rect.bottom(), step.height, size.height) - y};
}

} // namespace kg
