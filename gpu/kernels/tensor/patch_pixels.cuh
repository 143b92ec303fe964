#pragma once
// The input and output of a warp of `patches` (gpu/algorithms/patches.cu): words of the image as they are
// operands, and sums as results.

#include "gpu/kernels/tensor/integer_sums.cuh"
#include "gpu/kernels/tensor/mma.cuh"
#include "gpu/kernels/tensor/patch_grid.hpp"

namespace kg::gpu {

/// Four pixels of each of `Rows` rows, wherever they lie: a lane's first one is (column, row) of the image,
/// and all lanes have the same row. Pixels that the border replaces by zeros or that no output needs are 0.
/// Nothing branches between its loads, so that the loads of several rows are in flight together.
template <int Channels, int Rows>
__device__ __forceinline__ void gather_pixels(const StageCommon& c, const StageItem& item, int column,
                                              int row, int lane, unsigned (&words)[Rows][Channels]) {
    static_assert(Rows <= 32);
    constexpr int kLoads = Channels == 4 ? 4 : 4 * Channels, // of a row: pixels or samples
        kTogether = Channels == 3 ? 2 : 4;                   // rows
    // Lane r finds out where row r comes from.
    int own_row = index_at_border(c.border, row + min(lane, Rows - 1), c.height) - c.src_y;
    if (own_row >= c.src_height) own_row = -1;
    int at[4]; // bytes from the row's begin
    unsigned exists[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int x = index_at_border(c.border, column + i, c.width) - c.src_x;
        exists[i] = x >= 0 && x < c.src_width ? ~0u : 0;
        at[i] = exists[i] ? x * Channels : 0;
    }
#pragma unroll
    for (int first = 0; first < Rows; first += kTogether) {
        unsigned found[kTogether][kLoads], row_exists[kTogether];
#pragma unroll
        for (int r = 0; r < kTogether; ++r) {
            const int y = __shfl_sync(~0u, own_row, min(first + r, Rows - 1));
            row_exists[r] = y >= 0 ? ~0u : 0;
            const auto* line = reinterpret_cast<const std::uint8_t*>(item.src + std::int64_t{max(y, 0)} *
                                                                                    item.src_pitch);
#pragma unroll
            for (int i = 0; i < kLoads; ++i) {
                const auto* from = line + at[i * 4 / kLoads] + (Channels == 4 ? 0 : i % Channels);
                assert(is_of_source<std::uint8_t>(c, item, from, Channels == 4 ? 4 : 1));
                if constexpr (Channels == 4) found[r][i] = __ldg(reinterpret_cast<const unsigned*>(from));
                else found[r][i] = __ldg(from);
            }
        }
#pragma unroll
        for (int r = 0; r < kTogether; ++r) {
            if (first + r >= Rows) break;
#pragma unroll
            for (int i = 0; i < kLoads; ++i) found[r][i] &= exists[i * 4 / kLoads] & row_exists[r];
#pragma unroll
            for (int w = 0; w < Channels; ++w)
                if constexpr (Channels == 4) words[first + r][w] = found[r][w];
                else
                    words[first + r][w] = found[r][4 * w] | found[r][4 * w + 1] << 8 |
                                          found[r][4 * w + 2] << 16 | found[r][4 * w + 3] << 24;
        }
    }
}

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

/// Stores the patches of a warp pixel by pixel; those outside the rectangle of outputs, or from row `bottom`
/// on, are left out. (x, y) is the warp's first output. `sums`: 4 of each channel, patch after patch.
template <int Channels, bool Small>
__device__ __noinline__ void store_pixels(const StageCommon& c, const StageItem& item, const PatchGrid& grid,
                                          int x, int y, int bottom, int lane, int patches, const int* sums) {
    x += 16 * (lane & 3) + (lane >> 2) % 4 * 2, y += lane >> 4;
#pragma unroll 1
    for (int i = 0; i < 4 * patches; ++i) { // sum i % 4 of each channel: patch i % 2, pixel i % 4 / 2
        const int own_x = x + i % 2 * 8 + i % 4 / 2, own_y = y + i / 4 * 2;
        if (own_x < 0 || own_x >= c.dst_width || own_y >= bottom) continue;
        int own[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) own[s] = sums[(i / 4 * Channels + s) * 4 + i % 4];
        store_pixel<Channels, Small>(c, item, grid, own_x, own_y, own);
    }
}

/// Stores a patch of all lanes as bytes, at once. Sum 4 s + e is of channel s; its pixels are those of the
/// product. `line` is the first of the 64 outputs in this lane's row, `source` its place in the source.
/// `pairs`: two pixels of four bytes may be stored at once.
template <int Channels>
__device__ __forceinline__ void store_words(const StageCommon& c, const StageItem& item, unsigned kept,
                                            bool pairs, const std::byte* source, std::byte* line, int lane,
                                            const int (&v)[4 * Channels]) {
    const int g = lane >> 2, t = lane & 3;
    if constexpr (Channels == 4) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int at = (16 * t + 8 * e + g % 4 * 2) * Channels;
            unsigned pixels[2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
                pixels[i] = pack_saturated(v[e + 2 * i], v[e + 2 * i + 4], v[e + 2 * i + 8],
                                           v[e + 2 * i + 12]);
            if (kept != 0)
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const auto* from = reinterpret_cast<const unsigned*>(source + at) + i;
                    assert(is_of_source<std::uint8_t>(c, item, from, 4));
                    pixels[i] = (pixels[i] & ~kept) | (__ldg(from) & kept);
                }
            assert(is_of_result<std::uint8_t>(c, item, line + at, 8));
            auto* to = reinterpret_cast<unsigned*>(line + at);
            if (pairs) *reinterpret_cast<uint2*>(to) = {pixels[0], pixels[1]};
            else to[0] = pixels[0], to[1] = pixels[1];
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
        auto* to = line + (16 * t + (g & 1) * 8 + (g & 2) * 2) * Channels;
        assert(is_of_result<std::uint8_t>(c, item, to, 4 * Channels));
#pragma unroll
        for (int w = 0; w < Channels; ++w) reinterpret_cast<unsigned*>(to)[w] = words[w];
    }
}

} // namespace kg::gpu
