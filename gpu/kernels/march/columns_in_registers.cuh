#pragma once
// Threads that own some neighbouring samples of some neighbouring rows and keep their neighbourhood in
// registers, read straight from the image: shared by `registers`, which marches down, and `march` and
// `gradient`, whose smallest kernels take all rows at once.
//
// A row of the image is a sequence of samples, in which a neighbour is `Channels` samples away. A thread's
// window of a row is its own 8 or 16 bytes, aligned whatever rectangle is asked for, and the words beside
// them that taps reach. The few pixels whose window leaves the source's rows are computed by threads of their
// own, so that nobody waits for the border.

#include "gpu/kernels/march/column_grid.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

/// What a thread owns of each row: kSamples neighbouring samples of `Bytes` bytes, in a window of words with
/// the halo on both sides.
template <typename Sample, int Channels, int Size, int Bytes>
struct ColumnLayout {
    using In = Sample;
    static constexpr int kChannels = Channels, kSize = Size, kBytes = Bytes;
    static constexpr int kSampleBytes = static_cast<int>(sizeof(In)), kInWord = 4 / kSampleBytes;
    static constexpr int kSamples = kBytes / kSampleBytes;
    static constexpr int kHalo = Size / 2 * Channels; ///< samples on each side that taps reach
    /// Rows of the kernel are summed by themselves, as 16 bits demand of weights that are not integers, and
    /// floats from 9 x 9 on (sums_by_rows()).
    static constexpr bool kByRows = sizeof(In) == 2 || (sizeof(In) == 4 && Size >= 9);

    /// Words on each side that contain the halo: 1, 2 or a multiple of 4, so that few loads bring them.
    static constexpr int halo_words() {
        const int words = (kHalo + kInWord - 1) / kInWord;
        return words <= 2 ? words : (words + 3) / 4 * 4;
    }
    static constexpr int kHaloWords = halo_words(), kOwnWords = kSamples / kInWord;
    static constexpr int kWords = 2 * kHaloWords + kOwnWords;
    static constexpr int kBefore = kHaloWords * kInWord; ///< samples of the window before the thread's own
    static constexpr int kWindow = kWords * kInWord;
    static constexpr ColumnShape kShape{kSamples, kSampleBytes, kBefore, Size};
};

/// What a thread of a launch computes: whole columns from (column, row) of the rectangle of outputs on, or
/// else one pixel.
struct ThreadPlace {
    bool exists, whole;
    int column, row; ///< in samples and rows; of a pixel, in pixels

    __device__ ThreadPlace(const StageCommon& c, const ColumnGrid& grid, int samples) {
        const int block = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x),
                  warp = static_cast<int>(threadIdx.y);
        whole = block < grid.whole_blocks;
        if (whole) {
            const int across = grid.whole_begin + block % grid.blocks_across * kColumnLanes + lane;
            column = across * samples - grid.shift;
            row = (block / grid.blocks_across * kColumnWarps + warp) * grid.rows;
            exists = across < grid.whole_end && row < c.dst_height;
        } else {
            const int beside = grid.left + grid.right;
            const auto number = std::int64_t{block - grid.whole_blocks} * (kColumnLanes * kColumnWarps) +
                                warp * kColumnLanes + lane;
            row = static_cast<int>(number / beside);
            const int x = static_cast<int>(number - std::int64_t{row} * beside);
            column = x < grid.left ? x : c.dst_width - beside + x;
            exists = row < c.dst_height;
        }
    }
};

/// `Count` words by the widest loads, from an address that is a multiple of `Aligned` bytes.
template <int Count, int Aligned>
__device__ void load_words(const std::byte* from, unsigned* words) {
    constexpr int kAtOnce = Count % 4 == 0 && Aligned >= 16 ? 4 : Count % 2 == 0 && Aligned >= 8 ? 2 : 1;
#pragma unroll
    for (int w = 0; w < Count; w += kAtOnce) {
        const auto* at = from + 4 * w;
        if constexpr (kAtOnce == 4) {
            const uint4 v = __ldg(reinterpret_cast<const uint4*>(at));
            words[w] = v.x, words[w + 1] = v.y, words[w + 2] = v.z, words[w + 3] = v.w;
        } else if constexpr (kAtOnce == 2) {
            const uint2 v = __ldg(reinterpret_cast<const uint2*>(at));
            words[w] = v.x, words[w + 1] = v.y;
        } else words[w] = __ldg(reinterpret_cast<const unsigned*>(at));
    }
}

/// The i-th sample of a word as a float that is larger by kBias: an integer becomes the last places of 2^23.
inline constexpr float kBias = 0x1p23f;
template <typename In>
__device__ float biased(unsigned word, int i) {
    // The bytes of 2^23 are 4 to 7 of the permutation; 0x4b is the last.
    constexpr unsigned kTwoTo23 = 0x4b000000u;
    const unsigned order = sizeof(In) == 1 ? 0x7440u + static_cast<unsigned>(i) : i == 0 ? 0x7410u : 0x7432u;
    return __uint_as_float(__byte_perm(word, kTwoTo23, order));
}

/// The i-th sample of a word as a float, by two instructions that the GPU issues at full rate, where a
/// conversion has a quarter or less of it.
template <typename In>
__device__ float widened(unsigned word, int i) {
    if constexpr (sizeof(In) == 4) return __uint_as_float(word);
    else return biased<In>(word, i) - kBias;
}

/// Reads the windows of a thread row by row, from its first output's first row on.
template <typename L>
class Windows {
    using In = typename L::In;
    static constexpr int kBehind = L::kHaloWords + L::kOwnWords;

public:
    /// The first output is sample `column` of row `row` of the rectangle of outputs.
    __device__ Windows(const StageCommon& c, const StageItem& item, int column, int row)
        : c_(c), item_(item), row_(c.dst_y + row - L::kSize / 2 - c.src_y),
          at_(item.src + std::int64_t{row_} * item.src_pitch +
              std::int64_t{(c.dst_x - c.src_x) * L::kChannels + column - L::kBefore} * L::kSampleBytes) {}

    __device__ void next(unsigned (&words)[L::kWords]) {
        load(static_cast<unsigned>(row_) < static_cast<unsigned>(c_.src_height) ? at_ : border_row(), words);
        at_ += item_.src_pitch;
        ++row_;
    }

    /// The next `Rows` rows at once, all loads in flight together.
    template <int Rows>
    __device__ void next(unsigned (&words)[Rows][L::kWords]) {
        if (row_ >= 0 && row_ + Rows <= c_.src_height) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) load_row(at_ + r * item_.src_pitch, words[r]);
            return;
        }
        const std::byte* rows[Rows]; // in local memory: border_index() is long
#pragma unroll 1
        for (int r = 0; r < Rows; ++r, ++row_, at_ += item_.src_pitch)
            rows[r] = static_cast<unsigned>(row_) < static_cast<unsigned>(c_.src_height) ? at_ : border_row();
#pragma unroll
        for (int r = 0; r < Rows; ++r) load(rows[r], words[r]);
    }

private:
    /// Null stands for a row of zeros.
    __device__ void load(const std::byte* from, unsigned (&words)[L::kWords]) const {
        if (!from) {
#pragma unroll
            for (auto& word : words) word = 0;
        } else load_row(from, words);
    }
    __device__ void load_row(const std::byte* from, unsigned (&words)[L::kWords]) const {
        assert(is_of_source<In>(c_, item_, from, 4 * L::kWords));
        load_words<L::kHaloWords, L::kBytes>(from, words);
        load_words<L::kOwnWords, L::kBytes>(from + 4 * L::kHaloWords, words + L::kHaloWords);
        load_words<L::kHaloWords, L::kBytes>(from + 4 * kBehind, words + kBehind);
    }

    /// The row that the border puts in the place of one outside; null: it is zeros, or no output needs it.
    __device__ const std::byte* border_row() const {
        const int y = index_at_border(c_.border, row_ + c_.src_y, c_.height) - c_.src_y;
        return y < 0 || y >= c_.src_height ? nullptr : at_ + std::int64_t{y - row_} * item_.src_pitch;
    }

    const StageCommon& c_;
    const StageItem& item_;
    int row_;             ///< the next row, counted from the source's first
    const std::byte* at_; ///< where it would be
};

/// Replaces pixels by weighted_by_alpha().
template <typename In, int Count>
__device__ void weight_by_alpha(float (&samples)[Count]) {
#pragma unroll
    for (int i = 0; i < Count; i += 4) {
        const float4 pixel = weighted_by_alpha<In>(samples[i], samples[i + 1], samples[i + 2],
                                                   samples[i + 3]);
        samples[i] = pixel.x, samples[i + 1] = pixel.y, samples[i + 2] = pixel.z, samples[i + 3] = pixel.w;
    }
}

/// The samples of a window of pixels weighted by alpha, straight from its words. What widened() subtracts
/// from a colour is subtracted in the multiplication, which is exact for bytes; 16 bits are rounded once.
template <typename In, int Words, int Count>
__device__ void weight_by_alpha(const unsigned (&words)[Words], float (&samples)[Count]) {
    constexpr int kInWord = Count / Words;
#pragma unroll
    for (int i = 0; i < Count; i += 4) {
        const auto with_bias = [&](int s) { return biased<In>(words[(i + s) / kInWord], (i + s) % kInWord); };
        const float fraction = __fmaf_rn(with_bias(3), kAlphaUnit<In>, -kBias * kAlphaUnit<In>);
        const float subtracted = -kBias * fraction;
#pragma unroll
        for (int s = 0; s < 3; ++s) samples[i + s] = __fmaf_rn(with_bias(s), fraction, subtracted);
        samples[i + 3] = fraction;
    }
}

/// Stores neighbouring samples of one row, the first of which is sample `column` of the rectangle of outputs;
/// those outside it are left out.
template <typename In, int Channels, int Count>
__device__ void store_samples(const StageCommon& c, const StageItem& item, int column, std::byte* to,
                              const float (&values)[Count]) {
    const int end = c.dst_width * Channels;
    const auto store = [&]<typename Out>(Out* out) {
#pragma unroll
        for (int s = 0; s < Count; ++s)
            if (column + s >= 0 && column + s < end) {
                assert(is_of_result<Out>(c, item, out + s, sizeof(Out)));
                out[s] = SampleTraits<Out>::from(values[s]);
            }
    };
    if (c.floats) store(reinterpret_cast<float*>(to));
    else if constexpr (!std::is_same_v<In, float>) store(reinterpret_cast<In*>(to));
}

/// The same at once, for samples that all lie inside.
template <typename In, int Count>
__device__ void store_all(const StageCommon& c, const StageItem& item, std::byte* to,
                          const float (&values)[Count]) {
    const auto store = [&]<typename Out>(Out* out) {
        assert(is_of_result<Out>(c, item, out, sizeof(Out) * Count));
        store_together(out, values);
    };
    if (c.floats) store(reinterpret_cast<float*>(to));
    else if constexpr (!std::is_same_v<In, float>) store(reinterpret_cast<In*>(to));
}

/// From the quotients of neighbouring samples of one output row, the first of which is of channel
/// `first_channel`, to samples before rounding, without alpha weighting. Channels that are not computed come
/// from `centre`, the samples' places in the source. Most launches never call it, and inlined it is most of a
/// kernel's code.
template <typename In, int Channels, int Count>
__device__ __noinline__ void finish_samples(const StageCommon& c, int first_channel, const In* centre,
                                            float* values) {
#pragma unroll
    for (int s = 0; s < Count; ++s) {
        values[s] += offset_of(c, (first_channel + s) % Channels);
        if (!(c.computed >> (first_channel + s) % Channels & 1u))
            values[s] = static_cast<float>(__ldg(centre + s));
    }
}

/// Stores samples of one output row, the first of which is sample `column` of row `row`. `together`: at once.
template <typename L>
__device__ void store_row(const StageCommon& c, const StageItem& item, int column, int row, bool together,
                          const float (&values)[L::kSamples]) {
    using In = typename L::In;
    auto* to = item.dst + std::int64_t{row} * item.dst_pitch +
               std::int64_t{column} * (c.floats ? 4 : L::kSampleBytes);
    if (together) store_all<In>(c, item, to, values);
    else store_samples<In, L::kChannels>(c, item, column, to, values);
}

/// From the quotients of one output row, the first of sample `column` and row `row`, to results, which are
/// stored.
template <typename L>
__device__ void put_quotients(const StageCommon& c, const StageItem& item, const ColumnGrid& grid, int column,
                              int row, bool together, float (&sums)[L::kSamples]) {
    using In = typename L::In;
    if (!grid.plain) {
        const auto* centre = reinterpret_cast<const In*>(item.src + std::int64_t{c.dst_y + row - c.src_y} *
                                                                        item.src_pitch) +
                             std::int64_t{c.dst_x - c.src_x} * L::kChannels + column;
        float copy[L::kSamples]; // in local memory
#pragma unroll
        for (int s = 0; s < L::kSamples; ++s) copy[s] = sums[s];
        finish_samples<In, L::kChannels, L::kSamples>(c, (column + L::kSamples * L::kChannels) % L::kChannels,
                                                      centre, copy);
#pragma unroll
        for (int s = 0; s < L::kSamples; ++s) sums[s] = copy[s];
    }
    store_row<L>(c, item, column, row, together, sums);
}

/// The same from sums. `Premultiply`: of pixels weighted by alpha.
template <typename L, bool Premultiply>
__device__ void put_row(const StageCommon& c, const StageItem& item, const ColumnGrid& grid, int column,
                        int row, bool together, float (&sums)[L::kSamples]) {
    if constexpr (Premultiply) {
        finish_weighted<typename L::In>(c.kernels[0], sums);
        store_row<L>(c, item, column, row, together, sums);
    } else {
        divide(sums, c.kernels[0]);
        put_quotients<L>(c, item, grid, column, row, together, sums);
    }
}

/// Sums the taps of one pixel (x, y) of the rectangle of outputs, in the order of the whole columns.
template <typename L, bool SkipZeros, bool Premultiply>
__device__ void sum_pixel(const StageCommon& c, const StageItem& item, const float* weights, int x, int y,
                          float (&sums)[L::kChannels]) {
    using In = typename L::In;
    constexpr int Channels = L::kChannels, K = L::kSize;
    int columns[K]; // the source's; negative: zeros, or no output needs them
#pragma unroll 1    // border_index() is long
    for (int j = 0; j < K; ++j) {
        const int column = index_at_border(c.border, c.dst_x + x + j - K / 2, c.width) - c.src_x;
        columns[j] = column < c.src_width ? column : -1;
    }
#pragma unroll 1
    for (int i = 0; i < K; ++i) {
        const int row = index_at_border(c.border, c.dst_y + y + i - K / 2, c.height) - c.src_y;
        const auto* line = reinterpret_cast<const In*>(item.src + std::int64_t{row} * item.src_pitch);
        float samples[K * Channels];
#pragma unroll
        for (int s = 0; s < K * Channels; ++s) {
            const bool exists = row >= 0 && row < c.src_height && columns[s / Channels] >= 0;
            const auto* at = line + std::int64_t{columns[s / Channels]} * Channels + s % Channels;
            assert(!exists || is_of_source<In>(c, item, at, sizeof(In)));
            samples[s] = exists ? static_cast<float>(__ldg(at)) : 0.0f;
        }
        if constexpr (Premultiply) weight_by_alpha<In>(samples);
        float row_sums[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) row_sums[s] = L::kByRows ? 0.0f : sums[s];
#pragma unroll
        for (int j = 0; j < K; ++j) {
            const float weight = weights[i * K + j];
            if (SkipZeros && weight == 0.0f) continue;
#pragma unroll
            for (int s = 0; s < Channels; ++s)
                row_sums[s] = __fmaf_rn(weight, samples[j * Channels + s], row_sums[s]);
        }
#pragma unroll
        for (int s = 0; s < Channels; ++s) sums[s] = L::kByRows ? sums[s] + row_sums[s] : row_sums[s];
    }
}

/// Stores one pixel (x, y) of the rectangle of outputs. `beside`: only the samples that no whole column has.
template <typename L>
__device__ void store_pixel(const StageCommon& c, const StageItem& item, const ColumnGrid& grid, bool beside,
                            int x, int y, const float (&values)[L::kChannels]) {
    const auto store = [&]<typename Out>(Out*) {
        auto* to = reinterpret_cast<Out*>(item.dst + std::int64_t{y} * item.dst_pitch);
#pragma unroll
        for (int s = 0; s < L::kChannels; ++s)
            if (const int sample = x * L::kChannels + s, column = sample + grid.shift;
                !beside || column < grid.whole_begin * L::kSamples ||
                column >= grid.whole_end * L::kSamples) {
                assert(is_of_result<Out>(c, item, to + sample, sizeof(Out)));
                to[sample] = SampleTraits<Out>::from(values[s]);
            }
    };
    if (c.floats) store(static_cast<float*>(nullptr));
    else if constexpr (!std::is_same_v<typename L::In, float>) store(static_cast<typename L::In*>(nullptr));
}

/// From the quotients of one pixel to results, which are stored as by store_pixel().
template <typename L>
__device__ void put_pixel(const StageCommon& c, const StageItem& item, const ColumnGrid& grid, bool beside,
                          int x, int y, float (&sums)[L::kChannels]) {
    using In = typename L::In;
    if (!grid.plain) {
        const auto* centre = reinterpret_cast<const In*>(item.src + std::int64_t{c.dst_y + y - c.src_y} *
                                                                        item.src_pitch) +
                             std::int64_t{c.dst_x + x - c.src_x} * L::kChannels;
        finish_samples<In, L::kChannels, L::kChannels>(c, 0, centre, sums);
    }
    store_pixel<L>(c, item, grid, beside, x, y, sums);
}

/// Computes one pixel (x, y) of the rectangle of outputs. `Premultiply`: weighted by alpha.
template <typename L, bool SkipZeros, bool Premultiply>
__device__ void compute_pixel(const StageParameters<kFewWeights>& p, const StageItem& item,
                              const ColumnGrid& grid, int x, int y) {
    const auto& c = p.common;
    float sums[L::kChannels] = {};
    sum_pixel<L, SkipZeros, Premultiply>(c, item, p.weights, x, y, sums);
    if constexpr (Premultiply) {
        finish_weighted<typename L::In>(c.kernels[0], sums);
        store_pixel<L>(c, item, grid, true, x, y, sums);
    } else {
        divide(sums, c.kernels[0]);
        put_pixel<L>(c, item, grid, true, x, y, sums);
    }
}

} // namespace kg::gpu
