#pragma once
// Counts clamped samples and NaN (semantics 6). It uses the numbers before clamping, because a stored 0 may
// or may not have been clamped.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <array>
#include <cstdint>

namespace kg {

/// Samples of one channel below and above what the format holds.
struct ClippedSamples {
    std::int64_t below = 0, above = 0;
    bool operator==(const ClippedSamples&) const = default;
};

/// Pixels with a computed colour outside the range after rounding, and pixels with an infinite colour or NaN.
struct Clipping {
    std::int64_t pixels = 0, below = 0, above = 0, not_finite = 0;
    std::array<ClippedSamples, kMaxChannels> channels{};
    bool operator==(const Clipping&) const = default;
};

/// The request with unclamped, unrounded results: float32, of the same scale.
ImageRequest unclamped(ImageRequest request);

/// Adds the losses when `numbers`, a region of the result of unclamped(request), are stored as request.out.
void count_clipped(const ImageRequest& request, const ConstImageView& numbers, Clipping& sum);

/// Whether a sample is infinite or NaN. Only float32 is looked at, as which files with floats are read.
bool has_not_finite(const ConstImageView& image);

} // namespace kg
