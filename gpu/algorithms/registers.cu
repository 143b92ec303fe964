// Every thread marches down its columns with the neighbourhood of one row in registers: no shared memory, no barrier.
//
// For kernels up to 7 x 7 the sums cost so little that whatever surrounds them decides: filling a tile, waiting for
// it, reading it again. Here a thread loads 8 or 16 bytes of each row of the image, and the few samples beside them,
// straight from global memory; the caches serve what neighbours share. A row is widened to f32 once and added to the K
// output rows that it belongs to; the first multiply-add of each moves the sums up one row, so that nothing else does.
//
//      columns of a thread
//      halo  16 bytes  halo
//     +----+----------+----+
//     |    | row t    |    |   sums[0] + kernel row K - 1 -> output row t - K + 1, complete
//     |    | row t+1  |    |   sums[m + 1] + kernel row K - 2 - m -> sums[m]
//     |    |   ...    |    |   kernel row 0 -> sums[K - 2]
//     +----+----------+----+   the next rows are loaded meanwhile
//
// A row of the image is a sequence of samples here, in which a neighbour is `Channels` samples away, so any number of
// channels has full loads and stores. Loads are aligned whatever rectangle is asked for: the grid of threads begins up
// to 15 bytes before it. The few pixels whose window leaves the source's rows are computed by threads of their own, one
// for each, in further blocks, so that nobody waits for the border.
//
// Failed: all rows of a thread unrolled, so that all loads are in flight together. Its 40 KB of code ran once per warp
// and missed the instruction cache (8-bit grey 3 x 3: 66 us, and 36 us for 512 x 512).

#include "core/request/step.hpp"
#include "gpu/kernels/tile.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <vector>

namespace kg::gpu {

namespace {

constexpr int kLanes = 32, kWarps = 4, kThreads = kLanes * kWarps;
constexpr int kLargestKernel = 7;
// Warps of a launch for each multiprocessor. Bytes are bound by instructions, so few and long ones; floats by memory, so
// many that the last of them end together.
constexpr int kWarpsOfIntegers = 20, kWarpsOfFloats = 80;

/// What a thread owns of each row: kSamples neighbouring samples, in a window of words with the halo on both sides.
template <typename In, int Channels, int K>
struct Registers {
    static constexpr int kSampleBytes = static_cast<int>(sizeof(In)), kInWord = 4 / kSampleBytes;
    static constexpr int kBytes = K == 3 || sizeof(In) == 4 ? 16 : 8, kSamples = kBytes / kSampleBytes;
    static constexpr int kHalo = K / 2 * Channels; ///< samples on each side that taps reach

    /// Words on each side that contain the halo: 1, 2 or a multiple of 4, so that few loads bring them.
    static constexpr int halo_words() {
        const int words = (kHalo + kInWord - 1) / kInWord;
        return words <= 2 ? words : (words + 3) / 4 * 4;
    }
    static constexpr int kHaloWords = halo_words(), kOwnWords = kSamples / kInWord;
    static constexpr int kWords = 2 * kHaloWords + kOwnWords;
    static constexpr int kBefore = kHaloWords * kInWord; ///< samples of the window before the thread's own
    static constexpr int kWindow = kWords * kInWord;
    static constexpr int kInFlight = kSamples == 16 || kWords > 6 ? 2 : 3; ///< rows loaded ahead
    /// Resident blocks per multiprocessor, as many as there are registers for without spills.
    static constexpr int kBlocks = sizeof(In) == 4 && Channels < 3 && K == 3 ? 5 : K < 7 ? 4 : 3;
};

/// Division of a launch into threads: of columns of kSamples samples, the first of which begins `shift` samples before
/// the rectangle of outputs. Those whose window lies within the source's rows are whole; single threads compute each
/// pixel of the others.
struct RegisterGrid {
    int whole_begin, whole_end; ///< columns
    int shift;
    int rows;          ///< output rows of a thread
    int blocks_across; ///< of the whole columns
    int whole_blocks;  ///< further blocks are of the pixels beside them:
    int left, right;   ///< pixels of a row before and behind the whole columns, which share the last of them
    bool wide_stores;  ///< a thread's samples may be stored at once
    bool floats;       ///< the result is f32, whatever the source
    bool plain;        ///< the sums over their divisor are the result
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

/// The i-th sample of a word as a float. An integer becomes the last places of 2^23, which is then subtracted: two
/// instructions that the GPU issues at full rate, where a conversion has a quarter or less of it.
template <typename In>
__device__ float widened(unsigned word, int i) {
    if constexpr (sizeof(In) == 4) return __uint_as_float(word);
    else {
        constexpr unsigned kTwoTo23 =
            0x4b000000u; // its bytes are 4 to 7 of the permutation, 0x4b is the last
        const unsigned order = sizeof(In) == 1 ? 0x7440u + static_cast<unsigned>(i)
                               : i == 0        ? 0x7410u
                                               : 0x7432u;
        return __uint_as_float(__byte_perm(word, kTwoTo23, order)) - 8388608.0f;
    }
}

/// Reads the windows of a thread row by row, from its first output's first row on.
template <typename In, int Channels, int K>
class Windows {
    using R = Registers<In, Channels, K>;

public:
    /// The first output is sample `column` of row `row` of the rectangle of outputs.
    __device__ Windows(const StageCommon& c, const StageItem& item, int column, int row)
        : c_(c), item_(item), row_(c.dst_y + row - K / 2 - c.src_y),
          at_(item.src + std::int64_t{row_} * item.src_pitch +
              std::int64_t{(c.dst_x - c.src_x) * Channels + column - R::kBefore} * R::kSampleBytes) {}

    __device__ void next(unsigned (&words)[R::kWords]) {
        const auto* from = at_;
        if (static_cast<unsigned>(row_) >= static_cast<unsigned>(c_.src_height)) from = border_row();
        at_ += item_.src_pitch;
        ++row_;
        if (!from) {
#pragma unroll
            for (auto& word : words) word = 0;
            return;
        }
        assert(is_of_source<In>(c_, item_, from, 4 * R::kWords));
        constexpr int kOwn = R::kHaloWords, kRight = R::kHaloWords + R::kOwnWords;
        load_words<R::kHaloWords, R::kBytes>(from, words);
        load_words<R::kOwnWords, R::kBytes>(from + 4 * kOwn, words + kOwn);
        load_words<R::kHaloWords, R::kBytes>(from + 4 * kRight, words + kRight);
    }

private:
    /// The row that the border puts in the place of one outside; null: it is zeros, or no output needs it.
    __device__ const std::byte* border_row() const {
        const int y = border_index(c_.border, row_ + c_.src_y, c_.height) - c_.src_y;
        return y < 0 || y >= c_.src_height ? nullptr : at_ + std::int64_t{y - row_} * item_.src_pitch;
    }

    const StageCommon& c_;
    const StageItem& item_;
    int row_;             ///< the next row, counted from the source's first
    const std::byte* at_; ///< where it would be
};

/// Adds one kernel row to sums.
template <typename In, int Channels, int K, bool SkipZeros>
__device__ void add_kernel_row(const float (&row)[Registers<In, Channels, K>::kWindow], const float* weights,
                               float (&sums)[Registers<In, Channels, K>::kSamples]) {
    using R = Registers<In, Channels, K>;
#pragma unroll
    for (int j = 0; j < K; ++j) {
        const float weight = weights[j];
        if (SkipZeros && weight == 0.0f) continue;
#pragma unroll
        for (int s = 0; s < R::kSamples; ++s)
            sums[s] = __fmaf_rn(weight, row[R::kBefore - R::kHalo + j * Channels + s], sums[s]);
    }
}

/// Multiplies colour by alpha, the last of four samples.
template <typename In, int Count>
__device__ void weight_by_alpha(float (&samples)[Count]) {
#pragma unroll
    for (int i = 0; i < Count; i += 4) {
        const float4 pixel = premultiplied<In>(samples[i], samples[i + 1], samples[i + 2], samples[i + 3]);
        samples[i] = pixel.x, samples[i + 1] = pixel.y, samples[i + 2] = pixel.z;
    }
}

/// Stores neighbouring samples of one row, the first of which is sample `column` of the rectangle of outputs; those outside
/// it are left out.
template <typename In, int Channels, int Count>
__device__ void store_samples(const StageCommon& c, const StageItem& item, const RegisterGrid& grid,
                              int column, std::byte* to, const float (&values)[Count]) {
    const int end = c.dst_width * Channels;
    const auto store = [&]<typename Out>(Out* out) {
#pragma unroll
        for (int s = 0; s < Count; ++s)
            if (column + s >= 0 && column + s < end) {
                assert(is_of_result<Out>(c, item, out + s, sizeof(Out)));
                out[s] = SampleTraits<Out>::from(values[s]);
            }
    };
    if (grid.floats) store(reinterpret_cast<float*>(to));
    else store(reinterpret_cast<In*>(to));
}

/// The same at once, for samples that all lie inside.
template <typename In, int Count>
__device__ void store_all(const StageCommon& c, const StageItem& item, const RegisterGrid& grid,
                          std::byte* to, const float (&values)[Count]) {
    const auto store = [&]<typename Out>(Out* out) {
        assert(is_of_result<Out>(c, item, out, sizeof(Out) * Count));
        store_together(out, values);
    };
    if (grid.floats) store(reinterpret_cast<float*>(to));
    else store(reinterpret_cast<In*>(to));
}

/// From the sums of neighbouring samples of one output row, the first of which is of channel `first_channel`, to samples
/// before rounding. Channels that are not computed come from `centre`, the samples' places in the source.
template <typename In, int Channels, bool Premultiply, int Count>
__device__ void finish_samples(const StageCommon& c, int first_channel, const In* centre,
                               float (&values)[Count]) {
#pragma unroll
    for (int s = 0; s < Count; ++s) values[s] += offset_of(c, (first_channel + s) % Channels);
    if constexpr (Premultiply) divide_by_alpha<In>(values, c.kernels[0].reciprocal != 0.0f);
    else if (c.computed != (1u << Channels) - 1u) {
#pragma unroll
        for (int s = 0; s < Count; ++s)
            if (!(c.computed >> (first_channel + s) % Channels & 1u))
                values[s] = static_cast<float>(__ldg(centre + s));
    }
}

/// The same without alpha weighting, as a function of its own: most launches never call it, and inlined it is most of a
/// kernel's code.
template <typename In, int Channels, int Count>
__device__ __noinline__ void finish_elsewhere(const StageCommon& c, int first_channel, const In* centre,
                                              float* sums) {
    float values[Count];
#pragma unroll
    for (int s = 0; s < Count; ++s) values[s] = sums[s];
    finish_samples<In, Channels, false>(c, first_channel, centre, values);
#pragma unroll
    for (int s = 0; s < Count; ++s) sums[s] = values[s];
}

/// Computes the outputs of a thread of whole columns: `rows` rows from the place of `windows` on, which become the rows
/// from `to` on. The loop is not unrolled further: longer code misses the instruction cache.
template <typename In, int Channels, int K, bool SkipZeros, bool Premultiply>
__device__ void march(const StageParameters<kFewWeights>& p, const StageItem& item, const RegisterGrid& grid,
                      Windows<In, Channels, K> windows, int column, int row) {
    using R = Registers<In, Channels, K>;
    const auto& c = p.common;
    const int last = min(grid.rows, c.dst_height - row) + K - 2;
    const bool whole = grid.wide_stores && column >= 0 && column + R::kSamples <= c.dst_width * Channels;
    auto* to = item.dst + std::int64_t{row} * item.dst_pitch +
               std::int64_t{column} * (grid.floats ? 4 : R::kSampleBytes);
    unsigned words[R::kInFlight][R::kWords];
#pragma unroll
    for (int t = 0; t < R::kInFlight; ++t)
        if (t <= last) windows.next(words[t]);
    float sums[K - 1][R::kSamples] = {};
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
        float window[R::kWindow];
#pragma unroll
        for (int i = 0; i < R::kWindow; ++i)
            window[i] = widened<In>(words[0][i / R::kInWord], i % R::kInWord);
#pragma unroll
        for (int later = 1; later < R::kInFlight; ++later)
#pragma unroll
            for (int w = 0; w < R::kWords; ++w) words[later - 1][w] = words[later][w];
        if (t + R::kInFlight <= last) windows.next(words[R::kInFlight - 1]);
        if constexpr (Premultiply) weight_by_alpha<In>(window);
        add_kernel_row<In, Channels, K, SkipZeros>(window, p.weights + (K - 1) * K, sums[0]);
        if (t >= K - 1) {
            divide(sums[0], c.kernels[0]);
            const auto* centre = reinterpret_cast<const In*>(
                                     item.src +
                                     std::int64_t{c.dst_y + row + t - (K - 1) - c.src_y} * item.src_pitch) +
                                 std::int64_t{c.dst_x - c.src_x} * Channels + column;
            if constexpr (Premultiply) finish_samples<In, Channels, true>(c, 0, centre, sums[0]);
            else if (!grid.plain) {
                float copy[R::kSamples]; // in local memory
#pragma unroll
                for (int s = 0; s < R::kSamples; ++s) copy[s] = sums[0][s];
                finish_elsewhere<In, Channels, R::kSamples>(c, (column + R::kSamples * Channels) % Channels,
                                                            centre, copy);
#pragma unroll
                for (int s = 0; s < R::kSamples; ++s) sums[0][s] = copy[s];
            }
            if (whole) store_all<In>(c, item, grid, to, sums[0]);
            else store_samples<In, Channels>(c, item, grid, column, to, sums[0]);
            to += item.dst_pitch;
        }
#pragma unroll
        for (int m = 0; m < K - 1; ++m) {
#pragma unroll
            for (int s = 0; s < R::kSamples; ++s)
                sums[m][s] = m < K - 2 ? sums[m < K - 2 ? m + 1 : m][s] : 0.0f;
            add_kernel_row<In, Channels, K, SkipZeros>(window, p.weights + (K - 2 - m) * K, sums[m]);
        }
    }
}

/// Computes one pixel (x, y) of the rectangle of outputs tap by tap, in the same order. Stores those of its samples that
/// no whole column has.
template <typename In, int Channels, int K, bool SkipZeros, bool Premultiply>
__device__ void compute_pixel(const StageParameters<kFewWeights>& p, const StageItem& item,
                              const RegisterGrid& grid, int x, int y) {
    constexpr int kSamples = Registers<In, Channels, K>::kSamples;
    const auto& c = p.common;
    int columns[K]; // of the source; negative: zeros, or no output needs them
#pragma unroll
    for (int j = 0; j < K; ++j) {
        const int column = border_index(c.border, c.dst_x + x + j - K / 2, c.width) - c.src_x;
        columns[j] = column < c.src_width ? column : -1;
    }
    float sums[Channels] = {};
#pragma unroll 1
    for (int i = 0; i < K; ++i) {
        const int row = border_index(c.border, c.dst_y + y + i - K / 2, c.height) - c.src_y;
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
#pragma unroll
        for (int j = 0; j < K; ++j) {
            const float weight = p.weights[i * K + j];
            if (SkipZeros && weight == 0.0f) continue;
#pragma unroll
            for (int s = 0; s < Channels; ++s)
                sums[s] = __fmaf_rn(weight, samples[j * Channels + s], sums[s]);
        }
    }
    divide(sums, c.kernels[0]);
    const auto* centre = reinterpret_cast<const In*>(item.src +
                                                     std::int64_t{c.dst_y + y - c.src_y} * item.src_pitch) +
                         std::int64_t{c.dst_x + x - c.src_x} * Channels;
    if constexpr (Premultiply) finish_samples<In, Channels, true>(c, 0, centre, sums);
    else if (!grid.plain) finish_elsewhere<In, Channels, Channels>(c, 0, centre, sums);
    const auto store = [&]<typename Out>(Out*) {
        auto* to = reinterpret_cast<Out*>(item.dst + std::int64_t{y} * item.dst_pitch);
#pragma unroll
        for (int s = 0; s < Channels; ++s)
            if (const int sample = x * Channels + s, column = sample + grid.shift;
                column < grid.whole_begin * kSamples || column >= grid.whole_end * kSamples) {
                assert(is_of_result<Out>(c, item, to + sample, sizeof(Out)));
                to[sample] = SampleTraits<Out>::from(sums[s]);
            }
    };
    if (grid.floats) store(static_cast<float*>(nullptr));
    else store(static_cast<In*>(nullptr));
}

/// `SkipZeros`: a zero weight is not a tap (floats, whose NaN must not pass through it). `Premultiply`: alpha-weighted
/// sums (gpu/kernels/alpha_weighting.cuh).
template <typename In, int Channels, int K, bool SkipZeros = false, bool Premultiply = false>
__global__ void __launch_bounds__(kThreads, Registers<In, Channels, K>::kBlocks)
    filter_registers(const __grid_constant__ StageParameters<kFewWeights> p,
                     const __grid_constant__ RegisterGrid grid) {
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const int block = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x),
              warp = static_cast<int>(threadIdx.y);
    if (block < grid.whole_blocks) {
        const int across = grid.whole_begin + block % grid.blocks_across * kLanes + lane,
                  row = (block / grid.blocks_across * kWarps + warp) * grid.rows;
        if (across >= grid.whole_end || row >= c.dst_height) return;
        const int column = across * Registers<In, Channels, K>::kSamples - grid.shift;
        march<In, Channels, K, SkipZeros, Premultiply>(p, item, grid, {c, item, column, row}, column, row);
    } else {
        const int beside = grid.left + grid.right;
        const auto number = std::int64_t{block - grid.whole_blocks} * kThreads + warp * kLanes + lane;
        const auto y = number / beside;
        const int x = static_cast<int>(number - y * beside);
        if (y >= c.dst_height) return;
        compute_pixel<In, Channels, K, SkipZeros, Premultiply>(
            p, item, grid, x < grid.left ? x : c.dst_width - beside + x, static_cast<int>(y));
    }
}

/// The smallest of 3, 5 and 7 whose square around an output contains the kernel's taps; 0 = none.
int square_of(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    const int most = std::max({r.left, r.right, r.up, r.down});
    return most > kLargestKernel / 2 ? 0 : std::max(2 * most + 1, 3);
}

/// The kernel in that square; the weights around it are zeros, which are not taps.
PackedStage pack_square(const ImageStep& step) {
    auto packed = pack(step, false);
    auto& kernel = packed.common.kernels[0];
    const int k = square_of(step);
    std::vector<float> weights(static_cast<std::size_t>(k * k));
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j)
            weights[static_cast<std::size_t>((i + kernel.dy + k / 2) * k + j + kernel.dx + k / 2)] =
                packed.weights[static_cast<std::size_t>(i * kernel.width + j)];
    kernel = {0,
              k,
              k,
              -k / 2,
              -k / 2,
              kernel.divisor,
              kernel.reciprocal,
              step.in.depth == Depth::f32 && std::ranges::find(weights, 0.0f) != weights.end()};
    packed.weights = std::move(weights);
    return packed;
}

template <typename Body>
void with_square(int k, Body body) {
    if (k == 3) body(Constant<3>{});
    else if (k == 5) body(Constant<5>{});
    else body(Constant<7>{});
}

class RegistersPlan final : public StagePlan {
public:
    RegistersPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_square(step)), multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        const bool skip_zeros = packed().common.kernels[0].skip_zeros, weighted = is_alpha_weighted(step);
        const auto choose = [&](auto in) {
            using In = decltype(in);
            with_square(square_of(step), [&](auto k) {
                constexpr int K = decltype(k)::value;
                const auto of = [&]<int Channels>(Constant<Channels>) {
                    using R = Registers<In, Channels, K>;
                    samples_ = R::kSamples, before_ = R::kBefore;
                    const auto take = [&](auto* kernel) { kernel_ = reinterpret_cast<const void*>(kernel); };
                    if constexpr (std::is_same_v<In, float>) {
                        if (skip_zeros) return take(&filter_registers<In, Channels, K, true>);
                    } else if constexpr (Channels == 4) {
                        if (weighted) return take(&filter_registers<In, Channels, K, false, true>);
                    }
                    take(&filter_registers<In, Channels, K>);
                };
                if (step.in.channels == 1) return of(Constant<1>{});
                if constexpr (sizeof(In) < 4 || K < 7) {
                    if (step.in.channels == 3) of(Constant<3>{});
                    else of(Constant<4>{});
                }
            });
        };
        if (step.in.depth == Depth::u8) choose(std::uint8_t{});
        else if (step.in.depth == Depth::u16) choose(std::uint16_t{});
        else choose(float{});
    }

private:
    /// Samples between an address that loads may begin at and the first output's own sample; -1: it is not a whole
    /// number of pixels, or differs among the items, and all must be gathered.
    int shift(const StageCommon& c, unsigned count) const {
        const auto sample = static_cast<std::int64_t>(bytes(step().in.depth));
        const auto unit = is_alpha_weighted(step()) ? sample * c.channels : sample;
        const auto of = [&](const StageItem& item) {
            const auto at = reinterpret_cast<std::int64_t>(item.src) +
                            std::int64_t{c.dst_x - c.src_x} * c.channels * sample;
            const auto over = at % (samples_ * sample);
            return over % unit == 0 && item.src_pitch % 16 == 0 ? static_cast<int>(over / sample) : -1;
        };
        const int first = of(c.items[0]);
        for (unsigned i = 1; i < count; ++i)
            if (of(c.items[i]) != first) return -1;
        return first;
    }
    bool may_store_together(const StageCommon& c, unsigned count, int shift) const {
        const auto sample = static_cast<std::int64_t>(bytes(step().out.depth));
        return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
            const auto at = reinterpret_cast<std::int64_t>(item.dst) - shift * sample;
            return at % std::min<std::int64_t>(16, samples_ * sample) == 0 && item.dst_pitch % 16 == 0;
        });
    }
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        const auto up = [](std::int64_t number, std::int64_t step) {
            return static_cast<int>((number + step - 1) / step);
        };
        RegisterGrid grid{};
        const int aligned = shift(c, count), k = packed().common.kernels[0].width,
                  samples = c.dst_width * c.channels;
        grid.shift = std::max(aligned, 0);
        if (aligned >= 0) {
            // Column i has its window at sample origin + i * samples_ of the source's rows.
            const int origin = (c.dst_x - c.src_x) * c.channels - grid.shift - before_,
                      room = c.src_width * c.channels - origin - 2 * before_ - samples_;
            grid.whole_begin = origin >= 0 ? 0 : up(-origin, samples_);
            grid.whole_end = std::min(up(samples + grid.shift, samples_), room < 0 ? 0 : room / samples_ + 1);
            if (grid.whole_end <= grid.whole_begin) grid.whole_begin = grid.whole_end = 0;
        }
        const int whole = grid.whole_end - grid.whole_begin;
        grid.left = whole == 0 ? c.dst_width
                               : up(std::max(grid.whole_begin * samples_ - grid.shift, 0), c.channels);
        grid.right = whole == 0 ? 0
                                : c.dst_width -
                                      std::min(grid.whole_end * samples_ - grid.shift, samples) / c.channels;
        grid.blocks_across = std::max(up(whole, kLanes), 1);
        // As many rows as leave each multiprocessor its warps, but not so few that most of them are read twice.
        const auto warps = std::int64_t{multiprocessors_} *
                           (is_integer(step().in.depth) ? kWarpsOfIntegers : kWarpsOfFloats);
        grid.rows = static_cast<int>(std::clamp<std::int64_t>(
            std::int64_t{grid.blocks_across} * c.dst_height * count / warps, k - 1, 64));
        grid.whole_blocks = whole > 0
                                ? grid.blocks_across * up(c.dst_height, std::int64_t{kWarps} * grid.rows)
                                : 0;
        const int other_blocks = up(std::int64_t{grid.left + grid.right} * c.dst_height, kThreads);
        grid.wide_stores = may_store_together(c, count, grid.shift);
        grid.floats = step().out.depth == Depth::f32;
        grid.plain = c.offset == 0.0f && c.computed == all_channels(c.channels);
        const dim3 blocks{static_cast<unsigned>(grid.whole_blocks + other_blocks), 1, count};
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, blocks, {kLanes, kWarps}, 0, arguments);
    }

    int multiprocessors_;
    int samples_ = 0, before_ = 0;
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float32, AlphaWeighting::itself); !why.empty())
        return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (square_of(step) == 0) return "its taps reach further than 3 pixels";
    if (sums_by_rows(step.stages.front().kernels.front(), step.in.depth))
        return "it sums all taps in one chain, which 16-bit samples with these weights do not allow";
    if (step.in.channels == 2)
        return "it handles images of 1, 3 and 4 channels"; // others are rare, and code is limited
    if (step.in.depth == Depth::f32 && step.in.channels > 1 && square_of(step) == 7)
        return "it handles 7 x 7 of floats in one channel only";
    if (is_alpha_weighted(step) &&
        !(step.in.channels == 4 && step.in.alpha == 3 && is_integer(step.in.depth) && step.out == step.in &&
          computed_channels(step) == all_channels(4)))
        return "it sums alpha-weighted colour itself only for RGBA of integers";
    return {};
}

/// Fitted to an H200 with 4096 x 4096 pixels, for 3 x 3, 5 x 5 and 7 x 7 (docs/performance.md).
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kAlphaWeighting = 1.5;
    constexpr double kMicrosecondsPerMillion[3][3] = {{1.25, 1.9, 3.0}, {1.5, 2.3, 3.4}, {2.8, 3.2, 5.3}};
    const auto& step = std::get<ImageStep>(request);
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const auto& of_depth = kMicrosecondsPerMillion[bytes(step.in.depth) / 2]; // of 1, 2 or 4 bytes
    return {kLaunch +
            millions * of_depth[square_of(step) / 2 - 1] * (is_alpha_weighted(step) ? kAlphaWeighting : 1)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<RegistersPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kRegisters{
    "registers",
    "Registers",
    "Kernels up to 7 x 7: each thread's neighbourhood in registers, no shared memory",
    "register tiling: Volkov, Better performance at lower occupancy (GTC 2010)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
