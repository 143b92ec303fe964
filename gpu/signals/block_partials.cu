// Full convolution by blocks: a block of 32 samples and a block of 32 taps give a tile of products with 64
// skewed rows of 32 columns. Row s holds the products of samples i and taps s - i, so the sum of a row is one
// partial result; the last row is empty and only aligns.
//
//   4 x 4:   a0b0                        the first half of the tile (a, b) belongs to the outputs of
//            a0b1 a1b0                   block a + b, the last half to those of block a + b + 1
//            a0b2 a1b1 a2b0
//            a0b3 a1b2 a2b1 a3b0         a lane of a warp sums one row of the first half of (a, b) and
//                 a1b3 a2b2 a3b1         the same row of the last half of (a - 1, b): together they have
//                      a2b3 a3b2         32 products, whatever the row
//                           a3b3
//
// A block of threads has 32 outputs. Its warps share the blocks of taps between them, and the partial results
// of the warps are merged in shared memory. The text that it comes from keeps those of all tiles in memory,
// and lengths must be multiples of 32; here blocks at the ends have zeros. Modes, borders and strides are
// those of the full convolution of the extended signal, of which some outputs are kept; dilated taps have
// zeros between them.

#include "gpu/kernels/signals/line.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu::signals {

namespace {

constexpr int kBlock = 32, kWarps = 8;
constexpr std::int64_t kMostTaps = std::int64_t{1} << 22; // with the zeros of the dilation

struct BlockLaunch {
    std::int64_t first, tap_blocks; ///< the first block of outputs; blocks of taps
    int outputs, stride;            ///< of a block of 32, each `stride`th is kept
    const void* taps;               ///< those of the convolution, in blocks
};

__global__ void __launch_bounds__(kBlock* kWarps)
    sum_blocks(const __grid_constant__ SignalLaunch s, const __grid_constant__ BlockLaunch b) {
    __shared__ std::int32_t samples[kWarps][2 * kBlock], own_taps[kWarps][kBlock], partials[kWarps][kBlock];
    if (s.stop.raised_for_block()) return;
    const SignalLine<std::int32_t> line(s);
    const int lane = static_cast<int>(threadIdx.x) % kBlock, warp = static_cast<int>(threadIdx.x) / kBlock;
    const auto* taps = static_cast<const std::int32_t*>(b.taps) + lane;
    const auto first = (b.first + blockIdx.x) * b.outputs, end = first + b.outputs;
    // What the requested outputs read; only they are right.
    const Span wanted{first < s.outputs.begin ? s.outputs.begin : first,
                      end < s.outputs.end ? end : s.outputs.end};
    const Span read{s.first + wanted.begin * s.stride, s.first + (wanted.end - 1) * s.stride + s.span};
    // In the convolution of the extended signal, output k reads the samples k - span + 1 to k.
    const auto first_k = s.first + s.span - 1 + first * s.stride;
    std::int32_t sum = 0;
#pragma unroll 1
    for (std::int64_t t = warp; t < b.tap_blocks; t += kWarps) {
#pragma unroll 1
        for (int half = 0; half < 2; ++half) { // of the block before, and of this one
            const auto index = first_k - (t + 1 - half) * kBlock + lane;
            samples[warp][half * kBlock + lane] = index >= read.begin && index < read.end ? line.at(index)
                                                                                          : 0;
        }
        own_taps[warp][lane] = taps[t * kBlock];
        __syncwarp();
#pragma unroll 2
        for (int i = 0; i < kBlock; ++i) { // column i: the first half of this tile, or the last half
            const auto sample = samples[warp][i <= lane ? kBlock + i : i],
                       tap = own_taps[warp][(lane - i) & (kBlock - 1)];
            sum = added(sum, tap, sample);
        }
        __syncwarp();
    }
    partials[warp][lane] = sum;
    __syncthreads();
    const auto output = first + lane / b.stride;
    if (warp > 0 || lane % b.stride != 0 || output < wanted.begin || output >= wanted.end) return;
    std::int32_t merged = partials[0][lane];
#pragma unroll 1
    for (int w = 1; w < kWarps; ++w) merged = added(merged, partials[w][lane], 1);
    write_output(s, output, merged);
}

int outputs_per_block(std::int64_t stride) {
    return static_cast<int>(std::max<std::int64_t>(1, kBlock / stride));
}

/// The taps of the convolution, which are those of a correlation reversed, in whole blocks.
std::vector<std::int32_t> tap_blocks(const SignalRequest& request) {
    const auto span = tap_span(request);
    std::vector<std::int32_t> all(static_cast<std::size_t>((span + kBlock - 1) / kBlock * kBlock));
    for (const auto& tap : placed_taps<std::int32_t>(request))
        all[static_cast<std::size_t>(span - 1 - tap.place)] = tap.weight;
    return all;
}

class BlockPartialsPlan final : public SignalPlan {
public:
    BlockPartialsPlan(const SignalRequest& request, Engine& engine) : SignalPlan(request) {
        const auto all = tap_blocks(request);
        taps_ = device_copy(std::as_bytes(std::span(all)), engine);
    }

private:
    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        const int outputs = outputs_per_block(s.stride);
        BlockLaunch b{s.outputs.begin / outputs, (s.span - 1) / kBlock + 1, outputs,
                      static_cast<int>(std::min<std::int64_t>(s.stride, kBlock)), taps_->device_address()};
        void* arguments[] = {&s, &b};
        queue.launch(reinterpret_cast<const void*>(&sum_blocks),
                     signal_blocks((s.outputs.end - 1) / outputs + 1 - b.first, rows), {kBlock * kWarps}, 0,
                     arguments);
    }

    std::shared_ptr<CudaBuffer> taps_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) != Element::i32) return kOtherType;
    return tap_span(request) > kMostTaps ? "the taps, with the zeros of their dilation, are more than 2^22"
                                         : "";
}

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    constexpr double kProductsPerUs = 2e6, kTileUs = 0.17; // tiles are merged one after the other
    const auto blocks = static_cast<double>((output_count(request) - 1) / outputs_per_block(request.stride) +
                                            1) *
                        static_cast<double>(request.signals);
    const auto across = static_cast<double>((tap_span(request) - 1) / kBlock + 1);
    return {kSignalLaunchMicroseconds +
            across * std::max(blocks * kBlock * kBlock / kProductsPerUs, kTileUs)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<BlockPartialsPlan>(std::get<SignalRequest>(step), engine);
}

} // namespace

extern const Algorithm kBlockPartials{"block_partials",
                                      "Block partials",
                                      "Tiles of 32 samples and 32 taps, whose partial sums are merged",
                                      "full convolution by 32 x 32 blocks (docs/seeds.md 2 and 3)",
                                      why_not,
                                      cost,
                                      plan};

} // namespace kg::gpu::signals
