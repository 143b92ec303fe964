#pragma once
// What a picture needs before it fits into a file format: channels added or left out, alpha multiplied or divided.

#include "core/half.hpp"
#include "core/image.hpp"

namespace kg::io {

/// Without its alpha channel, which must be the last; colour stays as it is.
Image without_alpha(const ConstImageView& picture);

/// Grey becomes three equal channels, grey with alpha four; colour is copied.
Image in_colour(const ConstImageView& picture);

/// Colour multiplied or divided by alpha so that format.premultiplied becomes `wanted`. Where alpha is 0 colour stays.
Image with_premultiplied(const ConstImageView& picture, bool wanted);

/// A sample of an f16 picture, for code that is written once for all depths.
struct Half {
    std::uint16_t bits;

    Half() = default;
    explicit Half(double value) : bits(float_to_half(static_cast<float>(value))) {}
    explicit operator double() const { return static_cast<double>(half_to_float(bits)); }
};

} // namespace kg::io
