// The definition in float64, one thread per output sample.
//
// For integers whose weights add up to many times the divisor: Sobel of 7 x 7 on 16 bits sums terms of up to
// 84 million to a result of 65535. A float32 has 24 bits, so such sums are off by several levels, and
// semantics 11 allows one, next to a half. A float64 has 53: the product of a sample and a weight is exact,
// and the sum is nearly exact until it is rounded once, to the output.
//
// It is never the fastest: every tap resolves the border, as in `naive`, and doubles run at half the rate of
// floats at best, on consumer GPUs at a 64th. The planner chooses it where float32 is too coarse
// (core/request/rounding.hpp), and users choose it to see the precision lost in float32. Where every sum is
// exact in float32 too, the operations after the sum are float32 as well, so that the bytes are those of all
// other algorithms.

#include "core/request/step.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/kernels/one_output.cuh"

namespace kg::gpu {

namespace {

// As `naive`, with an additional conversion and a multiply-add in double for each tap.
constexpr Speed kSpeed{4, 0.11e6, 0.5e6};

/// A kernel's sum; tap(x, y) as for output_value().
template <typename Tap>
__device__ double sum_of(const KernelShape& kernel, const OutputSample& own, const float* weights, Tap tap) {
    const float* weight = weights + kernel.first;
    double sum = 0;
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j, ++weight) {
            if (*weight == 0.0f) continue; // not a tap: NaN must not leak through it
            const float sample = tap(own.x + kernel.dx + j, own.y + kernel.dy + i);
            sum = __fma_rn(static_cast<double>(*weight), static_cast<double>(sample), sum);
        }
    return sum;
}

/// All kernels over their divisors, combined, with the offset; sums are rounded to `Number`.
template <typename Number, typename Tap>
__device__ Number value_of(const StageCommon& c, const OutputSample& own, const float* weights, Tap tap) {
    Number value = 0;
    for (int k = 0; k < c.kernel_count; ++k) {
        const auto& kernel = c.kernels[k];
        const auto sum = static_cast<Number>(sum_of(kernel, own, weights, tap));
        value = combined(c.combine, value, sum / static_cast<Number>(kernel.divisor));
    }
    return finished(c.combine, value, static_cast<Number>(offset_of(c, own.channel)));
}

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows)
    filter_float64(const __grid_constant__ StageCommon c, const float* weights, bool exact) {
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    const auto tap = [&](int x, int y) { return bordered_sample<In>(c, item, x, y, own.channel); };
    float value = 0.0f;
    if (!(c.computed >> own.channel & 1u)) {
        value = tap(own.x, own.y);
    } else if (exact) {
        value = value_of<float>(c, own, weights, tap);
    } else {
        const double fine = value_of<double>(c, own, weights, tap);
        value = static_cast<float>(std::is_same_v<Out, float> ? fine : rint(fine)); // avoids double rounding
    }
    store_output<Out>(c, item, own, value);
}

class Float64Plan final : public StagePlan {
public:
    Float64Plan(const ImageStep& step, Engine& engine)
        : StagePlan(step, pack(step, false)), weights_(device_copy(packed().weights, engine)),
          exact_(!step.float64_sums && sums_exactly(step.stages.front(), full_scale(step.in))) {
        kernel_ = with_all_samples(step.in, step.out, [&](auto in, auto out) {
            return reinterpret_cast<const void*>(&filter_float64<decltype(in), decltype(out)>);
        });
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto* weights = weights_->device_address();
        bool exact = exact_;
        void* arguments[] = {&parameters.common, &weights, &exact};
        queue.launch(kernel_, output_blocks(parameters.common, count), kOutputThreads, 0, arguments);
    }

    std::shared_ptr<CudaBuffer> weights_;
    bool exact_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float64); !why.empty()) return why;
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
