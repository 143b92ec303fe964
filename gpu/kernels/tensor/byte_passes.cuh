#pragma once
// The two passes of `separable_bytes` over what a warp holds in its registers.
// gpu/algorithms/separable_bytes.cu draws where each lane has what; gpu/kernels/tensor/byte_factors.hpp
// derives the numbers.

#include "gpu/kernels/tensor/byte_factors.hpp"
#include "gpu/kernels/tensor/integer_sums.cuh"
#include "gpu/kernels/tensor/mma.cuh"

namespace kg::gpu {

/// What a warp has: `Blocks` times 16 samples of window in each direction.
template <int Channels, int Blocks, bool Exact>
struct ByteShape {
    static constexpr int kUnits = Channels == 1 ? 4 : Channels;       ///< products that share weights
    static constexpr int kColumns = Channels == 1 ? 16 * kUnits : 16; ///< columns of outputs
    static constexpr int kWindow = kColumns / 16 + Blocks - 1;        ///< blocks of 16 pixels in a row
    static constexpr int kDigits = Exact ? 1 : 2;
    /// Type of the operands, but for the columns' low digits, which are signed.
    using Weight = std::conditional_t<Exact, std::int8_t, std::uint8_t>;
};

/// A lane's operands of weights.
template <int Blocks, int Digits>
struct ByteBands {
    unsigned row[Digits][Blocks][2], column[Digits][Blocks][2];

    __device__ __forceinline__ ByteBands(const std::uint32_t (&rows)[Digits][ByteTables::kWords],
                                         const std::uint32_t (&columns)[Digits][ByteTables::kWords],
                                         int lane) {
        const int g = lane / 4, t = lane % 4;
#pragma unroll
        for (int d = 0; d < Digits; ++d)
#pragma unroll
            for (int b = 0; b < Blocks; ++b)
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    row[d][b][half] = rows[d][row_word(b, t, g + 8 * half)];
                    column[d][b][half] = columns[d][column_word(b, t, g + 8 * half)];
                }
    }
};

/// sums += band * the operand's words.
template <typename A, int Blocks, typename Words>
__device__ __forceinline__ void add_byte_products(int (&sums)[4], const unsigned (&band)[Blocks][2],
                                                  Words word) {
#pragma unroll
    for (int b = 0; b + 1 < Blocks; b += 2)
        multiply_add_k32<A>(sums, make_uint4(band[b][0], band[b][1], band[b + 1][0], band[b + 1][1]), word(b),
                            word(b + 1));
    if constexpr (Blocks % 2 == 1)
        multiply_add_k16<A>(sums, make_uint2(band[Blocks - 1][0], band[Blocks - 1][1]), word(Blocks - 1));
}

/// The row pass of 8 rows: two words per unit, each with the high bytes of two row sums and then their low
/// ones.
template <int Channels, int Blocks, bool Exact, typename S = ByteShape<Channels, Blocks, Exact>>
__device__ __forceinline__ void
sum_byte_rows(const ByteFinish& finish, const ByteBands<Blocks, S::kDigits>& bands,
              const unsigned (&words)[S::kWindow][Channels], unsigned (&sums)[S::kUnits][2]) {
    constexpr unsigned kBytes = Exact ? 0x4051 : 0x6273;
#pragma unroll
    for (int u = 0; u < S::kUnits; ++u) {
        const auto word = [&](int b) { return Channels == 1 ? words[u + b][0] : words[b][u % Channels]; };
        int digits[S::kDigits][4] = {};
        unsigned v[4];
#pragma unroll
        for (int d = 0; d < S::kDigits; ++d)
            add_byte_products<typename S::Weight>(digits[d], bands.row[d], word);
#pragma unroll
        for (int e = 0; e < 4; ++e)
            if constexpr (Exact) v[e] = static_cast<unsigned>(digits[0][e]);
            else
                v[e] = static_cast<unsigned>(digits[1][e]) * (256 * finish.row_scale) +
                       (static_cast<unsigned>(digits[0][e]) * finish.row_scale + 0x8000u);
        sums[u][0] = __byte_perm(v[0], v[1], kBytes);
        sums[u][1] = __byte_perm(v[2], v[3], kBytes);
    }
}

/// From the sums of a unit's columns to bytes: words of four neighbouring pixels of rows g and g + 8. Sum 4 j
/// + e is of row g + 8 (e / 2), column 4 t + 2 j + e % 2.
template <bool Exact, bool Plain>
__device__ __forceinline__ void finish_byte_columns(const ByteFinish& finish, float offset, bool alpha,
                                                    const int (&high)[8], const int (&low)[8],
                                                    unsigned& first, unsigned& second) {
    int v[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        if constexpr (Exact && Plain)
            v[i] = to_saturate(scaled_sum<false>(finish.sums, 256 * high[i] + low[i], 0.0f));
        else if constexpr (Exact) {
            const int sum = 256 * high[i] + low[i] - finish.bias;
            v[i] = to_saturate(finish.sums.rounding == SumRounding::divide
                                   ? divided_sum<false>(finish.sums, sum, offset)
                                   : scaled_sum<false>(finish.sums, sum, offset));
        } else if constexpr (Plain)
            v[i] = static_cast<int>(
                static_cast<unsigned>(high[i]) * finish.high_scale +
                (static_cast<unsigned>(low[i]) * finish.scale + finish.add)); // the highest byte counts
        else v[i] = (256 * high[i] + low[i] + (alpha ? finish.start_of_alpha : finish.start)) >> finish.shift;
    const auto pack = [&](int i) {
        if constexpr (Exact || !Plain) return pack_saturated(v[i], v[i + 1], v[i + 4], v[i + 5]);
        else {
            const auto pair = [&](int j, unsigned order) {
                return __byte_perm(static_cast<unsigned>(v[j]), static_cast<unsigned>(v[j + 1]), order);
            };
            return __byte_perm(pair(i, 0x0073), pair(i + 4, 0x7300), 0x7610);
        }
    };
    first = pack(0), second = pack(2);
}

/// The last 16 Blocks rows of a warp's row sums, high and low bytes.
template <int Channels, int Blocks, bool Exact, typename S = ByteShape<Channels, Blocks, Exact>>
struct ByteRowSums {
    unsigned high[Blocks][S::kUnits][2] = {}, low[Blocks][S::kUnits][2] = {};

    /// Appends 16 rows: the sums of 8 and of 8 more.
    __device__ __forceinline__ void append(const unsigned (&first)[S::kUnits][2],
                                           const unsigned (&second)[S::kUnits][2], unsigned sign) {
#pragma unroll
        for (int u = 0; u < S::kUnits; ++u)
#pragma unroll
            for (int j = 0; j < 2; ++j) {
#pragma unroll
                for (int b = 0; b + 1 < Blocks; ++b)
                    high[b][u][j] = high[b + 1][u][j], low[b][u][j] = low[b + 1][u][j];
                high[Blocks - 1][u][j] = __byte_perm(first[u][j], second[u][j], 0x5410) ^ (Exact ? sign : 0);
                low[Blocks - 1][u][j] = __byte_perm(first[u][j], second[u][j], 0x7632);
            }
    }

    /// The column pass: words of four pixels of row g and of row g + 8, one per unit.
    template <bool Plain>
    __device__ __forceinline__ void sum_columns(const StageCommon& c, const ByteFinish& finish,
                                                const ByteBands<Blocks, S::kDigits>& bands,
                                                unsigned (&results)[2][S::kUnits]) const {
        const auto& band = bands.column[S::kDigits - 1];
#pragma unroll
        for (int u = 0; u < S::kUnits; ++u) {
            int of_high[8], of_low[8];
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const auto high_word = [&](int b) { return high[b][u][j]; };
                const auto low_word = [&](int b) { return low[b][u][j]; };
                int tops[4] = {}, rests[4] = {};
                add_byte_products<typename S::Weight>(tops, band, high_word);
                add_byte_products<typename S::Weight>(rests, band, low_word);
                if constexpr (!Exact) add_byte_products<std::int8_t>(rests, bands.column[0], high_word);
#pragma unroll
                for (int e = 0; e < 4; ++e) of_high[4 * j + e] = tops[e], of_low[4 * j + e] = rests[e];
            }
            const bool alpha = Channels > 1 && u == c.alpha;
            finish_byte_columns<Exact, Plain>(finish, alpha ? 0.0f : c.offset, alpha, of_high, of_low,
                                              results[0][u], results[1][u]);
        }
    }
};

} // namespace kg::gpu
