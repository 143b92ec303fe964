// Every thread marches down its columns with the neighbourhood of one row in registers: no shared memory, no
// barrier.
//
// For bytes and kernels up to 7 x 7, alpha-weighted ones up to 9 x 9, the sums cost so little that
// whatever surrounds them decides: filling a tile, waiting for it, reading it again. Here a thread loads 8 or
// 16 bytes of each row of the image, and the few samples beside them, straight from global memory; the caches
// serve what neighbours share. A row is widened to f32 once and added to the K output rows that it belongs
// to; the first multiply-add of each (for 16 bits the addition of the row's sum) moves the sums up one row,
// so that nothing else does.
//
//      columns of a thread
//      halo  16 bytes  halo
//     +----+----------+----+
//     |    | row t    |    |   sums[0] + kernel row K - 1 -> output row t - K + 1, complete
//     |    | row t+1  |    |   sums[m + 1] + kernel row K - 2 - m -> sums[m]
//     |    |   ...    |    |   kernel row 0 -> sums[K - 2]
//     +----+----------+----+   the next rows are loaded meanwhile
//
// Columns, loads and what happens at the border: gpu/kernels/march/columns_in_registers.cuh. Floats, which
// need no widening, are left to `march`, and so are 16 bits unless alpha weights their colour.
//
// Failed: all rows of a thread unrolled, so that all loads are in flight together. Its 40 KB of code ran once
// per warp and missed the instruction cache (8-bit grey 3 x 3: 66 us, and 36 us for 512 x 512).

#include "core/request/step.hpp"
#include "gpu/kernels/embedding.hpp"
#include "gpu/kernels/march/columns_in_registers.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <span>

namespace kg::gpu {

namespace {

constexpr int kSizes[] = {3, 5, 7}, kSizesWithAlpha[] = {3, 5, 7, 9};
constexpr int kMostRows = 256;

/// What a thread owns of each row, and how many of them run together. `Premultiply`: alpha-weighted sums
/// (gpu/kernels/alpha_weighting.cuh). Neighbouring threads weight the pixels of their halos twice, so a
/// thread owns more pixels then.
template <typename In, int Channels, int K, bool Premultiply>
struct Registers : ColumnLayout<In, Channels, K, K == 3 || Premultiply ? 16 : 8> {
    using Base = ColumnLayout<In, Channels, K, K == 3 || Premultiply ? 16 : 8>;
    static constexpr bool kPremultiply = Premultiply;
    static constexpr int kInFlight = Base::kSamples == 16 || Base::kWords > 6 ? 2 : 3; ///< rows loaded ahead
    /// Resident blocks per multiprocessor, as many as there are registers for without spills.
    static constexpr int resident_blocks() {
        if (!Premultiply) return K < 7 ? 4 : 3;
        if (sizeof(In) == 2) return (13 - K) / 2;
        return K < 5 ? 4 : K < 7 ? 3 : 2;
    }
};

/// Adds one kernel row to sums.
template <typename R>
__device__ void add_kernel_row(const float (&row)[R::kWindow], const float* weights,
                               float (&sums)[R::kSamples]) {
    float row_sums[R::kSamples]; // for bytes the sums so far, continued in one chain
#pragma unroll
    for (int s = 0; s < R::kSamples; ++s) row_sums[s] = R::kByRows ? 0.0f : sums[s];
#pragma unroll
    for (int j = 0; j < R::kSize; ++j) {
        const float weight = weights[j];
#pragma unroll
        for (int s = 0; s < R::kSamples; ++s)
            row_sums[s] = __fmaf_rn(weight, row[R::kBefore - R::kHalo + j * R::kChannels + s], row_sums[s]);
    }
#pragma unroll
    for (int s = 0; s < R::kSamples; ++s) sums[s] = R::kByRows ? sums[s] + row_sums[s] : row_sums[s];
}

/// Computes the outputs of a thread of whole columns: `rows` rows from the place of `windows` on. The loop is
/// not unrolled further: longer code misses the instruction cache.
template <typename R>
__device__ void march(const StageParameters<kFewWeights>& p, const StageItem& item, const ColumnGrid& grid,
                      Windows<R> windows, int column, int row) {
    using In = typename R::In;
    constexpr int K = R::kSize;
    const auto& c = p.common;
    const int last = min(grid.rows, c.dst_height - row) + K - 2;
    const bool together = grid.wide_stores && column >= 0 &&
                          column + R::kSamples <= c.dst_width * R::kChannels;
    unsigned words[R::kInFlight][R::kWords];
#pragma unroll
    for (int t = 0; t < R::kInFlight; ++t)
        if (t <= last) windows.next(words[t]);
    float sums[K - 1][R::kSamples] = {};
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
        float window[R::kWindow];
        if constexpr (R::kPremultiply) weight_by_alpha<In>(words[0], window);
        else {
#pragma unroll
            for (int i = 0; i < R::kWindow; ++i)
                window[i] = widened<In>(words[0][i / R::kInWord], i % R::kInWord);
        }
#pragma unroll
        for (int later = 1; later < R::kInFlight; ++later)
#pragma unroll
            for (int w = 0; w < R::kWords; ++w) words[later - 1][w] = words[later][w];
        if (t + R::kInFlight <= last) windows.next(words[R::kInFlight - 1]);
        add_kernel_row<R>(window, p.weights + (K - 1) * K, sums[0]);
        if (t >= K - 1)
            put_row<R, R::kPremultiply>(c, item, grid, column, row + t - (K - 1), together, sums[0]);
#pragma unroll
        for (int m = 0; m < K - 1; ++m) {
#pragma unroll
            for (int s = 0; s < R::kSamples; ++s)
                sums[m][s] = m < K - 2 ? sums[m < K - 2 ? m + 1 : m][s] : 0.0f;
            add_kernel_row<R>(window, p.weights + (K - 2 - m) * K, sums[m]);
        }
    }
}

template <typename R>
__global__ void __launch_bounds__(kColumnLanes* kColumnWarps, R::resident_blocks())
    filter_registers(const __grid_constant__ StageParameters<kFewWeights> p,
                     const __grid_constant__ ColumnGrid grid) {
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const ThreadPlace own(c, grid, R::kSamples);
    if (!own.exists) return;
    if (own.whole) march<R>(p, item, grid, {c, item, own.column, own.row}, own.column, own.row);
    else compute_pixel<R, false, R::kPremultiply>(p, item, grid, own.column, own.row);
}

std::span<const int> sizes_of(const ImageStep& step) {
    return is_alpha_weighted(step) ? std::span<const int>(kSizesWithAlpha) : kSizes;
}
int size_of(const ImageStep& step) { return embedding_size(sizes_of(step), odd_extent(step)); }

class RegistersPlan final : public StagePlan {
public:
    RegistersPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_square(step, size_of(step))),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        if (step.in.depth == Depth::u16) take_size<std::uint16_t, 4, true>();
        else if (step.in.channels == 1) take_size<std::uint8_t, 1>();
        else if (step.in.channels == 3) take_size<std::uint8_t, 3>();
        else if (is_alpha_weighted(step)) take_size<std::uint8_t, 4, true>();
        else take_size<std::uint8_t, 4>();
    }

private:
    template <typename In, int Channels, bool Premultiply = false>
    void take_size() {
        const int size = size_of(step());
        if (size == 3) take<In, Channels, 3, Premultiply>();
        else if (size == 5) take<In, Channels, 5, Premultiply>();
        else if (size == 7) take<In, Channels, 7, Premultiply>();
        else if constexpr (Premultiply) take<In, Channels, 9, true>();
    }
    template <typename In, int Channels, int K, bool Premultiply>
    void take() {
        using R = Registers<In, Channels, K, Premultiply>;
        shape_ = R::kShape;
        resident_blocks_ = R::resident_blocks();
        kernel_ = reinterpret_cast<const void*>(&filter_registers<R>);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        const int unit = shape_.sample_bytes * (is_alpha_weighted(step()) ? c.channels : 1);
        auto grid = column_grid(c, count, shape_, unit);
        divide_rows(grid, c, rows_of_thread(std::int64_t{grid.blocks_across} * count, c.dst_height));
        const dim3 blocks{static_cast<unsigned>(grid.whole_blocks + grid.other_blocks), 1, count};
        void* arguments[] = {&parameters, &grid};
        queue.launch(kernel_, blocks, {kColumnLanes, kColumnWarps}, 0, arguments);
    }

    /// Output rows of a thread. One wave of resident blocks if that needs at most kMostRows, otherwise the
    /// fewest waves; the blocks of single pixels follow. At least size - 1 rows, so that halo rows do not
    /// dominate. `abreast`: blocks side by side, over all images.
    int rows_of_thread(std::int64_t abreast, int height) const {
        for (int waves = 1;; ++waves) {
            const auto blocks = std::int64_t{multiprocessors_} * resident_blocks_ * waves;
            const auto down = kColumnWarps * std::max<std::int64_t>(blocks / abreast, 1);
            const auto rows = (height + down - 1) / down;
            if (rows <= kMostRows)
                return static_cast<int>(std::clamp<std::int64_t>(rows, shape_.size - 1, kMostRows));
        }
    }

    int multiprocessors_, resident_blocks_ = 0;
    ColumnShape shape_{};
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float32, AlphaWeighting::itself); !why.empty())
        return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (step.in.depth != Depth::u8 && !(step.in.depth == Depth::u16 && is_alpha_weighted(step)))
        return "it reads u8, and u16 that is weighted by alpha; march reads u16 and f32";
    if (size_of(step) == 0)
        return "its taps reach further than " + std::to_string(sizes_of(step).back() / 2) + " pixels";
    const auto& kernel = step.stages.front().kernels.front();
    if (step.in.depth == Depth::u16 && kernel.width == 1)
        return "it rounds every product of a column, which 16 bits do not allow";
    if (step.in.channels == 2)
        return "it handles images of 1, 3 and 4 channels"; // others are rare, and code is limited
    return why_not_alpha_in_sums(step);
}

/// Fitted to an H200 with 4096 x 4096 pixels, for 3 x 3 to 9 x 9 (docs/performance.md). Of 16 bits it takes
/// only what alpha weights.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4;
    constexpr double kOfBytes[] = {1.25, 1.9, 3.0}, kOfBytesWithAlpha[] = {1.02, 1.68, 3.16, 3.91},
                     kOf16Bits[] = {1.45, 1.9, 3.4, 4.7};
    const auto& step = std::get<ImageStep>(request);
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const double* of_depth = step.in.depth == Depth::u16 ? kOf16Bits
                             : is_alpha_weighted(step)   ? kOfBytesWithAlpha
                                                         : kOfBytes;
    return {kLaunch + millions * of_depth[size_of(step) / 2 - 1]};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<RegistersPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kRegisters{
    "registers",
    "Registers",
    "Bytes up to 7 x 7, alpha-weighted bytes and 16 bits up to 9 x 9: neighbourhoods in registers",
    "register tiling: Volkov, Better performance at lower occupancy (GTC 2010)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
