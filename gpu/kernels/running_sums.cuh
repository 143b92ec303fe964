#pragma once
// The device code of `running_sums` (gpu/algorithms/running_sums.cu).

#include "gpu/kernels/running_sums.hpp"
#include "gpu/kernels/tensor/byte_rows.cuh"
#include "gpu/kernels/tensor/integer_sums.cuh"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

/// What a thread owns of a row.
template <typename In, int Channels>
struct RunningShape {
    static constexpr int kPixels = running_pixels(Channels), kSamples = kPixels * Channels,
                         kWords = kSamples * static_cast<int>(sizeof(In)) / 4;
    static constexpr int kPitch = running_pitch(Channels);         ///< pitch of a thread's prefix sums
    static constexpr int kRows = running_rows_at_once(sizeof(In)); ///< rows of outputs at a time
};

/// Loads a thread's pixels of rows of the source.
template <typename In, int Channels>
struct RunningReader {
    using S = RunningShape<In, Channels>;
    const StageCommon& c;
    const StageItem& item;
    const int* columns; ///< source columns of the thread's pixels, in shared memory
    int offset;         ///< offset of its first pixel in a row, in bytes
    bool together;      ///< all its pixels lie in the source, at an address where words may be loaded at once

    /// Rows of the source; a negative one is zeros.
    template <int Rows>
    __device__ __forceinline__ void load(const int* rows, unsigned (&words)[Rows][S::kWords]) const {
        if (together) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) load_together(rows[r], words[r]);
        } else {
#pragma unroll
            for (int r = 0; r < Rows; ++r) gather(rows[r], words[r]);
        }
    }

private:
    __device__ __forceinline__ void load_together(int row, unsigned (&words)[S::kWords]) const {
#pragma unroll
        for (auto& word : words) word = 0;
        if (row < 0) return;
        const auto* at = item.src + std::int64_t{row} * item.src_pitch + offset;
        assert(is_of_source<In>(c, item, at, 4 * S::kWords));
        if constexpr (S::kWords % 4 == 0) {
#pragma unroll
            for (int w = 0; w < S::kWords; w += 4) {
                const uint4 four = __ldg(reinterpret_cast<const uint4*>(at) + w / 4);
                words[w] = four.x, words[w + 1] = four.y, words[w + 2] = four.z, words[w + 3] = four.w;
            }
        } else {
#pragma unroll
            for (int w = 0; w < S::kWords; w += 2) {
                const uint2 two = __ldg(reinterpret_cast<const uint2*>(at) + w / 2);
                words[w] = two.x, words[w + 1] = two.y;
            }
        }
    }

    /// Nothing branches between the loads of a row, so that they are in flight together.
    __device__ __forceinline__ void gather(int row, unsigned (&words)[S::kWords]) const {
        using Load = std::conditional_t<Channels == 4, unsigned, In>;
        constexpr int kLoads = Channels == 4 ? S::kWords : S::kSamples, kOfPixel = kLoads / S::kPixels,
                      kOfWord = 4 / static_cast<int>(sizeof(Load));
        const auto* line = reinterpret_cast<const Load*>(item.src + std::int64_t{row} * item.src_pitch);
        unsigned found[kLoads];
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            const int column = columns[i / kOfPixel];
            const auto* at = line + std::int64_t{column} * kOfPixel + i % kOfPixel;
            found[i] = 0;
            if (row < 0 || column < 0) continue;
            assert(is_of_source<In>(c, item, at, sizeof(Load)));
            found[i] = __ldg(at);
        }
#pragma unroll
        for (int w = 0; w < S::kWords; ++w) {
            words[w] = found[w * kOfWord];
#pragma unroll
            for (int i = 1; i < kOfWord; ++i)
                words[w] |= found[w * kOfWord + i] << (8 * static_cast<int>(sizeof(Load)) * i);
        }
    }
};

/// Sample s of a thread's words.
template <typename In>
__device__ __forceinline__ unsigned sample_of(const unsigned* words, int s) {
    if constexpr (sizeof(In) == 1)
        return __byte_perm(words[s / 4], 0, 0x4440u + static_cast<unsigned>(s % 4));
    else return __byte_perm(words[s / 2], 0, s % 2 ? 0x4432u : 0x4410u);
}

/// For every channel the sum over all pixels of the thread block before the thread's own, from the sums of
/// its own. `all`: of the thread block's warps, in shared memory; the thread block has to meet between
/// `begin` and `end`.
template <int Channels>
struct BlockScan {
    unsigned before[Channels];

    __device__ __forceinline__ void begin(const unsigned (&own)[Channels], unsigned* all, int lane,
                                          int warp) {
        unsigned sums[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) sums[s] = own[s];
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2)
#pragma unroll
            for (int s = 0; s < Channels; ++s)
                // The instruction's predicate is true where there is a lane so far below.
                asm volatile("{ .reg .pred p; .reg .u32 below;\n"
                             "  shfl.sync.up.b32 below|p, %0, %1, 0, 0xffffffff;\n"
                             "  @p add.u32 %0, %0, below; }"
                             : "+r"(sums[s])
                             : "r"(distance));
#pragma unroll
        for (int s = 0; s < Channels; ++s) {
            before[s] = sums[s] - own[s];
            if (lane == 31) all[warp * Channels + s] = sums[s];
        }
    }
    __device__ __forceinline__ void end(const unsigned* all, int warp) {
#pragma unroll 1
        for (int w = 0; w < warp; ++w)
#pragma unroll
            for (int s = 0; s < Channels; ++s) before[s] += all[w * Channels + s];
    }
};

/// The sums of the window of a thread's pixel p: prefix sums behind the window less those before it.
template <int Channels>
__device__ __forceinline__ void window_sums(const RunningGrid& grid, const unsigned* prefix, int p,
                                            int (&sums)[Channels]) {
    const auto *before = prefix + grid.before[p], *behind = prefix + grid.behind[p];
    if constexpr (Channels == 1) {
        sums[0] = static_cast<int>(*behind - *before);
    } else {
        const uint4 a = *reinterpret_cast<const uint4*>(before), b = *reinterpret_cast<const uint4*>(behind);
        sums[0] = static_cast<int>(b.x - a.x), sums[1] = static_cast<int>(b.y - a.y);
        sums[2] = static_cast<int>(b.z - a.z);
        if constexpr (Channels == 4) sums[3] = static_cast<int>(b.w - a.w);
    }
}

/// Stores the averages of all windows of a thread at once: each is below the depth's full scale.
template <typename In, int Channels, typename S = RunningShape<In, Channels>>
__device__ __forceinline__ void store_averages(const StageCommon& c, const StageItem& item,
                                               const RunningGrid& grid, const unsigned* prefix, int x,
                                               int y) {
    constexpr float kRounds = 12582912.0f; // 1.5 * 2^23: the lowest bits of a sum with it are the average
    float values[S::kSamples];
#pragma unroll
    for (int p = 0; p < S::kPixels; ++p) {
        int sums[Channels];
        window_sums<Channels>(grid, prefix, p, sums);
#pragma unroll
        for (int s = 0; s < Channels; ++s) values[p * Channels + s] = static_cast<float>(sums[s]);
    }
    const float added = c.floats ? 0.0f : kRounds;
    if (grid.finish.rounding == SumRounding::divide) {
#pragma unroll
        for (float& value : values)
            value = divided(value, grid.finish.divisor, grid.finish.reciprocal) + added;
    } else {
#pragma unroll
        for (float& value : values) value = __fmaf_rn(value, grid.finish.reciprocal, added);
    }
    if (c.floats) return store_outputs<float, Channels>(c, item, x, y, values);
    constexpr int kOfWord = 4 / static_cast<int>(sizeof(In));
    unsigned words[S::kWords];
#pragma unroll
    for (int w = 0; w < S::kWords; ++w) {
        unsigned bits[4];
#pragma unroll
        for (int i = 0; i < kOfWord; ++i) bits[i] = __float_as_uint(values[w * kOfWord + i]);
        words[w] = kOfWord == 2 ? __byte_perm(bits[0], bits[1], 0x5410)
                                : __byte_perm(__byte_perm(bits[0], bits[1], 0x0040),
                                              __byte_perm(bits[2], bits[3], 0x0040), 0x5410);
    }
    auto* to = item.dst + std::int64_t{y} * item.dst_pitch +
               std::int64_t{x} * Channels * static_cast<int>(sizeof(In));
    assert(is_of_result<In>(c, item, to, 4 * S::kWords));
#pragma unroll
    for (int w = 0; w < S::kWords;) {
        if constexpr (S::kWords % 4 == 0) {
            __stcs(reinterpret_cast<uint4*>(to) + w / 4,
                   make_uint4(words[w], words[w + 1], words[w + 2], words[w + 3]));
            w += 4;
        } else {
            __stcs(reinterpret_cast<uint2*>(to) + w / 2, make_uint2(words[w], words[w + 1]));
            w += 2;
        }
    }
}

/// Stores the results of a thread's windows pixel by pixel, whatever they are.
template <typename In, int Channels, typename S = RunningShape<In, Channels>>
__device__ __forceinline__ void store_each(const StageCommon& c, const StageItem& item,
                                           const RunningGrid& grid, const unsigned* prefix, int x, int y) {
#pragma unroll 1
    for (int p = 0; p < S::kPixels; ++p) {
        int sums[Channels];
        window_sums<Channels>(grid, prefix, p, sums);
        float values[Channels];
        finish_as_floats<false>(grid.finish, sums, values, [&](int s) { return offset_of(c, s); });
        pass_through<In, Channels>(c, item, x + p, y, values);
        if (x + p >= c.dst_width) return;
        auto* to = item.dst + std::int64_t{y} * item.dst_pitch;
#pragma unroll
        for (int s = 0; s < Channels; ++s) {
            const std::int64_t at = std::int64_t{x + p} * Channels + s;
            if (c.floats) reinterpret_cast<float*>(to)[at] = values[s];
            else reinterpret_cast<In*>(to)[at] = SampleTraits<In>::from(values[s]);
        }
    }
}

/// With 168 registers a thread, twelve warps share a multiprocessor (gpu/kernels/running_sums.cpp).
template <typename In, int Channels>
__global__ void __maxnreg__(168)
    filter_running_sums(const __grid_constant__ StageCommon c, const __grid_constant__ RunningGrid grid) {
    using S = RunningShape<In, Channels>;
    extern __shared__ uint4 memory[];
    const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x),
              lane = thread % kWarp, warp = thread / kWarp, warps = threads / kWarp;
    // [kRows][threads] of prefix sums, [kRows][warps] of sums, [threads] of columns, rows
    auto* prefixes = reinterpret_cast<unsigned*>(memory);
    auto* of_warps = prefixes + S::kRows * threads * S::kPitch;
    auto* columns = reinterpret_cast<int*>(of_warps + S::kRows * warps * Channels);
    auto* rows = columns + threads * S::kPixels;
    const auto& item = c.items[blockIdx.z];
    const int x = static_cast<int>(blockIdx.x) % grid.across * grid.outputs,
              y = static_cast<int>(blockIdx.x) / grid.across * grid.rows,
              end = min(y + grid.rows, c.dst_height);

    const int begin = c.dst_x + x - c.left - grid.lead, own = thread * S::kPixels;
    const int first = begin + own - c.src_x; // column of the source
    const bool together = grid.wide_loads && first >= 0 && first + S::kPixels <= c.src_width;
    if (!together) {
#pragma unroll 1
        for (int p = own; p < own + S::kPixels; ++p)
            columns[p] = source_index(c.border, begin + p, c.width, c.src_x, c.src_width);
    }
    // From the row above the first window on.
#pragma unroll 1
    for (int i = thread; i < running_rows(grid); i += threads)
        rows[i] = source_index(c.border, c.dst_y + y - c.up - 1 + i, c.height, c.src_y, c.src_height);
    if (c.stop.raised_for_block()) return;

    const RunningReader<In, Channels> reader{c, item, columns + own,
                                             first * Channels * static_cast<int>(sizeof(In)), together};
    unsigned sums[S::kSamples] = {}; // sums of the columns
    {
        constexpr int kAtOnce = 4;
        unsigned words[kAtOnce][S::kWords];
        int i = 0;
#pragma unroll 1
        for (; i + kAtOnce <= grid.height; i += kAtOnce) {
            reader.load(rows + i, words);
#pragma unroll
            for (int r = 0; r < kAtOnce; ++r)
#pragma unroll
                for (int s = 0; s < S::kSamples; ++s) sums[s] += sample_of<In>(words[r], s);
        }
#pragma unroll 1
        for (; i < grid.height; ++i) {
            unsigned row[1][S::kWords];
            reader.load(rows + i, row);
#pragma unroll
            for (int s = 0; s < S::kSamples; ++s) sums[s] += sample_of<In>(row[0], s);
        }
    }
    unsigned entering[S::kRows][S::kWords], leaving[S::kRows][S::kWords];
    reader.load(rows + grid.height, entering);
    reader.load(rows, leaving);
    const bool outputs = own < grid.outputs && x + own < c.dst_width,
               averages = grid.averages && x + own + S::kPixels <= c.dst_width;
#pragma unroll 1
    for (int row = y; row < end; row += S::kRows) {
        unsigned of_rows[S::kRows][S::kSamples];
        BlockScan<Channels> scans[S::kRows];
#pragma unroll
        for (int r = 0; r < S::kRows; ++r) {
            unsigned own_sums[Channels] = {};
#pragma unroll
            for (int s = 0; s < S::kSamples; ++s) {
                sums[s] = sums[s] + sample_of<In>(entering[r], s) - sample_of<In>(leaving[r], s);
                of_rows[r][s] = sums[s];
                own_sums[s % Channels] += sums[s];
            }
            scans[r].begin(own_sums, of_warps + r * warps * Channels, lane, warp);
        }
        rows += S::kRows;
        reader.load(rows + grid.height, entering);
        reader.load(rows, leaving);
        __syncthreads(); // the prefix sums of the rows before are no longer read
#pragma unroll
        for (int r = 0; r < S::kRows; ++r) {
            scans[r].end(of_warps + r * warps * Channels, warp);
            auto& sum = scans[r].before;
            auto* to = prefixes + (r * threads + thread) * S::kPitch;
#pragma unroll
            for (int p = 0; p < S::kPixels; ++p) {
                if constexpr (Channels == 1) to[p] = sum[0];
                else reinterpret_cast<uint4*>(to)[p] = make_uint4(sum[0], sum[1], sum[2], sum[Channels - 1]);
#pragma unroll
                for (int s = 0; s < Channels; ++s) sum[s] += of_rows[r][p * Channels + s];
            }
        }
        __syncthreads();
        if (!outputs) continue;
#pragma unroll 1
        for (int r = 0; r < min(S::kRows, end - row); ++r) {
            const auto* own_prefixes = prefixes + (r * threads + thread) * S::kPitch;
            if (averages) store_averages<In, Channels>(c, item, grid, own_prefixes, x + own, row + r);
            else store_each<In, Channels>(c, item, grid, own_prefixes, x + own, row + r);
        }
    }
}

} // namespace kg::gpu
