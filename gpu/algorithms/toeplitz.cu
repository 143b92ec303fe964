// Larger kernels on 8-bit images by sparse products of bytes on tensor cores, without a Fourier transform.
//
// A product of two small matrices computes outputs of a convolution if one of them is a Toeplitz matrix, a
// kernel row that moves one pixel further with every output. A block brings its tile into shared memory
// once, border resolved and one plane per channel. A warp computes 128 x 8 outputs of a channel at a time:
// the B operands are windows of 32 (48) pixels that begin at the 8 blocks of 16 pixels of a row, and serve
// all output rows that the row belongs to; the A operands are 16 taps in 16 positions.
//
//      row of a plane |block 0|block 1|..|block 7|halo|     16 outputs  w0 w1 .. w15
//                     \-- window 0 --/                      of a block    w0 w1 .. w15
//                             \-- window 1 --/   = B                         w0 w1 .. w15   = A
//
//      width <= 16: a product sums windows of two neighbouring rows with the two kernel rows that meet them
//      width <= 32: a product sums two windows of a row, 16 pixels apart, with taps 0 to 15 and 16 to 31
//
// In a window of 32 pixels, 16 taps meet one of each two pixels that are 16 apart, so that the band is 2:4
// sparse and a product takes little more time than a dense one of half its extent. Layouts, and why a lane
// cuts its registers of A out of a table of 16 or 32 bytes per kernel row and digit, are in
// gpu/kernels/tensor/toeplitz_layout.hpp. The table comes with the launch, so a plan touches no memory of the
// device.
//
// Weights are integers of up to three signed digits (gpu/kernels/tensor/digit_weights.hpp), integer sums do
// not round, and what follows them is shared with the other algorithms on tensor cores
// (gpu/kernels/tensor/integer_sums.cuh).

#include "core/request/step.hpp"
#include "gpu/kernels/tensor/toeplitz_sums.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <bit>

namespace kg::gpu {

namespace {

using namespace toeplitz;

/// A warp's outputs: kRows rows of a channel.
struct Outputs {
    int column, row, channel;
    unsigned* staged; ///< the lane's bytes [row][32], or sums [row][32][4]
};

/// body(address of a sample, row, i) for a lane's samples that exist.
template <typename Sample, typename Byte, typename Body>
__device__ void for_each_sample(const StageCommon& c, Byte* first, std::int64_t pitch, const Outputs& o,
                                Body body) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
#pragma unroll 1
    for (int r = 0; r < min(kRows, c.dst_height - o.row); ++r) {
        auto* line = reinterpret_cast<Sample*>(first + std::int64_t{o.row + r} * pitch) + o.channel;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (const int x = o.column + output_of_lane(lane, i); x < c.dst_width)
                body(line + x * c.channels, r, i);
    }
}

/// Results in f32 from staged sums.
__device__ __noinline__ void store_floats(const StageCommon& c, const StageItem& item,
                                          const SumFinish& finish, Outputs o) {
    const float offset = offset_of(c, o.channel);
    for_each_sample<float>(c, item.dst, item.dst_pitch, o, [&](float* to, int r, int i) {
        const int sum[1] = {static_cast<int>(o.staged[r * 4 * kLanes + i])};
        float value[1];
        finish_as_floats<false>(finish, sum, value, [&](int) { return offset; });
        assert(is_of_result<float>(c, item, to, sizeof(float)));
        *to = value[0];
    });
}

/// A channel that is not computed: stages its bytes, or stores them as f32.
__device__ __noinline__ void copy_channel(const StageCommon& c, const StageItem& item, bool floats,
                                          Outputs o) {
    const auto* from = item.src + std::int64_t{c.dst_y - c.src_y} * item.src_pitch +
                       std::int64_t{c.dst_x - c.src_x} * c.channels;
    auto* bytes = reinterpret_cast<std::uint8_t*>(o.staged);
    const int pitch = kLanes * (floats ? 16 : 4);
    for_each_sample<const std::uint8_t>(c, from, item.src_pitch, o,
                                        [&](const std::uint8_t* at, int r, int i) {
                                            assert(is_of_source<std::uint8_t>(c, item, at, 1));
                                            bytes[r * pitch + i] = *at;
                                        });
    if (floats)
        for_each_sample<float>(c, item.dst, item.dst_pitch, o, [&](float* to, int r, int i) {
            assert(is_of_result<float>(c, item, to, sizeof(float)));
            *to = static_cast<float>(bytes[r * pitch + i]);
        });
}

/// Finishes a warp's sums of one channel: bytes are staged, floats stored.
__device__ void finish_channel(const StageCommon& c, const StageItem& item, const ToeplitzShape& shape,
                               LaneSums& own, const Outputs& o) {
    if (shape.floats) {
#pragma unroll
        for (int i = 0; i < 4 * kRows; i += 4)
            *reinterpret_cast<int4*>(o.staged + i * kLanes) = {own[i], own[i + 1], own[i + 2], own[i + 3]};
        store_floats(c, item, shape.finish, o);
        return;
    }
    const float offset = offset_of(c, o.channel);
    finish_as_bytes<false, true>(shape.finish, own, [&](int) { return offset; });
#pragma unroll
    for (int r = 0; r < kRows; ++r)
        o.staged[r * kLanes] = pack_saturated(own[4 * r], own[4 * r + 1], own[4 * r + 2], own[4 * r + 3]);
}

/// Stores 128 pixels of a row at a multiple of 16 bytes, the lane's in `words`, one per channel.
template <int Channels>
__device__ void store_row(const StageCommon& c, const StageItem& item, std::byte* line, int lane,
                          unsigned (&words)[Channels]) {
    if constexpr (Channels == 4) {
        to_interleaved(words);
        auto* to = line + output_of_lane(lane, 0) * 4;
        assert(is_of_result<std::uint8_t>(c, item, to, 72));
        *reinterpret_cast<uint2*>(to) = {words[0], words[1]};
        *reinterpret_cast<uint2*>(to + 64) = {words[2], words[3]};
    } else { // lanes of neighbouring groups exchange pairs: four neighbouring pixels each
        const bool is_odd = lane / 4 % 2 != 0;
#pragma unroll
        for (int k = 0; k < Channels; ++k)
            words[k] = __byte_perm(words[k], __shfl_xor_sync(~0u, words[k], 4), is_odd ? 0x3276 : 0x5410);
        to_interleaved(words);
        auto* to = line + (is_odd ? output_of_lane(lane, 2) - 2 : output_of_lane(lane, 0)) * Channels;
        assert(is_of_result<std::uint8_t>(c, item, to, 4 * Channels));
#pragma unroll
        for (int k = 0; k < Channels; ++k) reinterpret_cast<unsigned*>(to)[k] = words[k];
    }
}

/// Stores the staged bytes [channel][row][lane] of a strip, to which `o` belongs. Of `split` warps each takes
/// a part.
__device__ __noinline__ void store_strip(const StageCommon& c, const StageItem& item, int first, int split,
                                         Outputs o) {
    if (!c.wide_stores || o.column + kAcross > c.dst_width) {
        const auto* staged = o.staged;
        for (o.channel = first; o.channel < c.channels; o.channel += split) {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(staged + o.channel * kRows * kLanes);
            for_each_sample<std::uint8_t>(c, item.dst, item.dst_pitch, o,
                                          [&](std::uint8_t* to, int r, int i) {
                                              assert(is_of_result<std::uint8_t>(c, item, to, 1));
                                              *to = bytes[r * 4 * kLanes + i];
                                          });
        }
        return;
    }
    with_these_channels(c.channels, [&](auto channels) {
        constexpr int kChannels = decltype(channels)::value;
        auto* to = item.dst + std::int64_t{o.row} * item.dst_pitch + std::int64_t{o.column} * kChannels;
#pragma unroll 2
        for (int r = first; r < min(kRows, c.dst_height - o.row); r += split) {
            unsigned words[kChannels];
#pragma unroll
            for (int k = 0; k < kChannels; ++k) words[k] = o.staged[(k * kRows + r) * kLanes];
            store_row<kChannels>(c, item, to + r * item.dst_pitch, static_cast<int>(threadIdx.x) % kLanes,
                                 words);
        }
    });
}

/// `Small`: is_small(). One kernel for all depths, channels, digits and sets that have registers alike: what
/// surrounds the sums is most of its code.
template <bool Small>
__global__ void __launch_bounds__(kLanes* kMostWarps, Small ? 4 : 3)
    filter_toeplitz(const __grid_constant__ StageCommon c, const __grid_constant__ ToeplitzShape shape) {
    if constexpr (!kMultipliesBytes) return;
    extern __shared__ uint4 memory[]; // table of taps, planes, staged bytes
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    auto* const table = reinterpret_cast<unsigned*>(memory);
    Place place;
    place.column = static_cast<int>(blockIdx.x) % shape.blocks_across * kAcross;
    place.row = static_cast<int>(blockIdx.x) / shape.blocks_across * shape.strips * kRows;
    place.x = c.dst_x + place.column - c.left - shape.lead - c.src_x;
    place.y = c.dst_y + place.row - c.up - c.src_y;
    place.width = min(kAcross, c.dst_width - place.column) + shape.width - 1;
    place.height = min(shape.strips * kRows, c.dst_height - place.row) + shape.height - 1;
    place.planes = table + shape.table();
    const bool stopped = threadIdx.x == 0 && c.stop.raised();
    lay_out_table(shape, table);
    fill(c, item, shape, place);
    if (__syncthreads_or(stopped)) return;

    // Bytes of a strip's channels are staged until all are there, sums of floats only until they are
    // converted.
    const int strip = warp / shape.split, row = place.row + strip * kRows;
    auto* const behind = place.planes + c.channels * shape.plane();
    auto* const staged = behind + strip * c.channels * kRows * kLanes + lane;
#pragma unroll 1
    for (int channel = warp % shape.split; channel < c.channels && row < c.dst_height;
         channel += shape.split) {
        const Outputs outputs{place.column, row, channel,
                              shape.floats ? behind + (warp * kRows * kLanes + lane) * 4
                                           : staged + channel * kRows * kLanes};
        if (!(c.computed >> channel & 1u)) {
            copy_channel(c, item, shape.floats, outputs);
            continue;
        }
        LaneSums own;
        sum_channel<Small>(shape, place.planes + channel * shape.plane() + strip * kRows * shape.pitch(),
                           table, own);
        finish_channel(c, item, shape, own, outputs);
    }
    if (shape.floats) return;
    if (shape.split > 1) __syncthreads();
    store_strip(c, item, warp % shape.split, shape.split, {place.column, row, 0, staged});
}

/// What does not depend on where the step runs, for blocks of so many strips; without taps.
void set_shape(const ImageStep& step, int digits, int strips, ToeplitzShape& shape) {
    const auto& kernel = step.stages.front().kernels.front();
    shape.width = kernel.width, shape.height = kernel.height, shape.digits = digits;
    shape.sets = kernel.width <= kTapsOfSet ? 1 : 2;
    const int rows_at_once = 2 / shape.sets;
    // Where a product takes two kernel rows, the odd output rows begin in the middle of a step.
    shape.steps = shape.sets == 2 ? kernel.height : kernel.height / 2 + 1;
    shape.strips = strips, shape.split = strips == 1 ? step.in.channels : 1;
    shape.row_pixels = kAcross + kBlock * shape.sets;
    shape.tile_rows = (strips - 1) * kRows + (shape.steps - 1) * rows_at_once + kRows;
    shape.floats = step.out.depth == Depth::f32;
}

/// Shared memory of a block.
std::size_t shared_bytes(const ImageStep& step, const ToeplitzShape& shape) {
    const int strips = shape.strips * (shape.floats ? shape.split * 4 : step.in.channels);
    const int words = shape.table() + step.in.channels * shape.plane() + strips * kRows * kLanes;
    return static_cast<std::size_t>(words) * sizeof(unsigned);
}

class ToeplitzPlan final : public StagePlan {
public:
    ToeplitzPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors),
          weights_(*digit_weights(step.stages.front().kernels.front())) {
        const auto& c = packed().common;
        const auto& kernel = step.stages.front().kernels.front();
        const bool alpha_computed = c.alpha >= 0 && (c.computed >> c.alpha & 1u);
        finish_ = sum_finish(weights_, kernel.divisor,
                             {step.out.depth, c.offset, c.offset == 0.0f || !alpha_computed});
        kernel_ = is_small(weights_.digits, kernel.width <= kTapsOfSet ? 1 : 2)
                      ? reinterpret_cast<const void*>(&filter_toeplitz<true>)
                      : reinterpret_cast<const void*>(&filter_toeplitz<false>);
        allow_shared_memory(kernel_, engine);
    }

private:
    /// Bytes of the first pixel that a tap of the first output meets behind a multiple of `unit` bytes; -1:
    /// they differ among rows or items, or 4 channels do not begin with a word.
    static int phase(const StageCommon& c, unsigned count, int unit) {
        const auto of = [&](const StageItem& item) {
            const auto at = reinterpret_cast<std::int64_t>(item.src) +
                            std::int64_t{c.dst_x - c.left - c.src_x} * c.channels;
            const bool usable = item.src_pitch % unit == 0 && (c.channels != 4 || at % 4 == 0);
            return usable ? static_cast<int>(at % unit) : -1;
        };
        const int first = of(c.items[0]);
        return std::all_of(c.items, c.items + count, [&](const auto& item) { return of(item) == first; })
                   ? first
                   : -1;
    }
    /// Begins the tile's rows at an aligned address, if its windows have room for the pixels before the first
    /// tap.
    static void align(const StageCommon& c, unsigned count, ToeplitzShape& shape) {
        const int unit = c.channels == 4 ? 16 : 4, room = shape.sets * kTapsOfSet - shape.width;
        shape.lead = 0, shape.phase = phase(c, count, unit);
        for (int pixels = 0; pixels <= std::min(3, room); ++pixels)
            if (shape.phase >= 0 && (shape.phase - pixels * c.channels) % unit == 0)
                shape.lead = pixels, shape.phase = 0;
    }
    /// As many strips as leave each multiprocessor a few blocks.
    int strips(const StageCommon& c, std::int64_t across, unsigned count) const {
        constexpr std::int64_t kBlocks = 2;
        for (int strips = kMostWarps; strips > 1; strips /= 2)
            if (across * ((c.dst_height + strips * kRows - 1) / (strips * kRows)) * count >=
                kBlocks * multiprocessors_)
                return strips;
        return 1;
    }
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto& c = parameters.common;
        const auto& kernel = step().stages.front().kernels.front();
        const int across = (c.dst_width + kAcross - 1) / kAcross;
        ToeplitzShape shape;
        set_shape(step(), weights_.digits, strips(c, across, count), shape);
        shape.blocks_across = across;
        align(c, count, shape);
        shape.finish = finish_;
        lay_out(weights_, kernel.width, kernel.height, shape.lead, shape.sets, shape.taps);
        const int rows = shape.strips * kRows;
        const auto blocks = std::int64_t{across} * ((c.dst_height + rows - 1) / rows);
        void* arguments[] = {&c, &shape};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count},
                     {static_cast<unsigned>(kLanes * shape.strips * shape.split)},
                     shared_bytes(step(), shape), arguments);
    }

    int multiprocessors_;
    DigitWeights weights_;
    SumFinish finish_{};
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    // Integer sums do not round, and the quantisation verifies the rest (core/request/integer_weights.hpp).
    if (auto why = why_not_one_stage(step, Sums::float64); !why.empty()) return why;
    if (step.in.depth != Depth::u8 || (step.out.depth != Depth::u8 && step.out.depth != Depth::f32))
        return "it reads u8, and writes u8 or f32";
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels";
    const auto& stage = step.stages.front();
    if (stage.combine != Combine::single) return "it does not combine kernels";
    if (!has_weights(stage)) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    const auto& kernel = stage.kernels.front();
    if (kernel.width > kMostToeplitzWidth || kernel.height > kMostToeplitzHeight)
        return "its kernels have at most 32 x 40 weights";
    if (auto why = why_not_byte_products(engine); !why.empty()) return why;
    if (auto why = why_not_digits(kernel, step.out.depth); !why.empty()) return why;
    ToeplitzShape shape;
    set_shape(step, digit_weights(kernel)->digits, kMostWarps, shape);
    return why_not_shared(shared_bytes(step, shape), engine);
}

/// Fitted to the prototype of this method on an H200 with 4096 x 4096 pixels.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kPerMillionPixels = 0.95, kPerMillionSamples = 0.55;
    constexpr double kPerMillionProducts = 0.00876; // products of a warp, per million samples
    constexpr double kOfOneWarp = 0.0112;           // per product, where others do not hide its latency
    const auto& step = std::get<ImageStep>(request);
    const auto& weights = digit_weights(step.stages.front().kernels.front());
    if (!weights) return {Cost::kOnlyWhenForced};
    ToeplitzShape shape;
    set_shape(step, weights->digits, kMostWarps, shape);
    const auto padded = [](std::int64_t n, int unit) {
        return static_cast<double>((n + unit - 1) / unit * unit);
    };
    const double millions = padded(step.size.width, kAcross) * padded(step.size.height, kRows) * 1e-6,
                 computed = std::popcount(computed_channels(step)),
                 of_channel = shape.steps * kRows * weights->digits; // products of a warp
    const double most = millions * (kPerMillionPixels + step.in.channels * kPerMillionSamples +
                                    computed * of_channel * kPerMillionProducts);
    return {kLaunch + std::max(most, of_channel * kOfOneWarp)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<ToeplitzPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kToeplitz{
    "toeplitz",
    "Toeplitz",
    "Kernels of 8-bit images as sparse Toeplitz matrices on int8 tensor cores",
    "Mishra et al., Accelerating sparse deep neural networks (2021): 2:4 sparsity",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
