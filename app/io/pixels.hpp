#pragma once
// Conversions that fit an image to a file format: channels are added or removed, alpha is multiplied or
// divided.

#include "core/image/half.hpp"
#include "core/image/image.hpp"

namespace kg::io {

/// Removes the alpha channel, which must be the last; colour is unchanged.
Image without_alpha(const ConstImageView& image);

/// Expands grey to three equal channels and grey with alpha to four; colour is copied.
Image in_colour(const ConstImageView& image);

/// Multiplies or divides colour by alpha so that format.premultiplied becomes `wanted`. Colour is not divided
/// where alpha is 0.
Image with_premultiplied(const ConstImageView& image, bool wanted);

/// Converts the depth and premultiplication with a single rounding. Full scale maps to full scale, which is
/// 1.0 in floats. The result is in memory of the source as far as it goes.
Image converted(const ConstImageView& image, Depth depth, bool premultiplied,
                ImageMemorySource* memory = nullptr);

/// A sample of an f16 image, for templates over all depths.
struct Half {
    std::uint16_t bits;

    Half() = default;
    explicit Half(double value) : bits(double_to_half(value)) {}
    explicit operator double() const { return static_cast<double>(half_to_float(bits)); }
};

} // namespace kg::io
