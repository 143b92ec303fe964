#pragma once
// Rows of 8-bit images as words of four neighbouring pixels: how a lane loads them, whatever the border, and
// stores them.

#include "gpu/kernels/stage.cuh"
#include "gpu/kernels/tensor/mma.cuh"

namespace kg::gpu {

/// Loads four pixels of a row of the source from these columns; a negative one is zeros.
template <int Channels>
__device__ __forceinline__ void gather_pixels(const StageCommon& c, const StageItem& item,
                                              const std::byte* line, const int* columns,
                                              unsigned (&words)[Channels]) {
    const int4 four = *reinterpret_cast<const int4*>(columns);
    const int of[4] = {four.x, four.y, four.z, four.w};
    if constexpr (Channels == 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const auto* at = line + std::int64_t{of[i]} * 4;
            assert(of[i] < 0 || is_of_source<std::uint8_t>(c, item, at, 4));
            words[i] = of[i] < 0 ? 0 : __ldg(reinterpret_cast<const unsigned*>(at));
        }
    } else {
#pragma unroll
        for (auto& word : words) word = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const auto* at = line + std::int64_t{of[i]} * Channels;
            assert(of[i] < 0 || is_of_source<std::uint8_t>(c, item, at, Channels));
            if (of[i] < 0) continue;
#pragma unroll
            for (int s = 0; s < Channels; ++s) {
                const int byte = i * Channels + s;
                words[byte / 4] |= static_cast<unsigned>(__ldg(reinterpret_cast<const std::uint8_t*>(at) + s))
                                   << 8 * (byte % 4);
            }
        }
    }
}

/// The row or column of the source that index i of an axis of n pixels is, or that the border puts there; -1:
/// zeros, or no output needs it. The source has the pixels from `begin` on.
__device__ inline int source_index(Border border, int i, int n, int begin, int count) {
    const int index = device_border_index(border, i, n) - begin;
    return index < count ? max(index, -1) : -1;
}

/// Stores neighbouring pixels, interleaved, from pixel (x, y) of the rectangle of outputs on, which goes to
/// `to`; those outside it are left out. `whole`: none of a row is, all channels are computed, and words may
/// be stored at once, by the widest stores. Channels that are not computed are copied.
template <int Channels, int Words>
__device__ __forceinline__ void store_pixels(const StageCommon& c, const StageItem& item, bool whole, int x,
                                             int y, std::byte* to, const unsigned (&words)[Words]) {
    constexpr int kPixels = 4 * Words / Channels;
    if (y >= c.dst_height) return;
    if (whole) {
        assert(is_of_result<std::uint8_t>(c, item, to, 4 * Words));
        if constexpr (Words == 4)
            __stcs(reinterpret_cast<uint4*>(to), make_uint4(words[0], words[1], words[2], words[3]));
        else if constexpr (Words == 2) __stcs(reinterpret_cast<uint2*>(to), make_uint2(words[0], words[1]));
        else
#pragma unroll
            for (int w = 0; w < Words; ++w) reinterpret_cast<unsigned*>(to)[w] = words[w];
        return;
    }
    const auto* centre = item.src + std::int64_t{c.dst_y + y - c.src_y} * item.src_pitch +
                         std::int64_t{c.dst_x + x - c.src_x} * Channels;
#pragma unroll
    for (int i = 0; i < kPixels; ++i) {
        if (x + i < 0 || x + i >= c.dst_width) continue;
#pragma unroll
        for (int s = 0; s < Channels; ++s) {
            const int byte = i * Channels + s;
            assert(is_of_result<std::uint8_t>(c, item, to + byte, 1));
            auto value = static_cast<std::uint8_t>(words[byte / 4] >> 8 * (byte % 4));
            if (!(c.computed >> s & 1u)) {
                assert(is_of_source<std::uint8_t>(c, item, centre + byte, 1));
                value = __ldg(reinterpret_cast<const std::uint8_t*>(centre) + byte);
            }
            reinterpret_cast<std::uint8_t*>(to)[byte] = value;
        }
    }
}

} // namespace kg::gpu
