#pragma once
// The input and output of a warp of `patches` (gpu/algorithms/patches.cu): words of the image as they are
// operands, and sums as results.

#include "gpu/kernels/integer_sums.cuh"
#include "gpu/kernels/mma.cuh"

namespace kg::gpu {

inline constexpr int kPatchAcross = 64; // outputs of a row that a warp computes
inline constexpr int kPatchBefore = 4;  // pixels of a row that it loads before them
inline constexpr int kPatchInput = 72;  // ... and altogether

/// Division of a launch into warps.
struct PatchGrid {
    SumFinish finish;
    int first_row;    ///< of the launch's outputs
    int shift;        ///< pixels of the grid before the rectangle of outputs
    bool wide_loads;  ///< words of the source may be loaded at once
    unsigned kept;    ///< bytes of a pixel of four that are copied
    bool wide_stores; ///< results are bytes, not divided, and may be stored by words
    bool floats;      ///< the result is f32
};

/// Four pixels of each of `rows` rows, wherever they lie: the first pixel is (column, row) of the image. Pixels that
/// the border replaces by zeros or that no output needs are 0. A function of its own, whose loops are kept:
/// inlined it is most of a kernel's code.
template <int Channels>
__device__ __noinline__ void gather_pixels(const StageCommon& c, const StageItem& item, int column, int row,
                                           int rows, unsigned* words) {
    int at[4]; // bytes from the row's begin; negative: not there
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
        const int x = border_index(c.border, column + i, c.width) - c.src_x;
        at[i] = x >= 0 && x < c.src_width ? x * Channels : -1;
    }
    const int first = at[0], second = at[1], third = at[2], fourth = at[3];
    const auto* source = reinterpret_cast<const std::uint8_t*>(item.src);
#pragma unroll 1
    for (int r = 0; r < rows; ++r, words += Channels) {
        const int y = border_index(c.border, row + r, c.height) - c.src_y;
        const bool exists = y >= 0 && y < c.src_height;
        const auto* line = source + std::int64_t{y} * item.src_pitch;
        unsigned found[Channels] = {};
        const auto pixel = [&](int i, int from) {
            if (!exists || from < 0) return;
            assert(is_of_source<std::uint8_t>(c, item, line + from, Channels));
            if constexpr (Channels == 4)
                found[i % Channels] = __ldg(reinterpret_cast<const unsigned*>(line + from));
            else
#pragma unroll
                for (int s = 0; s < Channels; ++s)
                    found[(i * Channels + s) / 4] |= static_cast<unsigned>(__ldg(line + from + s))
                                                     << (i * Channels + s) % 4 * 8;
        };
        pixel(0, first), pixel(1, second), pixel(2, third), pixel(3, fourth);
#pragma unroll
        for (int w = 0; w < Channels; ++w) words[w] = found[w];
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

/// Stores the patches of a warp pixel by pixel; those outside the rectangle of outputs are left out. (x, y)
/// is the warp's first output. `sums`: 4 of each channel, patch after patch. Most launches call it for blocks
/// at the right and below only.
template <int Channels, bool Small>
__device__ __noinline__ void store_pixels(const StageCommon& c, const StageItem& item, const PatchGrid& grid,
                                          int x, int y, int lane, int patches, const int* sums) {
    x += 16 * (lane & 3) + (lane >> 2) % 4 * 2, y += lane >> 4;
#pragma unroll 1
    for (int i = 0; i < 4 * patches; ++i) { // sum i % 4 of each channel: patch i % 2, pixel i % 4 / 2
        const int own_x = x + i % 2 * 8 + i % 4 / 2, own_y = y + i / 4 * 2;
        if (own_x < 0 || own_x >= c.dst_width || own_y >= c.dst_height) continue;
        int own[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) own[s] = sums[(i / 4 * Channels + s) * 4 + i % 4];
        store_pixel<Channels, Small>(c, item, grid, own_x, own_y, own);
    }
}

/// Stores a patch of all lanes as bytes, at once. Sum 4 s + e is of channel s; its pixels are those of the
/// product. `line` is the first of the 64 outputs in this lane's row, `source` its place in the source.
template <int Channels>
__device__ __forceinline__ void store_words(const StageCommon& c, const StageItem& item, unsigned kept,
                                            const std::byte* source, std::byte* line, int lane,
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
            *reinterpret_cast<uint2*>(line + at) = {pixels[0], pixels[1]};
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

/// The input of a warp: `words[r]` are a lane's four pixels of row r. (x, y) is the warp's first output.
template <int Channels, int Rows>
__device__ __forceinline__ void load_input(const StageCommon& c, const StageItem& item, const PatchGrid& grid,
                                           int reach, int x, int y, int lane,
                                           unsigned (&words)[Rows][Channels]) {
    const int column = c.dst_x - c.src_x + x - kPatchBefore, row = c.dst_y - c.src_y + y - reach,
              own = column + (lane >> 2) * 8 + (lane & 3) * 4;
    if (grid.wide_loads && column >= 0 && column + kPatchInput <= c.src_width && row >= 0 &&
        row + Rows <= c.src_height) {
        const auto* from = item.src + std::int64_t{row} * item.src_pitch + std::int64_t{own} * Channels;
#pragma unroll
        for (int r = 0; r < Rows; ++r, from += item.src_pitch) {
            assert(is_of_source<std::uint8_t>(c, item, from, 4 * Channels));
            load_pixels(from, words[r]);
        }
    } else {
        unsigned found[Rows * Channels]; // in local memory
        gather_pixels<Channels>(c, item, own + c.src_x, row + c.src_y, Rows, found);
#pragma unroll
        for (int i = 0; i < Rows * Channels; ++i) words[i / Channels][i % Channels] = found[i];
    }
}

} // namespace kg::gpu
