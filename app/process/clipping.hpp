#pragma once
// How much of a result was clamped away, and how much is no number (semantics 6). Counted from the numbers before they are
// clamped, because the stored ones cannot tell a clamped 0 from one that was 0.

#include "core/request/request.hpp"

#include <cstdint>

namespace kg {

/// Pixels of which a computed colour lies so far outside that rounding does not bring it back, and those of which one is
/// infinite or not a number.
struct Clipping {
    std::int64_t pixels = 0, below = 0, above = 0, not_finite = 0;
    bool operator==(const Clipping&) const = default;
};

/// The same request with its numbers as they are before they are clamped and rounded: float32, of the same scale.
ImageRequest unclamped(ImageRequest request);

/// Adds what `numbers`, a part of the result of unclamped(request), lose by becoming request.out.
void count_clipped(const ImageRequest& request, const ConstImageView& numbers, Clipping& sum);

} // namespace kg
