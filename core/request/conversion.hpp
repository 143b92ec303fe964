#pragma once
// Conversion of one pixel between formats: depth, light, premultiplication and sign (semantics 5 to 7). The
// engines' `convert` algorithms share it; the reference has its own in float64.

#include "core/image/host_device.hpp"
#include "core/request/request.hpp"

#include <cmath>

namespace kg {

/// The sRGB curve and its inverse (IEC 61966-2-1, piecewise), extended below 0 by odd symmetry. Float or
/// double.
template <typename T>
KG_HOST_DEVICE inline T srgb_to_linear(T v) {
    const T m = v < T(0) ? -v : v;
    const T linear = m <= T(0.04045) ? m / T(12.92) : pow((m + T(0.055)) / T(1.055), T(2.4));
    return v < T(0) ? -linear : linear;
}
template <typename T>
KG_HOST_DEVICE inline T linear_to_srgb(T v) {
    const T m = v < T(0) ? -v : v;
    const T stored = m <= T(0.0031308) ? m * T(12.92) : T(1.055) * pow(m, T(1) / T(2.4)) - T(0.055);
    return v < T(0) ? -stored : stored;
}

/// True if the input is premultiplied and the mode filters straight colour, so that colour is divided by
/// alpha first (semantics 7).
inline bool straightens(const ImageRequest& request) {
    return request.in.alpha >= 0 && request.in.premultiplied && request.alpha != AlphaMode::premultiplied &&
           !request.stages.empty();
}

/// The parameters of a conversion, resolved from a request.
struct PixelConversion {
    int channels = 1, alpha = -1;
    unsigned computed = ~0u;
    bool decode = false, encode = false, premultiply = false, unpremultiply = false;
    SignedMode sign = SignedMode::keep;
    float in_scale = 1, out_scale = 1;
    float weighted_offset = 0; ///< ImageRequest::weighted_offset
    bool clamps_alpha = false;

    static PixelConversion from(const ImageStep& step) {
        return {step.in.channels,
                step.in.alpha,
                computed_channels(step),
                step.out.linear && !step.in.linear,
                step.in.linear && !step.out.linear,
                step.in.alpha >= 0 && step.out.premultiplied && !step.in.premultiplied,
                step.in.alpha >= 0 && step.in.premultiplied && !step.out.premultiplied,
                step.sign,
                static_cast<float>(full_scale(step.in)),
                static_cast<float>(full_scale(step.out)),
                step.weighted_offset,
                step.clamps_alpha};
    }

    /// True if only depth and scale change. A sample is then converted without regard to its channel.
    bool plain() const {
        return !decode && !encode && !premultiply && !unpremultiply && keeps_sign() && weighted_offset == 0 &&
               !clamps_alpha;
    }
    /// Integers clamp by themselves.
    bool keeps_sign() const { return sign != SignedMode::absolute && sign != SignedMode::half; }
    KG_HOST_DEVICE bool rescales() const { return in_scale != out_scale; }

    /// In place, on samples cast to `Number`: float, or double where either format is f64. The result is
    /// neither clamped nor rounded.
    template <typename Number>
    KG_HOST_DEVICE void operator()(Number* pixel) const {
        const Number zero = 0, one = 1, in_white = in_scale, out_white = out_scale;
        Number weight = 1;
        // Loops of fixed length let a GPU thread keep its pixel in registers.
        for (int c = 0; c < kMaxChannels; ++c) {
            if (c != alpha) continue;
            if (clamps_alpha) pixel[c] = pixel[c] > zero ? (pixel[c] < in_white ? pixel[c] : in_white) : zero;
            weight = pixel[c] / in_white;
            const bool passed_on = !(computed >> c & 1u); // unchanged, even outside the range
            if (unpremultiply || passed_on) weight = weight > zero ? (weight < one ? weight : one) : zero;
            if (unpremultiply && !passed_on) pixel[c] = weight * in_white;
        }
        for (int c = 0; c < kMaxChannels; ++c) {
            if (c >= channels) break;
            const bool colour = c != alpha && (computed >> c & 1u);
            Number v = pixel[c];
            const bool rescaled = rescales() || (colour && (decode || encode));
            if (rescaled) v /= in_white;
            if (colour) {
                if (unpremultiply)
                    // The curve applies to straight colour.
                    v = weight == zero ? zero : v / weight;
                if (weighted_offset != 0.0f && weight != zero) {
                    const Number offset = rescaled ? Number(weighted_offset)
                                                   : Number(weighted_offset) * in_white;
                    v += unpremultiply ? offset : offset * weight;
                }
                if (decode) v = srgb_to_linear(v);
                if (encode) v = linear_to_srgb(v);
                if (premultiply) v *= weight;
            }
            if (rescaled) v *= out_white;
            if (colour && sign == SignedMode::absolute) v = fabs(v);
            if (colour && sign == SignedMode::half) v += Number(0.5) * out_white;
            pixel[c] = v;
        }
    }
};

} // namespace kg
