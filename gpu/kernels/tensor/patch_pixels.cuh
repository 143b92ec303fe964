#pragma once
// The input and output of a warp of `patches` (gpu/algorithms/patches.cu): words of the image as they are
// operands, and sums as results.

#include "gpu/kernels/tensor/integer_sums.cuh"
#include "gpu/kernels/tensor/mma.cuh"
#include "gpu/kernels/tensor/patch_grid.hpp"

namespace kg::gpu {

/// Four pixels of a lane in each row, wherever they lie. Pixels that the border replaces by zeros or that no
/// output needs are 0.
template <int Channels>
class GatheredPixels {
    static constexpr int kLoads = Channels == 4 ? 4 : 4 * Channels; // loads of a row: pixels or samples

public:
    /// A pair of rows as it is loaded. Nothing branches between the loads, so that they are in flight
    /// together, also with those of other pairs.
    struct Pair {
        unsigned found[2][kLoads], row_exists[2];
    };

    /// The lane's first pixel is (column, row) of the image; all lanes have the same row. Rows from
    /// row + kWarp on cannot be loaded.
    __device__ __forceinline__ GatheredPixels(const StageCommon& c, const StageItem& item, int column,
                                              int row, int lane)
        : c_(c), item_(item) {
        row_of_lane_ = index_at_border(c.border, row + lane, c.height) - c.src_y;
        if (row_of_lane_ >= c.src_height) row_of_lane_ = -1;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int x = index_at_border(c.border, column + i, c.width) - c.src_x;
            at_[i] = x >= 0 && x < c.src_width ? x * Channels : -1;
        }
    }

    /// Rows `first` and first + 1 from the first one on.
    __device__ __forceinline__ void load(int first, Pair& pair) const {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const int y = __shfl_sync(~0u, row_of_lane_, first + r);
            pair.row_exists[r] = y >= 0 ? ~0u : 0;
            const auto* line = reinterpret_cast<const std::uint8_t*>(item_.src + std::int64_t{max(y, 0)} *
                                                                                     item_.src_pitch);
#pragma unroll
            for (int i = 0; i < kLoads; ++i) {
                const auto* from = line + max(at_[i * 4 / kLoads], 0) + (Channels == 4 ? 0 : i % Channels);
                assert(is_of_source<std::uint8_t>(c_, item_, from, Channels == 4 ? 4 : 1));
                if constexpr (Channels == 4)
                    pair.found[r][i] = __ldg(reinterpret_cast<const unsigned*>(from));
                else pair.found[r][i] = __ldg(from);
            }
        }
    }

    /// Row r of a pair as words of interleaved channels.
    __device__ __forceinline__ void words(const Pair& pair, int r, unsigned (&words)[Channels]) const {
        unsigned samples[kLoads];
#pragma unroll
        for (int i = 0; i < kLoads; ++i)
            samples[i] = at_[i * 4 / kLoads] >= 0 ? pair.found[r][i] & pair.row_exists[r] : 0;
#pragma unroll
        for (int w = 0; w < Channels; ++w)
            words[w] = Channels == 4
                           ? samples[w]
                           : samples[4 * w % kLoads] | samples[(4 * w + 1) % kLoads] << 8 |
                                 samples[(4 * w + 2) % kLoads] << 16 | samples[(4 * w + 3) % kLoads] << 24;
    }

private:
    const StageCommon& c_;
    const StageItem& item_;
    int row_of_lane_; ///< in the source: of the row with the lane's number; negative: it is zero
    int at_[4];       ///< bytes from a row's begin; negative: the pixel is zero
};

/// Stores one pixel, whatever the result is. `sums`: of its channels. Channels that are not computed are
/// copied.
template <int Channels, bool Small>
__device__ void store_pixel(const StageCommon& c, const StageItem& item, const PatchGrid& grid, int x, int y,
                            int (&sums)[Channels]) {
    const auto offset = [&](int s) { return offset_of(c, s); };
    const auto* kept = reinterpret_cast<const std::uint8_t*>(item.src + std::int64_t{c.dst_y + y - c.src_y} *
                                                                            item.src_pitch) +
                       std::int64_t{c.dst_x + x - c.src_x} * Channels;
    const auto store = [&]<typename Out>(Out* line, const Out(&values)[Channels]) {
        auto* to = line + std::int64_t{x} * Channels;
        assert(is_of_result<Out>(c, item, to, sizeof(Out) * Channels));
        struct alignas(Channels == 4 ? 4 * sizeof(Out) : sizeof(Out)) Pixel {
            Out samples[Channels];
        } pixel;
#pragma unroll
        for (int s = 0; s < Channels; ++s)
            pixel.samples[s] = c.computed >> s & 1u ? values[s] : static_cast<Out>(__ldg(kept + s));
        *reinterpret_cast<Pixel*>(to) = pixel;
    };
    auto* line = item.dst + std::int64_t{y} * item.dst_pitch;
    if (grid.floats) {
        float values[Channels];
        finish_as_floats<Small>(grid.finish, sums, values, offset);
        store(reinterpret_cast<float*>(line), values);
    } else {
        std::uint8_t values[Channels];
        finish_as_bytes<Small, true>(grid.finish, sums, offset);
#pragma unroll
        for (int s = 0; s < Channels; ++s) values[s] = static_cast<std::uint8_t>(min(max(sums[s], 0), 255));
        store(reinterpret_cast<std::uint8_t*>(line), values);
    }
}

/// Stores a patch of all lanes pixel by pixel; pixels outside the rectangle of outputs, or from row `bottom`
/// on, are left out. (x, y) is the warp's first output. `sums`: 4 of each channel.
template <int Channels, bool Small>
__device__ __noinline__ void store_pixels(const StageCommon& c, const StageItem& item, const PatchGrid& grid,
                                          int x, int y, int bottom, int lane, const int* sums) {
    x += 16 * (lane & 3) + (lane >> 2) % 4 * 2, y += lane >> 4;
    if (y >= bottom) return;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) { // patch i % 2, pixel i / 2
        const int own_x = x + i % 2 * 8 + i / 2;
        if (own_x < 0 || own_x >= c.dst_width) continue;
        int own[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) own[s] = sums[4 * s + i];
        store_pixel<Channels, Small>(c, item, grid, own_x, y, own);
    }
}

/// The columns of a lane's row that are outputs, counted from the first of the 64.
struct PatchBounds {
    int begin, end;
    __device__ __forceinline__ bool has(int first, int count) const {
        return first >= begin && first + count <= end;
    }
};

/// Stores a patch of all lanes as bytes, at once; if `Bounded`, only what is within the bounds. Sum 4 s + e
/// is of channel s; its pixels are those of the product. `line` is the first of the 64 outputs in this lane's
/// row, `source` its place in the source. `pairs`: two pixels of four bytes may be stored at once.
template <int Channels, bool Bounded>
__device__ __forceinline__ void store_words(const StageCommon& c, const StageItem& item, unsigned kept,
                                            bool pairs, const std::byte* source, std::byte* line, int lane,
                                            const PatchBounds& bounds, const int (&v)[4 * Channels]) {
    const int g = lane >> 2, t = lane & 3;
    if constexpr (Channels == 4) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = 16 * t + 8 * e + g % 4 * 2, at = column * Channels;
            const bool has[2] = {!Bounded || bounds.has(column, 1), !Bounded || bounds.has(column + 1, 1)};
            unsigned pixels[2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
                pixels[i] = pack_saturated(v[e + 2 * i], v[e + 2 * i + 4], v[e + 2 * i + 8],
                                           v[e + 2 * i + 12]);
            if (kept != 0)
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    if (!has[i]) continue;
                    const auto* from = reinterpret_cast<const unsigned*>(source + at) + i;
                    assert(is_of_source<std::uint8_t>(c, item, from, 4));
                    pixels[i] = (pixels[i] & ~kept) | (__ldg(from) & kept);
                }
            auto* to = reinterpret_cast<unsigned*>(line + at);
            if (pairs && has[0] && has[1]) {
                assert(is_of_result<std::uint8_t>(c, item, to, 8));
                *reinterpret_cast<uint2*>(to) = {pixels[0], pixels[1]};
                continue;
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
                if (has[i]) {
                    assert(is_of_result<std::uint8_t>(c, item, to + i, 4));
                    to[i] = pixels[i];
                }
        }
    } else {
        // Two lanes exchange halves: each then has four pixels of one patch.
        unsigned words[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) {
            const unsigned both = pack_saturated(v[4 * s], v[4 * s + 2], v[4 * s + 1], v[4 * s + 3]);
            words[s] = __byte_perm(both, __shfl_xor_sync(~0u, both, 4), g & 1 ? 0x3276 : 0x5410);
        }
        to_interleaved(words);
        const int column = 16 * t + (g & 1) * 8 + (g & 2) * 2;
        auto* to = line + column * Channels;
        if (!Bounded || bounds.has(column, 4)) {
            assert(is_of_result<std::uint8_t>(c, item, to, 4 * Channels));
#pragma unroll
            for (int w = 0; w < Channels; ++w) reinterpret_cast<unsigned*>(to)[w] = words[w];
        } else {
#pragma unroll
            for (int byte = 0; byte < 4 * Channels; ++byte)
                if (bounds.has(column + byte / Channels, 1)) {
                    assert(is_of_result<std::uint8_t>(c, item, to + byte, 1));
                    to[byte] = static_cast<std::byte>(words[byte / 4] >> byte % 4 * 8);
                }
        }
    }
}

} // namespace kg::gpu
