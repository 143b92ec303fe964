#pragma once
// The length of two slopes of bytes, each the product of a column and a row of small integers (Sobel,
// Scharr, Prewitt): two sums in one register, down the columns and then along the rows
// (gpu/algorithms/gradient.cu explains it).
//
// A register holds two fields of 16 bits, h and l, as the number 65536 h + l. Sums and products with integers
// keep that form, whatever the signs; with 32768 added to both, h and l are the two halves of the register.
// Squares are added in float32, which is exact below 2^24; any larger sum saturates.

#include "gpu/kernels/march/columns_in_registers.cuh"

namespace kg::gpu {

/// Factors of the two kernels' squares of Size x Size weights. The magnitudes of a kernel's weights add up to
/// at most kMostPacked, so that its sums fit in a field.
struct SlopeFactors {
    int column[2][5], row[2][5];
};
inline constexpr int kMostPacked = 128;

/// A thread's outputs: 16 neighbouring bytes of kRows rows.
template <int Channels, int Size>
struct PackedGradient : ColumnLayout<unsigned char, Channels, Size, 16> {
    using Base = ColumnLayout<unsigned char, Channels, Size, 16>;
    static constexpr int kRows = 2, kRead = kRows + Size - 1;
    /// Registers from a pair of samples to the pair of the neighbouring pixels.
    static constexpr int kNeighbour = Channels == 4 ? 2 : Channels;
    static constexpr int kOwnPairs = 8, kPairs = kOwnPairs + Size / 2 * 2 * kNeighbour;
};

/// Pairs the samples of a row such that the pixel beside a pair is a pair: of 4 channels, the samples 0 and
/// 2, 1 and 3 of every word, otherwise those that are 8 samples apart.
template <typename L>
__device__ void pair_samples(const unsigned (&words)[L::kWords], unsigned (&pairs)[L::kPairs]) {
    constexpr unsigned kEven = 0x00ff00ffu, kOddBytes = 0x4341u;
#pragma unroll
    for (int p = 0; p < L::kPairs; ++p) {
        if constexpr (L::kChannels == 4) {
            const unsigned word = words[p / 2];
            pairs[p] = p % 2 == 0 ? word & kEven : __byte_perm(word, 0, kOddBytes);
        } else {
            const int at = L::kBefore - L::kHalo + p;
            const unsigned both = __byte_perm(words[at / 4], words[at / 4 + 2],
                                              at % 4 < 2 ? 0x5410u : 0x7632u);
            pairs[p] = at % 2 == 0 ? both & kEven : __byte_perm(both, 0, kOddBytes);
        }
    }
}

/// The rounded length of two slopes in the lowest byte. The root is off by at most 2^-22 of itself, while the
/// root of an integer is at least 2^-11 away from the middle between two integers below 256.
__device__ inline unsigned length_byte(float x, float y) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(__fmaf_rn(x, x, y * y)));
    return __float_as_uint(fminf(root, 255.0f) + 8388608.0f);
}

/// The same of one half of two registers of sums. `order` selects the half: it becomes the last places of
/// 2^23, which is subtracted with the 32768.
__device__ inline unsigned length_byte(const unsigned (&sums)[2], unsigned order) {
    constexpr unsigned kTwoTo23 = 0x4b000000u;
    constexpr float kZero = 8388608.0f + 32768.0f;
    return length_byte(__uint_as_float(__byte_perm(sums[0], kTwoTo23, order)) - kZero,
                       __uint_as_float(__byte_perm(sums[1], kTwoTo23, order)) - kZero);
}

/// The 16 bytes of the output row `row` of a thread's rows.
template <typename L>
__device__ uint4 packed_lengths(const unsigned (&pairs)[L::kRead][L::kPairs], const SlopeFactors& factors,
                                int row) {
    unsigned slopes[L::kOwnPairs][2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        unsigned sums[L::kPairs] = {};
#pragma unroll
        for (int i = 0; i < L::kSize; ++i)
#pragma unroll
            for (int p = 0; p < L::kPairs; ++p)
                sums[p] += static_cast<unsigned>(factors.column[k][i]) * pairs[row + i][p];
#pragma unroll
        for (int p = 0; p < L::kOwnPairs; ++p) {
            slopes[p][k] = 0x80008000u;
#pragma unroll
            for (int j = 0; j < L::kSize; ++j)
                slopes[p][k] += static_cast<unsigned>(factors.row[k][j]) * sums[p + j * L::kNeighbour];
        }
    }
    unsigned low[L::kOwnPairs], high[L::kOwnPairs];
#pragma unroll
    for (int p = 0; p < L::kOwnPairs; ++p)
        low[p] = length_byte(slopes[p], 0x7610u), high[p] = length_byte(slopes[p], 0x7632u);
    const auto word = [](unsigned a, unsigned b, unsigned c, unsigned d) {
        return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
    };
    if constexpr (L::kChannels == 4)
        return {word(low[0], low[1], high[0], high[1]), word(low[2], low[3], high[2], high[3]),
                word(low[4], low[5], high[4], high[5]), word(low[6], low[7], high[6], high[7])};
    else
        return {word(low[0], low[1], low[2], low[3]), word(low[4], low[5], low[6], low[7]),
                word(high[0], high[1], high[2], high[3]), word(high[4], high[5], high[6], high[7])};
}

/// One pixel (x, y) of the rectangle of outputs: the samples that no whole column has.
template <typename L>
__device__ void put_length_of_pixel(const StageCommon& c, const StageItem& item, const ColumnGrid& grid,
                                    const SlopeFactors& factors, int x, int y) {
    constexpr int K = L::kSize;
    int slopes[2][L::kChannels] = {};
#pragma unroll 1
    for (int i = 0; i < K; ++i) {
        const int row = index_at_border(c.border, c.dst_y + y + i - K / 2, c.height) - c.src_y;
#pragma unroll 1
        for (int j = 0; j < K; ++j) {
            const int column = index_at_border(c.border, c.dst_x + x + j - K / 2, c.width) - c.src_x;
            if (row < 0 || row >= c.src_height || column < 0 || column >= c.src_width) continue; // zeros
            const auto* pixel = reinterpret_cast<const unsigned char*>(item.src +
                                                                       std::int64_t{row} * item.src_pitch) +
                                std::int64_t{column} * L::kChannels;
            assert(is_of_source<unsigned char>(c, item, pixel, L::kChannels));
#pragma unroll
            for (int k = 0; k < 2; ++k)
#pragma unroll
                for (int s = 0; s < L::kChannels; ++s)
                    slopes[k][s] += factors.column[k][i] * factors.row[k][j] * __ldg(pixel + s);
        }
    }
    auto* to = reinterpret_cast<unsigned char*>(item.dst + std::int64_t{y} * item.dst_pitch);
#pragma unroll
    for (int s = 0; s < L::kChannels; ++s)
        if (const int sample = x * L::kChannels + s, column = sample + grid.shift;
            column < grid.whole_begin * L::kSamples || column >= grid.whole_end * L::kSamples) {
            assert(is_of_result<unsigned char>(c, item, to + sample, 1));
            to[sample] = static_cast<unsigned char>(
                length_byte(static_cast<float>(slopes[0][s]), static_cast<float>(slopes[1][s])));
        }
}

template <int Channels, int Size>
__global__ void __launch_bounds__(kColumnLanes* kColumnWarps, 4)
    combine_packed(const __grid_constant__ StageParameters<kFewWeights> p,
                   const __grid_constant__ ColumnGrid grid, const __grid_constant__ SlopeFactors factors) {
    using L = PackedGradient<Channels, Size>;
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const ThreadPlace own(c, grid, L::kSamples);
    if (!own.exists) return;
    if (!own.whole) return put_length_of_pixel<L>(c, item, grid, factors, own.column, own.row);
    unsigned pairs[L::kRead][L::kPairs];
    {
        unsigned words[L::kRead][L::kWords];
        Windows<L>(c, item, own.column, own.row).next(words);
#pragma unroll
        for (int r = 0; r < L::kRead; ++r) pair_samples<L>(words[r], pairs[r]);
    }
    const int end = c.dst_width * Channels;
    const bool together = grid.wide_stores && own.column >= 0 && own.column + L::kSamples <= end;
    auto* to = reinterpret_cast<unsigned char*>(item.dst + std::int64_t{own.row} * item.dst_pitch) +
               own.column;
#pragma unroll
    for (int r = 0; r < L::kRows; ++r, to += item.dst_pitch) {
        if (own.row + r >= c.dst_height) return;
        const uint4 bytes = packed_lengths<L>(pairs, factors, r);
        if (together) {
            assert(is_of_result<unsigned char>(c, item, to, 16));
            *reinterpret_cast<uint4*>(to) = bytes;
            continue;
        }
        const unsigned words[] = {bytes.x, bytes.y, bytes.z, bytes.w};
#pragma unroll
        for (int s = 0; s < L::kSamples; ++s)
            if (own.column + s >= 0 && own.column + s < end) {
                assert(is_of_result<unsigned char>(c, item, to + s, 1));
                to[s] = static_cast<unsigned char>(words[s / 4] >> s % 4 * 8);
            }
    }
}

} // namespace kg::gpu
