#pragma once
// One pixel from a format to another: depth, light, premultiplication, sign (semantics 5 to 7). Shared by the engines'
// `convert`; the reference has its own, in float64.

#include "core/image/host_device.hpp"
#include "core/request/request.hpp"

#include <cmath>

namespace kg {

/// The sRGB curve and its inverse, extended odd-symmetrically below 0 (IEC 61966-2-1, piecewise). Float or double.
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

/// True if the input holds colour multiplied by alpha and the mode filters straight colour: it is divided first (semantics 7).
inline bool straightens(const ImageRequest& request) {
    return request.in.alpha >= 0 && request.in.premultiplied && request.alpha != AlphaMode::premultiplied &&
           !request.stages.empty();
}

/// A conversion request with everything decided.
struct PixelConversion {
    int channels = 1, alpha = -1;
    unsigned computed = ~0u;
    bool decode = false, encode = false, premultiply = false, unpremultiply = false;
    SignedMode sign = SignedMode::keep;
    float in_scale = 1, out_scale = 1;
    float weighted_offset = 0; ///< as the request's
    bool clamps_alpha = false;

    static PixelConversion from(const ImageRequest& step) {
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

    /// True if nothing but depth and scale changes: then a sample need not know which channel it is.
    bool plain() const {
        return !decode && !encode && !premultiply && !unpremultiply && sign == SignedMode::keep &&
               weighted_offset == 0 && !clamps_alpha;
    }
    KG_HOST_DEVICE bool rescales() const { return in_scale != out_scale; }

    /// In place, on samples that were only cast to float; the result is not yet clamped or rounded.
    KG_HOST_DEVICE void operator()(float* pixel) const {
        float coverage = 1.0f;
        // Loops of fixed length, so that a GPU's thread can keep its pixel in registers.
        for (int c = 0; c < kMaxChannels; ++c) {
            if (c != alpha) continue;
            if (clamps_alpha) pixel[c] = pixel[c] > 0.0f ? (pixel[c] < in_scale ? pixel[c] : in_scale) : 0.0f;
            coverage = pixel[c] / in_scale;
            const bool passed_on = !(computed >> c & 1u); // as it is, even outside its range
            if (unpremultiply || passed_on)
                coverage = coverage > 0.0f ? (coverage < 1.0f ? coverage : 1.0f) : 0.0f;
            if (unpremultiply && !passed_on) pixel[c] = coverage * in_scale;
        }
        for (int c = 0; c < kMaxChannels; ++c) {
            if (c >= channels) break;
            const bool colour = c != alpha && (computed >> c & 1u);
            float v = pixel[c];
            const bool rescaled = rescales() || (colour && (decode || encode));
            if (rescaled) v /= in_scale;
            if (colour) {
                if (unpremultiply)
                    v = coverage == 0.0f ? 0.0f : v / coverage; // the curve belongs to straight colour
                if (weighted_offset != 0.0f && coverage != 0.0f) {
                    const float offset = rescaled ? weighted_offset : weighted_offset * in_scale;
                    v += unpremultiply ? offset : offset * coverage;
                }
                if (decode) v = srgb_to_linear(v);
                if (encode) v = linear_to_srgb(v);
                if (premultiply) v *= coverage;
            }
            if (rescaled) v *= out_scale;
            if (colour && sign == SignedMode::absolute) v = fabsf(v);
            if (colour && sign == SignedMode::half) v += 0.5f * out_scale;
            pixel[c] = v;
        }
    }
};

} // namespace kg
