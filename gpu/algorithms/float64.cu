// The definition in float64, one thread per output sample.
//
// For integers whose weights add up to many times the divisor: Sobel of 7 x 7 on 16 bits sums terms of up to
// 84 million to a result of 65535. A float32 has 24 bits, so such sums are off by several levels, and
// semantics 11 allows one, next to a half. A float64 has 53: the product of a sample and a weight is exact,
// and the sum is nearly exact until it is rounded once, to the output.
//
// It is never the fastest: every tap is read from the caches, as in `naive`, and doubles run at half the rate
// of floats at best, on consumer GPUs at a 64th. The planner chooses it where float32 is too coarse
// (core/request/rounding.hpp), and users choose it to see the precision lost in float32. Where every sum is
// exact in float32 too, the operations after the sum are float32 as well, so that the bytes are those of all
// other algorithms. It also reads and writes the float64 between the steps of a recipe (semantics 5).

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

// A division in double for each sample; a load, a conversion and a multiply-add for each tap.
constexpr Speed kSpeed{4, 0.062e6, 1.45e6};

/// The taps of an output where the image has all of them, and everywhere else.
template <typename In>
struct InnerTaps {
    static constexpr int kAtOnce = 4; ///< loads in flight
    const In* at;                     ///< the first tap of the kernel
    std::int64_t pitch;
    int channels;
    __device__ double operator()(int i, int j) const {
        const auto* line = reinterpret_cast<const In*>(reinterpret_cast<const std::byte*>(at) + i * pitch);
        return static_cast<double>(line[j * channels]);
    }
};
template <typename In>
struct BorderTaps {
    static constexpr int kAtOnce = 1;
    const StageCommon& c;
    const StageItem& item;
    int x, y, channel; ///< position of the first tap
    __device__ double operator()(int i, int j) const {
        const int at_x = index_at_border(c.border, x + j, c.width),
                  at_y = index_at_border(c.border, y + i, c.height);
        return at_x < 0 || at_y < 0 ? 0.0 : image_sample<In, double>(c, item, at_x, at_y, channel);
    }
};

/// A kernel's sum; tap(i, j) is the sample under a weight.
template <typename Taps>
__device__ double sum_of(const KernelShape& kernel, const float* weights, const Taps& tap) {
    const float* weight = weights + kernel.first;
    double sum = 0;
    for (int i = 0; i < kernel.height; ++i)
#pragma unroll Taps::kAtOnce
        for (int j = 0; j < kernel.width; ++j, ++weight)
            if (*weight != 0.0f) // else not a tap: NaN must not leak through it
                sum = __fma_rn(static_cast<double>(*weight), tap(i, j), sum);
    return sum;
}

/// All kernels over their divisors, combined, with the offset: in float32 where the sums are exact in it.
template <typename In>
__device__ double value_of(const StageCommon& c, const StageItem& item, const OutputSample& own,
                           const float* weights, bool exact) {
    const int left = own.x - c.left, top = own.y - c.up;
    const bool inside = left >= 0 && top >= 0 && left + c.reach_width <= c.width &&
                        top + c.reach_height <= c.height;
    double value = 0;
    float exact_value = 0;
#pragma unroll 1
    for (int k = 0; k < c.kernel_count; ++k) {
        const auto& kernel = c.kernels[k];
        const int x = own.x + kernel.dx, y = own.y + kernel.dy;
        const auto* first = item.src + (y - c.src_y) * item.src_pitch +
                            (std::int64_t{x - c.src_x} * c.channels + own.channel) *
                                static_cast<std::int64_t>(sizeof(In));
        const double sum = inside ? sum_of(kernel, weights,
                                           InnerTaps<In>{reinterpret_cast<const In*>(first), item.src_pitch,
                                                         c.channels})
                                  : sum_of(kernel, weights, BorderTaps<In>{c, item, x, y, own.channel});
        if (exact) exact_value = combined(c.combine, exact_value, static_cast<float>(sum) / kernel.divisor);
        else value = combined(c.combine, value, sum / static_cast<double>(kernel.divisor));
    }
    const float offset = offset_of(c, own.channel);
    return exact ? static_cast<double>(finished(c.combine, exact_value, offset))
                 : finished(c.combine, value, static_cast<double>(offset));
}

template <typename Integer>
__device__ Integer rounded_to(double value) {
    return SampleTraits<Integer>::from(static_cast<float>(rint(value)));
}

template <typename In>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows)
    filter_float64(const __grid_constant__ StageCommon c, const float* weights, bool exact, Depth out) {
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    double value = 0;
    if (!(c.computed >> own.channel & 1u))
        value = image_sample<In, double>(c, item, own.x, own.y, own.channel);
    else value = value_of<In>(c, item, own, weights, exact);
    assert(own.column >= 0 && own.column < c.dst_width && own.row >= 0 && own.row < c.dst_height);
    auto* line = item.dst + std::int64_t{own.row} * item.dst_pitch;
    const auto at = std::int64_t{own.column} * c.channels + own.channel;
    switch (out) { // rint() first: rounding to float before would round twice
    case Depth::u8: reinterpret_cast<std::uint8_t*>(line)[at] = rounded_to<std::uint8_t>(value); return;
    case Depth::u16: reinterpret_cast<std::uint16_t*>(line)[at] = rounded_to<std::uint16_t>(value); return;
    case Depth::f16: return; // unreachable: half floats are converted before and after
    case Depth::f32: reinterpret_cast<float*>(line)[at] = static_cast<float>(value); return;
    case Depth::f64: reinterpret_cast<double*>(line)[at] = value; return;
    }
}

const void* kernel_of(Depth in) {
    if (in == Depth::f64) return reinterpret_cast<const void*>(&filter_float64<double>);
    return with_inputs(
        in, [](auto sample) { return reinterpret_cast<const void*>(&filter_float64<decltype(sample)>); });
}

class Float64Plan final : public StagePlan {
public:
    Float64Plan(const ImageStep& step, Engine& engine)
        : StagePlan(step, pack(step, false)), weights_(device_copy(packed().weights, engine)),
          exact_(!step.float64_sums && sums_exactly(step.stages.front(), full_scale(step.in))),
          kernel_(kernel_of(step.in.depth)) {}

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto* weights = weights_->device_address();
        bool exact = exact_;
        auto out = step().out.depth;
        void* arguments[] = {&parameters.common, &weights, &exact, &out};
        queue.launch(kernel_, output_blocks(parameters.common, count), kOutputThreads, 0, arguments);
    }

    std::shared_ptr<CudaBuffer> weights_;
    bool exact_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float64_samples); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    return why_not_launch(step);
}

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<Float64Plan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kFloat64{"float64",
                                "Float64 sums",
                                "Every tap as it is written, in float64, where float32 is too coarse",
                                "the definition (docs/semantics.md 1 and 11)",
                                why_not,
                                cost,
                                plan};

} // namespace kg::gpu
