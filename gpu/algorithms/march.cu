// Floats at the speed of the multiply-adds: every warp marches down its own strip of the image, and each row
// that comes in is added to all output rows that it belongs to. No warp waits for another.
//
// Direct sums of floats are bound by the copy up to 5 x 5 and by the multiply-adds from 9 x 9 on; what other
// algorithms lose is in between. `tiled` reads shared memory for every few taps and waits for whole tiles.
// Here a sample is read from shared memory once for all kernel rows, weights are uniform operands, and at 15
// x 15 nine of ten instructions are multiply-adds. It wins for f32 up to 15 x 15, where `fourier` takes over:
// its time does not depend on the kernel.
//
//      registers of a lane, 7 x 7, 4 or 8 columns
//                                                   sums of output row
//      row t of the ring ---- kernel row 6 -------> t - 6   complete: over the divisor, stored
//      (window and halo) ---- kernel row 5 -------> t - 5   becomes the next t - 6,
//                        ----     ...      ------->  ...    moved by the addition itself
//                        ---- kernel row 0 -------> t       begins
//
// Kernels with zeros, which are not taps, take a second loop that tests each kernel row and weight. Kernels
// of any extent and anchor lie in the next odd square. From 9 x 9 on each kernel row is summed by itself
// (semantics 12), which costs one addition more.
//
// The strip's ring and edges: gpu/kernels/march/march.cuh. 3 x 3 and 5 x 5 need neither: there a thread loads
// the rows of 4 x 4 outputs at once from the image, the caches serve what neighbours share, and the sums
// never wait (gpu/kernels/march/rows_at_once.cuh).
//
// Failed in prototypes: marching for 3 x 3 and 5 x 5, a fifth slower than loading at once; higher strips than
// what divides the image among all multiprocessors, because the last of them end alone.

#include "core/request/step.hpp"
#include "gpu/kernels/embedding.hpp"
#include "gpu/kernels/march/march_square.cuh"
#include "gpu/kernels/march/rows_at_once.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kSizes[] = {3, 5, 7, 9, 11, 13, 15}, kSizesOfSeveral[] = {3, 5, 7, 9, 11, 15};
constexpr int kLargestAtOnce = 5;
constexpr int kFewestRows = 8; // rows of a strip: fewer read most rows twice

/// The square that contains the step's taps; 0 = none. Thirteen is rare, and several channels have one kernel
/// less.
int size_of(const ImageStep& step) {
    const int extent = odd_extent(step);
    return step.in.channels == 1 ? embedding_size(kSizes, extent) : embedding_size(kSizesOfSeveral, extent);
}

class MarchPlan final : public StagePlan {
public:
    MarchPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_square(step, size_of(step))),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors), rows_(rows_with_taps(packed())) {
        const int channels = step.in.channels;
        if (channels == 1) choose_one();
        else if (channels == 3) choose<3>();
        else choose<4>();
    }

private:
    /// Two groups of samples in a lane halve what surrounds the sums, while there are registers for them.
    /// `blocks` of a multiprocessor are as many as a launch of 4096 x 4096 pixels is divided into.
    void choose_one() {
        switch (packed().common.kernels[0].width) {
        case 3: return take_rows<1, 3>();
        case 5: return take_rows<1, 5>();
        case 7: return take_strips<1, 7, 2>(3);
        case 9: return take_strips<1, 9, 2>(2);
        case 11: return take_strips<1, 11, 2>(2);
        case 13: return take_strips<1, 13, 1>(2);
        default: return take_strips<1, 15, 1>(2);
        }
    }
    template <int Channels>
    void choose() {
        switch (packed().common.kernels[0].width) {
        case 3: return take_rows<Channels, 3>();
        case 5: return take_rows<Channels, 5>();
        case 7: return take_strips<Channels, 7, 1>(4);
        case 9: return take_strips<Channels, 9, 1>(3);
        case 11: return take_strips<Channels, 11, 1>(2);
        default: return take_strips<Channels, 15, 1>(2);
        }
    }
    template <int Channels, int Size>
    void take_rows() {
        shape_ = RowsAtOnce<Channels, Size>::kShape;
        rows_at_once_ = RowsAtOnce<Channels, Size>::kRows;
        kernel_ = reinterpret_cast<const void*>(&sum_rows_at_once<Channels, Size>);
    }
    template <int Channels, int Size, int Groups>
    void take_strips(int blocks) {
        using L = StripLayout<float, Channels, Size, 4, Groups>;
        static_assert(L::kBlockBytes <= 48 << 10, "more must be asked for");
        samples_ = L::kOwn, block_bytes_ = L::kBlockBytes;
        warps_ = std::int64_t{multiprocessors_} * blocks * kStripWarps;
        kernel_ = reinterpret_cast<const void*>(&march_square<Channels, Size, Groups>);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        if (rows_at_once_ > 0) launch_rows(queue, parameters, count);
        else launch_strips(queue, parameters, count);
    }
    void launch_rows(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count) const {
        auto grid = column_grid(parameters.common, count, shape_, shape_.sample_bytes);
        divide_rows(grid, parameters.common, rows_at_once_);
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {static_cast<unsigned>(grid.whole_blocks + grid.other_blocks), 1, count},
                     {kColumnLanes, kColumnWarps}, 0, arguments);
    }
    void launch_strips(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count) const {
        auto grid = march_grid(parameters.common, count, sizeof(float), samples_, warps_, kFewestRows);
        grid.rows_with_taps = rows_;
        const auto blocks = static_cast<unsigned>((grid.strips + kStripWarps - 1) / kStripWarps);
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {blocks, 1, count}, {32, kStripWarps}, block_bytes_, arguments);
    }

    int multiprocessors_;
    unsigned rows_; ///< rows_with_taps()
    const void* kernel_ = nullptr;
    ColumnShape shape_{};  ///< shape of columns whose rows are read at once
    int rows_at_once_ = 0; ///< rows of such a column; 0: strips are used
    int samples_ = 0;      ///< samples of a strip in a row
    std::size_t block_bytes_ = 0;
    std::int64_t warps_ = 0;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.in.depth != Depth::f32) return "it reads f32";
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (auto why = why_not_divided(step); !why.empty()) return why;
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels"; // others are rare
    if (size_of(step) == 0) return "its taps reach further than 7 pixels";
    return {};
}

/// Fitted to prototypes on an H200 with 4096 x 4096 pixels of one channel. `kZeros`: each weight is tested.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kZeros = 1.3, kSeveral = 1.1;
    constexpr double kMicrosecondsPerMillion[] = {1.9, 2.1, 2.65, 3.7, 5.1, 7.2, 9.9};
    const auto& step = std::get<ImageStep>(request);
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const int size = size_of(step);
    const auto& kernel = step.stages.front().kernels.front();
    const bool zeros = size > kLargestAtOnce &&
                       (kernel.width < size || kernel.height < size ||
                        std::ranges::find(kernel.weights, 0.0f) != kernel.weights.end());
    return {kLaunch + millions * kMicrosecondsPerMillion[size / 2 - 1] * (zeros ? kZeros : 1) *
                          (step.in.channels > 1 ? kSeveral : 1)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<MarchPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kMarch{"march",
                              "March",
                              "Floats, kernels up to 15 x 15: warps march down strips, sums in registers",
                              "register tiling: Volkov, Better performance at lower occupancy (GTC 2010)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu
