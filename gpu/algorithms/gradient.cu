// Several kernels over the same image, combined to lengths or sums of magnitudes (Sobel, Scharr, Prewitt), in
// one launch that reads the image once.
//
// Two kernels of bytes up to 5 x 5 whose factors are small integers, as Sobel's, Scharr's and Prewitt's are,
// are summed two samples to a register (gpu/kernels/march/packed_gradient.cuh):
//
//      words of bytes -> pairs of 16 bits -> sums down the columns -> sums along the rows -> root -> bytes
//
// Other stages up to 3 x 3, of floats up to 5 x 5: a thread keeps the neighbourhood of its outputs in
// registers, as floats, and sums one kernel after the other over it (gpu/kernels/march/gradient_rows.cuh):
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
#include "gpu/kernels/march/packed_gradient.cuh"

#include <cstdlib>

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
    if (step.in.depth == Depth::f32) return {};
    if (size_of(step) > 3) return "its taps reach further than 1 pixel"; // rare, and code is limited
    return step.in.depth == Depth::u8 || sums_exactly(stage, full_scale(step.in.depth))
               ? ""
               : "it rounds every product, which 16 bits do not allow";
}

/// Whether the length of a step's two slopes of bytes, with nothing added or left out, is computed from sums
/// that fit in 16 bits.
bool is_packed(const ImageStep& step) {
    const auto& stage = step.stages.front();
    const auto all = (1u << step.in.channels) - 1u;
    if (step.in.depth != Depth::u8 || step.out.depth != Depth::u8 || stage.combine != Combine::l2 ||
        stage.kernels.size() != 2 || stage.factors.size() != 2 || size_of(step) == 0)
        return false;
    if (const auto common = common_of(step); common.offset != 0.0f || common.computed != all) return false;
    const auto sum = [](const std::vector<int>& factor) {
        std::int64_t total = 0;
        for (const auto f : factor) total += std::abs(f);
        return total;
    };
    for (std::size_t k = 0; k < 2; ++k)
        if (stage.kernels[k].divisor != 1.0f ||
            sum(stage.factors[k].column) * sum(stage.factors[k].row) > kMostPacked)
            return false;
    return true;
}

/// The factors of a packed step's kernels in squares of `size` x `size`.
SlopeFactors slope_factors(const ImageStep& step, int size) {
    const auto packed = pack_factors(step, 0);
    const auto& c = packed.common;
    SlopeFactors factors{};
    for (int k = 0; k < 2; ++k) {
        const auto* weight = packed.weights.data() + c.kernels[k].first;
        for (int i = 0; i < c.reach_height; ++i)
            factors.column[k][size / 2 + c.kernels[k].dy + i] = static_cast<int>(*weight++);
        for (int j = 0; j < c.reach_width; ++j)
            factors.row[k][size / 2 + c.kernels[k].dx + j] = static_cast<int>(*weight++);
    }
    return factors;
}

class GradientPlan final : public StagePlan {
public:
    explicit GradientPlan(const ImageStep& step) : StagePlan(step, packed_of(step)) {
        if (is_packed(step)) {
            factors_ = slope_factors(step, size_of(step));
            for_channels([&]<int Channels>() {
                if (size_of(step) == 3) take_packed<PackedGradient<Channels, 3>>();
                else take_packed<PackedGradient<Channels, 5>>();
            });
            return;
        }
        with_inputs(step.in.depth, [&]<typename In>(In) {
            for_channels([&]<int Channels>() {
                if constexpr (std::is_same_v<In, float>)
                    if (size_of(step) == 5) return take_rows<GradientRows<In, Channels, 5>>();
                take_rows<GradientRows<In, Channels, 3>>();
            });
        });
    }

private:
    static PackedStage packed_of(const ImageStep& step) {
        return is_packed(step) ? PackedStage{common_of(step), {}} : pack_square(step, size_of(step));
    }
    /// body.template operator()<Channels>() for the step's channels.
    template <typename Body>
    void for_channels(Body body) const {
        if (step().in.channels == 1) body.template operator()<1>();
        else if (step().in.channels == 3) body.template operator()<3>();
        else body.template operator()<4>();
    }
    template <typename L>
    void take_packed() {
        shape_ = L::kShape, rows_ = L::kRows;
        kernel_ = reinterpret_cast<const void*>(&combine_packed<L::kChannels, L::kSize>);
    }
    template <typename L>
    void take_rows() {
        shape_ = L::kShape, rows_ = L::kRows;
        kernel_ = reinterpret_cast<const void*>(
            &combine_rows_at_once<typename L::In, L::kChannels, L::kSize>);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto grid = column_grid(parameters.common, count, shape_, shape_.sample_bytes);
        divide_rows(grid, parameters.common, rows_);
        auto factors = factors_; // only kernels of packed gradients have this argument
        void* arguments[] = {&parameters, &grid, &factors};
        queue.launch(kernel_, {static_cast<unsigned>(grid.whole_blocks + grid.other_blocks), 1, count},
                     {kColumnLanes, kColumnWarps}, 0, arguments);
    }

    SlopeFactors factors_{};
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
    if (is_packed(step) || why_not_in_registers(step).empty()) return {};
    if (stage.kernels.size() != 2) return "it combines two kernels of this size";
    if (stage.factors.size() != 2) return "its kernels must have exact integer factors";
    return why_not_fused(step, 2);
}

/// Fitted to an H200 with 4096 x 4096 pixels (docs/performance.md), kPacked to a kernel without borders.
constexpr Speeds kFactored{{8, 0.233e6, 8.04e6}, {10, 0.364e6, 9.18e6}},
    kInRegisters{{5, 0.56e6, 15e6}, {5, 0.57e6, 15.5e6}}, kPacked{{5, 8.4e6, 17.9e6}, {5, 8.4e6, 17.9e6}};

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (is_packed(step)) return {stage_microseconds(step, kPacked, factor_taps(step))};
    if (!why_not_in_registers(step).empty()) return {stage_microseconds(step, kFactored, factor_taps(step))};
    const auto taps = static_cast<double>(size_of(step) * size_of(step)) *
                      static_cast<double>(step.stages.front().kernels.size());
    return {stage_microseconds(step, kInRegisters, taps)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    if (is_packed(step) || why_not_in_registers(step).empty()) return std::make_shared<GradientPlan>(step);
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
