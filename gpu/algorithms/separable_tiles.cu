// Separable kernels of floats of odd sizes from 17 x 17 to 127 x 127, both passes in one launch, sixteen
// outputs of a column or a row in a lane's registers.
//
//    source                                     column sums, in shared memory          staged
//    +------------------+                       +------------------+          +----------------+
//    | row              |  a lane's column:     | 32 rows of a     |  a lane: | 8 rows of 64   | --> result
//    :                  : --------------------> | tile and halo,   | -------> | samples, of a  |
//    | row + size + 14  |  16 sums, every row   | channel by       | 16 sums  | warp           |
//    +------------------+  read once for them   | channel          | of a row +----------------+
//                                               +------------------+
//
// `separable_march` keeps a sum for each weight of the column in registers: from 17 x 17 on that costs it
// warps, and beyond 63 x 63 there are not enough registers. Here a lane has sixteen sums and the next sixteen
// samples, whatever the size, and weights are operands in uniform registers: hardly anything is executed but
// multiply-adds. In return, neighbouring tiles read and sum the halo between them twice.
//
// Every output adds its taps in ascending order, down the columns and then along the rows: any rectangle has
// the bytes of the whole. A weight too many would be a zero that lets NaN through, so the ends of a run have
// code for every remainder of the size (gpu/kernels/separable_sums.hpp), and kernels with zeros are refused.
//
// The division of a launch: gpu/kernels/separable_grid.cpp. Times: docs/optimisations.md.

#include "core/request/step.hpp"
#include "gpu/kernels/factored.hpp"
#include "gpu/kernels/march/march.hpp"
#include "gpu/kernels/separable_tiles.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

SeparableWork work_for(const ImageStep& step, const Rect& outputs, unsigned count,
                       const DeviceLimits& limits) {
    const auto& kernel = step.stages.front().kernels.front();
    return {outputs.width, outputs.height, step.in.channels,       kernel.width,
            kernel.height, count,          limits.multiprocessors, limits.shared_bytes_per_block};
}

/// The factors' weights where the device code expects them.
PackedStage packed_for(const ImageStep& step) {
    auto packed = pack_factors(step, 0);
    const auto& kernel = packed.common.kernels[0];
    std::vector<float> weights(kFewWeights);
    std::copy_n(packed.weights.begin(), kernel.height, weights.begin());
    std::copy_n(packed.weights.begin() + kernel.height, kernel.width, weights.begin() + kFactorWeights);
    packed.weights = std::move(weights);
    return packed;
}

class SeparableTilesPlan final : public StagePlan {
public:
    SeparableTilesPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, packed_for(step)), limits_(cuda_engine(engine).limits()),
          kernel_(reinterpret_cast<const void*>(&filter_separable_tiles)) {
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        auto grid = separable_grid(
            work_for(step(), {c.dst_x, c.dst_y, c.dst_width, c.dst_height}, count, limits_));
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {static_cast<unsigned>(grid.blocks), 1, count},
                     {static_cast<unsigned>(grid.threads())}, separable_bytes_of(grid), arguments);
    }

    DeviceLimits limits_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.in.depth != Depth::f32) return "it reads f32";
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_divided(step); !why.empty()) return why;
    const auto& kernel = step.stages.front().kernels.front();
    const auto fits = [](int size) {
        return size >= kSmallestFactor && size <= kLargestFactor && size % 2 == 1;
    };
    if (!fits(kernel.width) || !fits(kernel.height))
        return "it takes kernels of odd widths and heights from " + std::to_string(kSmallestFactor) + " to " +
               std::to_string(kLargestFactor);
    if (auto why = why_not_factored(step); !why.empty()) return why;
    if (pack_factors(step, 0).common.kernels[0].skip_zeros) return "it takes no kernels with zeros";
    return separable_grid(work_for(step, whole(step.size), 1, cuda_engine(engine).limits())).width > 0
               ? ""
               : "no thread block has the shared memory for so wide a kernel";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    const auto work = work_for(step, whole(step.size), 1, cuda_engine(engine).limits());
    return {separable_microseconds(work, separable_grid(work))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<SeparableTilesPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kSeparableTiles{
    "separable_tiles",
    "Separable tiles",
    "Floats: tiles summed down the columns, then along the rows, sixteen outputs in registers",
    "Every kernel of rank 1 (core/request/separate.hpp)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
