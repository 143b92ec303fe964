// Larger kernels on images of u8 and u16 by sparse products of bytes on tensor cores, without a Fourier
// transform.
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
// not round, and what follows those of bytes is shared with the other algorithms on tensor cores
// (gpu/kernels/tensor/integer_sums.cuh).
//
// A sample of u16 is two bytes in two planes. Products of equal weight in the sum share their registers:
//
//      sum = low * digit 0  +  256 (low * digit 1 + high * digit 0)  +  256^2 (..)  +  256^3 high * digit 2
//
// So is colour of u8 times alpha, where alpha weights it (gpu/kernels/tensor/toeplitz_alpha.cuh).

#include "core/request/step.hpp"
#include "gpu/kernels/tensor/toeplitz_alpha.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg::gpu {

namespace {

using namespace toeplitz;

constexpr int kMostWarps = 4, kMostWarpsOfWords = 8;

/// Blocks per multiprocessor, of the most warps, whose registers hold the sums.
template <typename Sample>
constexpr int blocks(bool small) {
    return sizeof(Sample) == 2 ? 1 : small ? 4 : 3;
}

/// `Small`: is_small(), of u8. One kernel for all channels, digits and sets that have registers alike: what
/// surrounds the sums is most of its code.
template <typename Sample, bool Small>
__global__ void __launch_bounds__(kLanes*(sizeof(Sample) == 2 ? kMostWarpsOfWords : kMostWarps),
                                  blocks<Sample>(Small))
    filter_toeplitz(const __grid_constant__ StageCommon c, const __grid_constant__ ToeplitzShape shape) {
    if constexpr (!kMultipliesBytes) return;
    constexpr int kBytes = sizeof(Sample);
    extern __shared__ uint4 memory[]; // table of taps, planes, staged samples
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes;
    auto* const table = reinterpret_cast<unsigned*>(memory);
    const auto place = place_of(c, shape, table);
    const bool stopped = threadIdx.x == 0 && c.stop.raised();
    lay_out_table(shape, table);
    fill<Sample>(c, item, shape, place);
    if (__syncthreads_or(stopped)) return;

    // Integers of a strip's channels are staged until all are there, sums of floats only until they are
    // converted.
    constexpr int kOfChannel = kRows * kLanes * kStaged<Sample>;
    const auto [strip, first] = part_of_warp(shape);
    const int row = place.row + strip * kRows;
    auto* const behind = place.planes + c.channels * kBytes * shape.plane();
    auto* const staged = behind + strip * c.channels * kOfChannel + lane * kStaged<Sample>;
#pragma unroll 1
    for (int channel = first; channel < c.channels && row < c.dst_height; channel += shape.split) {
        const Outputs outputs{place.column, row, channel,
                              shape.floats ? behind + (warp * kRows * kLanes + lane) * 4
                                           : staged + channel * kOfChannel};
        if (!(c.computed >> channel & 1u)) {
            copy_channel<Sample>(c, item, shape.floats, outputs);
            continue;
        }
        const auto* pixels = place.planes + channel * kBytes * shape.plane() + strip * kRows * shape.pitch();
        if constexpr (kBytes == 1) {
            LaneSums own;
            sum_channel<Small>(shape, pixels, table, own);
            finish_channel(c, item, shape, own, outputs);
        } else {
            WarpSums<kMostDigits + 1> sums = {};
            if (shape.sets == 1) sum_planes<1>(shape, pixels, table, kBytes, sums);
            else sum_planes<2>(shape, pixels, table, kBytes, sums);
            finish_channel(c, shape, sums, outputs);
        }
    }
    if (shape.floats) return;
    if (shape.split > 1) __syncthreads();
    store_strip<Sample>(c, item, first, shape.split, {place.column, row, 0, staged});
}

/// What does not depend on where the step runs, for blocks of so many strips; without taps.
void set_shape(const ImageStep& step, int digits, int strips, ToeplitzShape& shape) {
    const auto& kernel = step.stages.front().kernels.front();
    shape.width = kernel.width, shape.height = kernel.height, shape.digits = digits;
    shape.sets = kernel.width <= kTapsOfSet ? 1 : 2;
    const int rows_at_once = 2 / shape.sets;
    // Where a product takes two kernel rows, the odd output rows begin in the middle of a step.
    shape.steps = shape.sets == 2 ? kernel.height : kernel.height / 2 + 1;
    shape.strips = strips;
    // Several warps of a strip, where a multiprocessor has shared memory for one block alone, too.
    const bool is_large = step.in.depth == Depth::u16 && step.in.channels == 4;
    shape.split = strips == 1 ? step.in.channels : is_large ? 2 : 1;
    shape.row_pixels = kAcross + kBlock * shape.sets;
    shape.tile_rows = (strips - 1) * kRows + (shape.steps - 1) * rows_at_once + kRows;
    shape.floats = step.out.depth == Depth::f32;
}

/// The weights of a step. For u16 and for alpha always of three digits, the highest of which may be 0:
/// integers that sum exactly are few, and code is limited.
std::optional<DigitWeights> weights_of(const ImageStep& step) {
    const auto& kernel = step.stages.front().kernels.front();
    auto weights = is_alpha_weighted(step) ? finest_digit_weights(kernel)
                                           : digit_weights(kernel, step.in.depth);
    if (weights && step.in.depth == Depth::u16) weights->digits = kMostDigits;
    return weights;
}

const void* kernel_for(const ImageStep& step, const ToeplitzShape& shape) {
    if (is_alpha_weighted(step)) return reinterpret_cast<const void*>(&filter_toeplitz_alpha);
    if (step.in.depth == Depth::u16)
        return reinterpret_cast<const void*>(&filter_toeplitz<std::uint16_t, false>);
    return is_small(shape.digits, shape.sets)
               ? reinterpret_cast<const void*>(&filter_toeplitz<std::uint8_t, true>)
               : reinterpret_cast<const void*>(&filter_toeplitz<std::uint8_t, false>);
}

/// Shared memory of a block.
std::size_t shared_bytes(const ImageStep& step, const ToeplitzShape& shape) {
    const bool weighted = is_alpha_weighted(step);
    const int bytes_of_pixel = static_cast<int>(bytes_per_pixel(step.in)),
              strips = shape.strips * (shape.floats ? shape.split * 4 : bytes_of_pixel + (weighted ? 4 : 0)),
              words = shape.table() + tile_planes(step.in, weighted) * shape.plane() +
                      strips * kRows * kLanes;
    return static_cast<std::size_t>(words) * sizeof(unsigned);
}

class ToeplitzPlan final : public StagePlan {
public:
    ToeplitzPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors), weights_(*weights_of(step)) {
        const auto& c = packed().common;
        const auto& kernel = step.stages.front().kernels.front();
        const bool alpha_computed = c.alpha >= 0 && (c.computed >> c.alpha & 1u);
        set_shape(step, weights_.digits, kMostStrips, shape_);
        shape_.finish = sum_finish(weights_, kernel.divisor,
                                   {step.out.depth, c.offset, c.offset == 0.0f || !alpha_computed});
        if (step.in.depth == Depth::u16 && !sums_exactly(kernel, full_scale(Depth::u16)))
            shape_.scale = std::ldexp(1 / static_cast<double>(kernel.divisor), -weights_.shift);
        if (is_alpha_weighted(step)) {
            alpha_ = *alpha_finish(kernel, weights_);
            std::ranges::copy(taps(kernel).weights, exact_.weights);
        }
        kernel_ = kernel_for(step, shape_);
        allow_shared_memory(kernel_, engine);
    }

private:
    /// Bytes of the first pixel that a tap of the first output meets behind a multiple of `unit` bytes; -1:
    /// they differ among rows or items, or 4 channels do not begin with a word.
    static int phase(const StageCommon& c, unsigned count, int bytes_of_pixel, int unit) {
        const auto of = [&](const StageItem& item) {
            const auto at = reinterpret_cast<std::int64_t>(item.src) +
                            std::int64_t{c.dst_x - c.left - c.src_x} * bytes_of_pixel;
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
    static void align(const StageCommon& c, unsigned count, int bytes_of_pixel, ToeplitzShape& shape) {
        const int unit = c.channels == 4 ? 16 : 4, room = shape.sets * kTapsOfSet - shape.width,
                  behind = phase(c, count, bytes_of_pixel, unit);
        shape.lead = 0, shape.phase = behind;
        for (int pixels = 0; behind >= 0 && pixels <= std::min(3, room); ++pixels)
            if ((behind - pixels * bytes_of_pixel) % unit == 0) {
                shape.lead = pixels, shape.phase = 0;
                return;
            }
    }
    /// As many strips as leave each multiprocessor a few blocks.
    int strips(const StageCommon& c, std::int64_t across, unsigned count) const {
        constexpr std::int64_t kBlocks = 2;
        for (int strips = kMostStrips; strips > 1; strips /= 2)
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
        auto shape = shape_;
        set_shape(step(), weights_.digits, strips(c, across, count), shape);
        shape.blocks_across = across;
        align(c, count, static_cast<int>(bytes_per_pixel(step().in)), shape);
        lay_out(weights_, kernel.width, kernel.height, shape.lead, shape.sets, shape.taps);
        const int rows = shape.strips * kRows;
        const auto blocks = std::int64_t{across} * ((c.dst_height + rows - 1) / rows);
        auto alpha = alpha_;
        auto exact = exact_;
        void* arguments[] = {&c, &shape, &alpha, &exact}; // the last two where alpha weights colour
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count},
                     {static_cast<unsigned>(kLanes * shape.strips * shape.split)},
                     shared_bytes(step(), shape), arguments);
    }

    int multiprocessors_;
    DigitWeights weights_;
    ToeplitzShape shape_{}; ///< without taps, for the most strips
    AlphaFinish alpha_{};   ///< used where alpha weights colour, as is the next
    ExactWeights exact_{};
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    // Integer sums do not round, and the quantisation verifies the rest (core/request/integer_weights.hpp).
    if (auto why = why_not_one_stage(step, Sums::float64, AlphaWeighting::itself); !why.empty()) return why;
    const auto in = step.in.depth, out = step.out.depth;
    const bool bytes = in == Depth::u8 && (out == Depth::u8 || out == Depth::f32);
    if (!bytes && (in != Depth::u16 || out != Depth::u16))
        return "it reads u8, and writes u8 or f32, or reads and writes u16";
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels";
    const auto& stage = step.stages.front();
    if (stage.combine != Combine::single) return "it does not combine kernels";
    if (!has_weights(stage)) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    const auto& kernel = stage.kernels.front();
    if (kernel.width > kMostToeplitzWidth || kernel.height > kMostToeplitzHeight)
        return "its kernels have at most 32 x 40 weights";
    if (auto why = why_not_byte_products(engine); !why.empty()) return why;
    if (is_alpha_weighted(step)) {
        if (in != Depth::u8) return "it weights colour by alpha for u8 alone";
        if (auto why = why_not_alpha_in_sums(step); !why.empty()) return why;
        if (const auto weights = weights_of(step); !weights || !alpha_finish(kernel, *weights))
            return "three bytes are too few for these weights where alpha is faint";
    } else if (auto why = why_not_digits(kernel, in, out); !why.empty()) return why;
    ToeplitzShape shape;
    set_shape(step, weights_of(step)->digits, kMostStrips, shape);
    return why_not_shared(shared_bytes(step, shape), engine);
}

/// Fitted to the prototype of this method on an H200 with 4096 x 4096 pixels.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kPerMillionPixels = 0.95, kPerMillionBytes = 0.55;
    constexpr double kPerMillionProducts = 0.00876; // products of a warp, per million bytes
    constexpr double kOfOneWarp = 0.0112;           // per product, where others do not hide its latency
    const auto& step = std::get<ImageStep>(request);
    const auto weights = weights_of(step);
    if (!weights) return {Cost::kOnlyWhenForced};
    const int of_channel = static_cast<int>(bytes(step.in.depth)),
              computed = std::popcount(computed_channels(step)),
              planes = tile_planes(step.in, is_alpha_weighted(step)),
              summed = planes - (step.in.channels - computed) * of_channel,
              of_warp = is_alpha_weighted(step) ? 2 : of_channel; // planes
    ToeplitzShape shape;
    set_shape(step, weights->digits, kMostStrips, shape);
    const auto padded = [](std::int64_t n, int unit) {
        return static_cast<double>((n + unit - 1) / unit * unit);
    };
    const double millions = padded(step.size.width, kAcross) * padded(step.size.height, kRows) * 1e-6,
                 of_plane = shape.steps * kRows * weights->digits; // products of a warp
    const double most = millions * (kPerMillionPixels + planes * kPerMillionBytes +
                                    summed * of_plane * kPerMillionProducts);
    return {kLaunch + std::max(most, of_plane * of_warp * kOfOneWarp)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<ToeplitzPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kToeplitz{
    "toeplitz",
    "Toeplitz",
    "Kernels of 8- and 16-bit images as sparse Toeplitz matrices on int8 tensor cores",
    "Mishra et al., Accelerating sparse deep neural networks (2021): 2:4 sparsity",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
