// Direct sums in float32 at the speed of the multiply-adds, or of the copy where they are few: samples are
// read once for all kernel rows, and no thread waits for a block.
//
// Direct sums of floats are bound by the copy up to 5 x 5 and by the multiply-adds from 9 x 9 on; what other
// algorithms lose is in between. `tiled` reads shared memory for every few taps and waits for whole tiles.
// Here weights are uniform operands, and at 15 x 15 nine of ten instructions are multiply-adds. It wins for
// f32 up to 15 x 15, where `fourier` takes over: its time does not depend on the kernel; and for u16 up to
// 7 x 7, of one channel 9 x 9, from where on `toeplitz` has tensor cores.
//
// The smallest kernels are summed by threads that load all rows of 4 or 8 samples and up to 4 rows of outputs
// at once from the image (gpu/kernels/march/rows_at_once.cuh): the caches serve what neighbours share, and
// the sums never wait. Larger ones are summed by warps that march down their own strip of the image
// (gpu/kernels/march/march.cuh), and add each row that comes in to all output rows that it belongs to:
//
//      registers of a lane, 7 x 7, 4 or 8 columns
//                                                   sums of output row
//      row t of the ring ---- kernel row 6 -------> t - 6   complete: over the divisor, stored
//      (window and halo) ---- kernel row 5 -------> t - 5   becomes the next t - 6,
//                        ----     ...      ------->  ...    moved by the addition itself
//                        ---- kernel row 0 -------> t       begins
//
// An image of few pixels has too few strips, or strips so low that most rows are read twice: there, floats
// of one channel up to 9 x 9 are loaded at once, too.
//
// Zeros, which are not taps of floats, are summed like other weights, whether they lie in the kernel or fill
// it up to the next odd square. Outputs that are not finite, maybe because of a NaN under a zero, are
// computed again without them.
// Kernels of any extent and anchor lie in the next odd square. From 9 x 9 on, and always for u16, each kernel
// row is summed by itself (semantics 12), which costs one addition more.
//
// Failed: marching for 3 x 3 and 5 x 5 of one channel, a fifth slower than loading at once; marching for u16,
// where what the ring holds must be converted (docs/optimisations.md); higher strips than what divides the
// image among all multiprocessors, because the last of them end alone.

#include "core/request/step.hpp"
#include "gpu/kernels/embedding.hpp"
#include "gpu/kernels/march/march_square.cuh"
#include "gpu/kernels/march/rows_at_once.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <span>

namespace kg::gpu {

namespace {

constexpr int kSizes[] = {3, 5, 7, 9, 11, 13, 15}, kSizesOfSeveral[] = {3, 5, 7, 9, 11, 15};
constexpr int kSizesOf16Bits[] = {3, 5, 7, 9}, kSizesOf16BitsOfSeveral[] = {3, 5, 7};
constexpr std::int64_t kStripPixels = 4'000'000; // pixels of the smallest image that has enough strips
constexpr double kEdge = 1.15; // how many times longer a row takes a strip at the left or right edge

/// Thirteen is rare, and several channels have one kernel less.
std::span<const int> sizes_of(const ImageStep& step) {
    const bool one = step.in.channels == 1;
    if (step.in.depth == Depth::u16)
        return one ? std::span<const int>(kSizesOf16Bits) : kSizesOf16BitsOfSeveral;
    return one ? std::span<const int>(kSizes) : kSizesOfSeveral;
}

/// The square that contains the step's taps; 0 = none.
int size_of(const ImageStep& step) { return embedding_size(sizes_of(step), odd_extent(step)); }

class MarchPlan final : public StagePlan {
public:
    MarchPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_square(step, size_of(step))),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        const bool floats = step.in.depth == Depth::f32;
        if (step.in.channels == 1) floats ? choose_one() : choose_of_16_bits<1>();
        else if (step.in.channels == 3) floats ? choose_several<3>() : choose_of_16_bits<3>();
        else floats ? choose_several<4>() : choose_of_16_bits<4>();
    }

private:
    /// Rows, groups and blocks were measured on an H200.
    void choose_one() {
        const bool few = step().size.width * step().size.height < kStripPixels;
        switch (packed().common.kernels[0].width) {
        case 3: return take_rows<float, 1, 3, 4, 6>();
        case 5: return take_rows<float, 1, 5, 4, 6>();
        case 7: return few ? take_rows<float, 1, 7, 4, 4>() : take_strips<1, 7, 2>(3);
        case 9: return few ? take_rows<float, 1, 9, 2, 4>() : take_strips<1, 9, 2>(2);
        case 11: return take_strips<1, 11, 2>(2);
        case 13: return take_strips<1, 13, 1>(2);
        default: return take_strips<1, 15, 1>(2);
        }
    }
    template <int Channels>
    void choose_several() {
        switch (packed().common.kernels[0].width) {
        case 3: return take_rows<float, Channels, 3, 4, 4>();
        case 5: return take_strips<Channels, 5, 1>(5);
        case 7: return take_strips<Channels, 7, 1>(4);
        case 9: return take_strips<Channels, 9, 1>(3);
        case 11: return take_strips<Channels, 11, 1>(2);
        default: return take_strips<Channels, 15, 1>(2);
        }
    }
    template <int Channels>
    void choose_of_16_bits() {
        using Sample = std::uint16_t;
        constexpr int kBlocksOf5 = Channels == 4 ? 4 : 5, kBlocksOf7 = Channels == 1 ? 5 : 3;
        const int size = packed().common.kernels[0].width;
        if (size == 3) return take_rows<Sample, Channels, 3, 4, 5>();
        if (size == 5) return take_rows<Sample, Channels, 5, 4, kBlocksOf5>();
        if (size == 7) return take_rows<Sample, Channels, 7, 4, kBlocksOf7>();
        if constexpr (Channels == 1) take_rows<Sample, 1, 9, 2, 5>();
    }
    template <typename Sample, int Channels, int Size, int Rows, int Blocks>
    void take_rows() {
        using L = RowsAtOnce<Sample, Channels, Size, Rows, Blocks>;
        shape_ = L::kShape;
        rows_at_once_ = Rows;
        kernel_ = reinterpret_cast<const void*>(&sum_rows_at_once<L>);
    }
    /// Two groups of samples in a lane halve what surrounds the sums, while there are registers for them.
    /// `blocks` of a multiprocessor are as many as a launch of 4096 x 4096 pixels is divided into.
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
        auto grid = march_grid(parameters.common, count, sizeof(float), samples_, warps_, kEdge);
        const auto blocks = static_cast<unsigned>((grid.strips + kStripWarps - 1) / kStripWarps);
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, {blocks, 1, count}, {32, kStripWarps}, block_bytes_, arguments);
    }

    int multiprocessors_;
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
    if (step.in.depth != Depth::f32 && step.in.depth != Depth::u16) return "it reads u16 and f32";
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (auto why = why_not_divided(step); !why.empty()) return why;
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels"; // others are rare
    if (size_of(step) == 0)
        return "its taps reach further than " + std::to_string(sizes_of(step).back() / 2) + " pixels";
    const auto& kernel = step.stages.front().kernels.front();
    if (step.in.depth == Depth::u16 && kernel.width == 1 && !sums_exactly(kernel, full_scale(Depth::u16)))
        return "it rounds every product of a column, which 16 bits do not allow";
    return {};
}

/// Fitted to an H200 with 4096 x 4096 pixels.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kSeveral = 1.1;
    constexpr double kOfFloats[] = {1.9, 2.1, 2.65, 3.7, 5.1, 7.2, 9.9}, kOf16Bits[] = {1.4, 2.1, 3, 4.8};
    const auto& step = std::get<ImageStep>(request);
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const int size = size_of(step);
    const bool floats = step.in.depth == Depth::f32;
    return {kLaunch + millions * (floats ? kOfFloats : kOf16Bits)[size / 2 - 1] *
                          (step.in.channels > 1 ? kSeveral : 1)};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<MarchPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kMarch{
    "march",
    "March",
    "Floats up to 15 x 15, 16 bits up to 9 x 9: rows at once, or marching; sums in registers",
    "register tiling: Volkov, Better performance at lower occupancy (GTC 2010)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
