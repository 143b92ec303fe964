// Several kernels over the same image, combined to lengths or sums of magnitudes (Sobel, Scharr, Prewitt), in
// one launch that reads the image once.
//
// Up to 5 x 5, for 16 bits up to 3 x 3, a thread keeps the neighbourhood of its outputs in registers, as
// floats, and sums one kernel after the other over it (gpu/kernels/march/gradient_rows.cuh):
//
//      halo  own samples  halo
//     +----+-------------+----+
//     |    |             |    |   read and widened once; for every kernel of the stage:
//     |    |  outputs    |    |     sums of its taps, over its divisor,
//     |    |             |    |     added to the combined values, which stay in registers
//     |    |             |    |   then the root, the offset, and the store
//     +----+-------------+----+
//
// Larger pairs of kernels with integer factors are summed down the columns and then along the rows, both
// slopes of a sample together (gpu/kernels/factored.cuh). Integer factors keep sums of integers exact, so
// that the bytes are those of any algorithm (semantics 11).

#include "core/request/step.hpp"
#include "gpu/kernels/embedding.hpp"
#include "gpu/kernels/factored.cuh"
#include "gpu/kernels/march/gradient_rows.cuh"

namespace kg::gpu {

namespace {

constexpr int kSizes[] = {3, 5};

int size_of(const ImageStep& step) { return embedding_size(kSizes, odd_extent(step)); }

/// Why a step's kernels are not summed over a neighbourhood in registers; empty if they are.
std::string why_not_in_registers(const ImageStep& step) {
    const auto& stage = step.stages.front();
    if (!has_weights(stage)) return kTooManyWeights;
    if (size_of(step) == 0) return "its taps reach further than 2 pixels";
    const auto weights = static_cast<std::size_t>(size_of(step) * size_of(step)) * stage.kernels.size();
    if (weights > kFewWeights) return "its weights are too many for small parameters";
    if (step.in.depth != Depth::u16) return {};
    if (size_of(step) > 3) return "its taps reach further than 1 pixel"; // rare, and code is limited
    return sums_exactly(stage, full_scale(step.in.depth))
               ? ""
               : "it rounds every product, which 16 bits do not allow";
}

class GradientPlan final : public StagePlan {
public:
    explicit GradientPlan(const ImageStep& step) : StagePlan(step, pack_square(step, size_of(step))) {
        with_inputs(step.in.depth, [&]<typename In>(In) {
            if (step.in.channels == 1) choose<In, 1>();
            else if (step.in.channels == 3) choose<In, 3>();
            else choose<In, 4>();
        });
    }

private:
    template <typename In, int Channels>
    void choose() {
        if constexpr (sizeof(In) != 2)
            if (packed().common.kernels[0].width == 5) return take<GradientRows<In, Channels, 5>>();
        take<GradientRows<In, Channels, 3>>();
    }
    template <typename L>
    void take() {
        shape_ = L::kShape, rows_ = L::kRows;
        kernel_ = reinterpret_cast<const void*>(
            &combine_rows_at_once<typename L::In, L::kChannels, L::kSize>);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto grid = column_grid(parameters.common, count, shape_, shape_.sample_bytes);
        divide_rows(grid, parameters.common, rows_);
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {static_cast<unsigned>(grid.whole_blocks + grid.other_blocks), 1, count},
                     {kColumnLanes, kColumnWarps}, 0, arguments);
    }

    ColumnShape shape_{};
    int rows_ = 0;
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    if (stage.combine == Combine::single) return "it combines kernels";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels"; // others are rare
    if (why_not_in_registers(step).empty()) return {};
    if (stage.kernels.size() != 2) return "it combines two kernels of this size";
    if (stage.factors.size() != 2) return "its kernels must have exact integer factors";
    return why_not_fused(step, 2);
}

/// Fitted to an H200 with 4096 x 4096 pixels (docs/performance.md).
constexpr Speeds kFactored{{8, 0.233e6, 8.04e6}, {10, 0.364e6, 9.18e6}},
    kInRegisters{{5, 0.56e6, 15e6}, {5, 0.57e6, 15.5e6}};

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (!why_not_in_registers(step).empty()) return {stage_microseconds(step, kFactored, factor_taps(step))};
    const auto taps = static_cast<double>(size_of(step) * size_of(step)) *
                      static_cast<double>(step.stages.front().kernels.size());
    return {stage_microseconds(step, kInRegisters, taps)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    if (why_not_in_registers(step).empty()) return std::make_shared<GradientPlan>(step);
    return std::make_shared<FactoredPlan<2>>(step);
}

} // namespace

extern const Algorithm kGradient{"gradient",
                                 "Gradient",
                                 "All kernels of a combining stage in one pass over the image",
                                 "docs/semantics.md 4 and 11",
                                 why_not,
                                 cost,
                                 plan};

} // namespace kg::gpu
