#pragma once
// From a result's pixels to texels: RGBA of the result's own depth, colour in units of "white = 1" where the
// depth is a float. One definition for the CPU and the CUDA kernel, so that both presentation paths give
// identical bytes.
//
// Decided here: grey is replicated, missing alpha is 1, a second colour channel without a third is shown as
// red and green. Left to the image pass: light, premultiplication, clamping (a texture keeps the result's
// values).

#include "core/image/host_device.hpp"
#include "core/image/pixel.hpp"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#else
#include "core/image/half.hpp"
#endif

#include <cstdint>

namespace kg::display {

/// The bits of an f16 sample.
struct Half {
    std::uint16_t bits = 0;
};

struct Packing {
    static constexpr int kZero = -1, kOne = -2;

    int source[4] = {0, 0, 0, kOne}; ///< index of the pixel's sample for red, green, blue, alpha
    int channels = 1;                ///< samples from one pixel to the next
    float scale = 1;                 ///< divisor of float depths
    int step = 1;                    ///< only every step-th pixel of every step-th row is shown

    /// True if a texel equals its pixel byte for byte.
    constexpr bool is_identity() const {
        return channels == 4 && source[0] == 0 && source[1] == 1 && source[2] == 2 && source[3] == 3 &&
               scale == 1 && step == 1;
    }
    /// True if a texel is its pixel's three samples and an alpha of 1.
    constexpr bool is_rgb() const {
        return channels == 3 && source[0] == 0 && source[1] == 1 && source[2] == 2 && source[3] == kOne &&
               scale == 1 && step == 1;
    }

    static constexpr Packing of(const PixelFormat& format, int step) {
        Packing packing;
        packing.channels = format.channels;
        packing.scale = is_integer(format.depth) ? 1.0f : format.scale;
        packing.step = step;
        int colours[kMaxChannels] = {}, count = 0;
        for (int c = 0; c < format.channels; ++c)
            if (c != format.alpha) colours[count++] = c;
        for (int c = 0; c < 3; ++c)
            packing.source[c] = count == 1 ? colours[0] : c < count ? colours[c] : kZero;
        packing.source[3] = format.alpha >= 0 ? format.alpha : kOne;
        return packing;
    }
};

KG_HOST_DEVICE inline std::uint8_t white(std::uint8_t) { return 255; }
KG_HOST_DEVICE inline std::uint16_t white(std::uint16_t) { return 65535; }
KG_HOST_DEVICE inline float white(float) { return 1.0f; }
KG_HOST_DEVICE inline Half white(Half) { return {0x3c00}; }

KG_HOST_DEVICE inline std::uint8_t normalised(std::uint8_t v, float) { return v; }
KG_HOST_DEVICE inline std::uint16_t normalised(std::uint16_t v, float) { return v; }
/// A NaN passes unchanged: the NaN that a division returns differs between processors.
KG_HOST_DEVICE inline float normalised(float v, float scale) {
    return scale == 1.0f || v != v ? v : v / scale;
}
KG_HOST_DEVICE inline Half normalised(Half v, float scale) {
    if (scale == 1.0f || (v.bits & 0x7fffu) > 0x7c00u) return v;
#ifdef __CUDACC__
    return {__half_as_ushort(__float2half_rn(__half2float(__ushort_as_half(v.bits)) / scale))};
#else
    return {float_to_half(half_to_float(v.bits) / scale)};
#endif
}

template <typename Sample>
KG_HOST_DEVICE inline Sample texel_sample(const Sample* pixel, const Packing& packing, int c) {
    const int source = packing.source[c];
    if (source == Packing::kZero) return Sample{};
    if (source == Packing::kOne) return white(Sample{});
    return normalised(pixel[source], packing.scale);
}

} // namespace kg::display
