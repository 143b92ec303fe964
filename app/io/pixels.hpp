#pragma once
// What a picture needs before it fits into a file format: channels added or left out, alpha multiplied or divided.

#include "core/image/half.hpp"
#include "core/image/image.hpp"

namespace kg::io {

/// Without its alpha channel, which must be the last; colour stays as it is.
Image without_alpha(const ConstImageView& picture);

/// Grey becomes three equal channels, grey with alpha four; colour is copied.
Image in_colour(const ConstImageView& picture);

/// Colour multiplied or divided by alpha so that format.premultiplied becomes `wanted`. It is not divided where alpha is 0.
Image with_premultiplied(const ConstImageView& picture, bool wanted);

/// In the depth, colour multiplied or divided by alpha: rounded once. Full scale becomes full scale, and 1.0 in floats.
Image converted(const ConstImageView& picture, Depth depth, bool premultiplied);

/// A sample of an f16 picture, for code that is written once for all depths.
struct Half {
    std::uint16_t bits;

    Half() = default;
    explicit Half(double value) : bits(double_to_half(value)) {}
    explicit operator double() const { return static_cast<double>(half_to_float(bits)); }
};

} // namespace kg::io
