// Separable kernels of floats, up to 15 x 15 hardly slower than a copy, and of 16-bit samples: warps march
// down strips, and only the sums along one row are ever looked at twice.
//
// `separable_fused` sums down the columns first and exchanges column sums between threads through shared
// memory, with a barrier for every few rows. Here a warp sums along each row that comes in, once, and adds
// the result to all outputs that the row belongs to: two multiply-adds for each weight of a factor, no
// barrier, no row read twice. It takes kernels as far as the sums of a column fit into a lane's registers, 31
// x 31 with four columns and 63 x 63 with two; from 17 x 17 on, `separable_tiles` has more warps for floats.
//
//      row t of the ring        sums of a lane's output rows
//     +------------------+
//     | window and halo  | --> sum along the row --+-- column's last    ---> t - size + 1 complete
//     +------------------+     (in registers)      +-- ...              ---> ...          moved by the
//                                                  +-- column's first   ---> t            multiply-add itself
//
// Factors of any length and anchor lie in the next of the compiled lengths, and the zeros around them are
// summed with them. These are not taps of floats, which may be NaN, so outputs that are not finite are
// computed again without them. Floats below 7 x 7 have no length of their own: with a divisor of 1, `march`
// computes them at the speed of a copy. Sums along the rows come first, so the factors' powers of two are
// arranged for them not to overflow (gpu/kernels/embedding.hpp). The strip's ring and edges:
// gpu/kernels/march/march.cuh.

#include "core/request/step.hpp"
#include "gpu/kernels/embedding.hpp"
#include "gpu/kernels/factored.hpp"
#include "gpu/kernels/march/march_cross.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace kg::gpu {

namespace {

constexpr int kSizes[] = {7, 9, 11, 13, 15, 17, 19, 21, 25, 31, 41, 51, 63},
              kSizesOfSeveral[] = {7, 9, 11, 13, 15, 19, 25, 31};
constexpr int kSizesOf16Bits[] = {5, 7, 9, 11, 15, 21, 31};
constexpr int kLargestOfFour = 31; // beyond, a lane has two columns
/// Blocks of a multiprocessor that a launch of floats is divided into: no more than are resident, and few, as
/// the first rows of each only fill the sums. 16 bits, which wait for their conversion, take all.
constexpr int kMostBlocks = 4;
/// How many times longer a row takes a strip at the left or right edge; of several channels, equally long.
constexpr double kEdge = 1.3;

std::span<const int> sizes_of(const ImageStep& step) {
    if (step.in.depth == Depth::u16) return kSizesOf16Bits;
    return step.in.channels == 1 ? std::span<const int>(kSizes) : kSizesOfSeveral;
}

int size_of(const ImageStep& step) { return embedding_size(sizes_of(step), odd_extent(step)); }

class SeparableMarchPlan final : public StagePlan {
public:
    SeparableMarchPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_cross(step, size_of(step))),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        if (step.in.depth == Depth::u16) choose<std::uint16_t, kSizesOf16Bits, kSizesOf16Bits>();
        else choose<float, kSizes, kSizesOfSeveral>();
    }

private:
    template <typename Sample, const auto& Sizes, const auto& SizesOfSeveral>
    void choose() {
        const auto one = std::make_index_sequence<std::size(Sizes)>{};
        const auto several = std::make_index_sequence<std::size(SizesOfSeveral)>{};
        if (step().in.channels == 1) choose<Sample, 1, Sizes>(one);
        else if (step().in.channels == 3) choose<Sample, 3, SizesOfSeveral>(several);
        else choose<Sample, 4, SizesOfSeveral>(several);
    }
    template <typename Sample, int Channels, const auto& Sizes, std::size_t... I>
    void choose(std::index_sequence<I...>) {
        const int size = packed().common.kernels[0].width;
        ((size == Sizes[I] ? take<Sample, Channels, Sizes[I]>() : void()), ...);
    }
    template <typename Sample, int Channels, int Size>
    void take() {
        constexpr int kLane = Size <= kLargestOfFour ? 4 : 2;
        using L = StripLayout<Sample, Channels, Size, kLane, 1>;
        static_assert(L::kBlockBytes <= 48 << 10, "more must be asked for");
        samples_ = L::kOwn, sample_bytes_ = sizeof(Sample), block_bytes_ = L::kBlockBytes;
        const int blocks = L::kConverts ? cross_blocks<L>() : std::min(cross_blocks<L>(), kMostBlocks);
        warps_ = std::int64_t{multiprocessors_} * kStripWarps * blocks;
        kernel_ = reinterpret_cast<const void*>(&march_cross<Sample, Channels, Size, kLane>);
    }
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto grid = march_grid(parameters.common, count, sample_bytes_, samples_, warps_,
                               parameters.common.channels == 1 ? kEdge : 1);
        const auto blocks = static_cast<unsigned>((grid.strips + kStripWarps - 1) / kStripWarps);
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {blocks, 1, count}, {32, kStripWarps}, block_bytes_, arguments);
    }

    int multiprocessors_;
    std::int64_t warps_ = 0; ///< warps that the device works on together
    int samples_ = 0, sample_bytes_ = 0;
    std::size_t block_bytes_ = 0;
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.in.depth != Depth::f32 && step.in.depth != Depth::u16) return "it reads u16 and f32";
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_divided(step); !why.empty()) return why;
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels"; // others are rare
    if (size_of(step) == 0)
        return step.in.channels == 1 && step.in.depth == Depth::f32 ? "its taps reach further than 31 pixels"
                                                                    : "its taps reach further than 15 pixels";
    return why_not_factored(step);
}

/// Fitted to prototypes on an H200 with 4096 x 4096 pixels of one channel: bound by the copy, then by what
/// surrounds the sums, then by two columns of a lane instead of four. Several channels read more shared
/// memory for each sum.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4;
    const auto& step = std::get<ImageStep>(request);
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const int size = size_of(step), largest = step.in.channels == 1 ? 15 : 9;
    const double per_tap = size > kLargestOfFour ? 0.105 : step.in.channels == 1 ? 0.12 : 0.16;
    const double microseconds = size <= largest         ? 2.15 + 0.023 * size
                                : size > kLargestOfFour ? per_tap * size - 0.35
                                                        : 2.5 + per_tap * 0.68 * (size - largest);
    return {kLaunch + millions * microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<SeparableMarchPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kSeparableMarch{
    "separable_march",
    "Separable, march",
    "Floats and 16 bits: warps march down strips, sums along a row first, then columns in registers",
    "Every kernel of rank 1 (core/request/separate.hpp)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
