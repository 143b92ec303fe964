// Bytes times bytes on tensor cores, for kernels up to 9 x 9: no shared memory, no barrier, and operands that
// lie in the image as the product takes them.
//
// 8-bit samples are operands already. Weights become one to three signed digits of 8 bits, so fine that no
// byte of any image leaves semantics 11 (gpu/kernels/tensor/digit_weights.hpp). Integer sums do not round.
// One mma.sync m16n8k32 does 4096 multiply-adds where a warp's FMA does 32, so that loading, transposing and
// rounding decide. The product is arranged for them:
//
//   one patch: 8 x 2 outputs (M = 16)         its input of one product: 16 x 2 pixels (K = 32)
//                                           -4        0                   8        11
//                                            +---------+---------+---------+---------+
//         o o o o o o o o                    |  t = 0  |  t = 1  |  t = 2  |  t = 3  |  row 2 s
//         o o o o o o o o                    +---------+---------+---------+---------+
//                                            | 4 pixels|         |         |         |  row 2 s + 1
//                                            +---------+---------+---------+---------+
//
// Eight patches side by side (N = 8) are 64 columns, one patch for each group g of four lanes. Lane (g, t)
// loads the four pixels t of its patch in every row: for one channel that is a register of operand B;
// interleaved channels are transposed in registers. Operand A holds the weights, the same for all patches;
// (k + 1) / 2 products of each channel and digit, two rows of input each, sum a patch. Of the sums lane (g,
// t) receives columns g % 4 * 2 and + 1 of row g / 4, of the patches 2 t and 2 t + 1: pairs of pixels,
// which are rounded, packed and stored (gpu/kernels/tensor/integer_sums.cuh, patch_pixels.cuh).
//
// A warp marches down a strip, two rows of outputs at a time. A ring of registers holds the pairs of rows
// that the products take, and behind them pairs that are still being loaded; the ring's places are fixed by
// unrolling, so that nothing is moved:
//
//        pair   0   1   2   3   4   5           k = 7, kAhead = 2
//        patch  0   0   0   0   .   .           . in flight
//                   1   1   1   1   .   .
//                       2   2   2   2   .   .
//
// Most of an image is inner: its input lies in the rows of the source, and its results are bytes that are
// stored at once, so the loop tests neither rows nor columns. To the left and to the right of the image the
// border takes pixels from four neighbours at its edge: a lane loads those and exchanges their bytes. All
// other outputs, those of odd alignment, in f32 or of divisions included, are left to edge warps, which march
// too and begin first (gpu/kernels/tensor/patch_grid.hpp). The loop is compiled twice: for sums that are
// shifted, and for those that are scaled or beside channels that are kept; for one channel once more, without
// the exchange of bytes, which is an instruction of its own there.
//
// Weights are parameters of the launch, because a plan is made for every step of a slider and must cost next
// to nothing. They differ among the lanes, for which constant memory is slow, so they are read by the path of
// global memory.
//
// For GPUs from compute capability 8.0 on. It wins over `registers` wherever it applies; `registers` stays
// for older ones, for weights that three digits are too coarse for, and for colour that is weighted by alpha.

#include "core/request/step.hpp"
#include "gpu/kernels/tensor/patch_fragments.hpp"
#include "gpu/kernels/tensor/patch_grid.hpp"
#include "gpu/kernels/tensor/patch_pixels.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace kg::gpu {

namespace {

constexpr int kLanes = 32, kLargestKernel = 9;
constexpr int kResidentWarps = 16; // approximate number per multiprocessor

/// What a warp computes and holds.
template <int Channels, int K, int Digits>
struct Patches {
    static constexpr int kSteps = patch_steps(K), kAhead = Channels == 1 ? 4 : 2, ///< pairs of rows
        kRing = kSteps + kAhead;
    __host__ __device__ static constexpr bool is_small() { return Digits == 1; } ///< 255 * 128 * 81 < 2^22

    static constexpr int blocks() {
        constexpr int kAddresses = 30, kAll = 512; // registers a thread, with one block per multiprocessor
        const int fitting = kAll / (2 * kRing * Channels + 4 * Digits * (Channels + kSteps) + kAddresses);
        return std::min(Channels == 1 ? fitting + 1 : fitting,
                        8); // a few registers spill, and more warps hide
    }

    struct Fragments {
        uint4 of_lane[kSteps * Digits][kLanes];
    };
    /// Operand A of a lane, for every step and digit.
    struct Weights {
        uint4 of_step[kSteps][Digits];

        __device__ __forceinline__ Weights(const Fragments& fragments, int lane) {
#pragma unroll
            for (int i = 0; i < kSteps * Digits; ++i)
                of_step[i / Digits][i % Digits] = load_operand(&fragments.of_lane[i][lane]);
        }
    };

    /// The sums of one patch, 4 of each channel. pair(step, row) are the planar words of row 0 or 1 of a
    /// step.
    template <typename Pair>
    static __device__ __forceinline__ void sum(const Weights& weights, int start, Pair pair,
                                               int (&whole)[4 * Channels]) {
        const int starts[4] = {start, start, start, start}, zeros[4] = {};
        int sums[Channels][Digits][4];
#pragma unroll
        for (int step = 0; step < kSteps; ++step)
#pragma unroll
            for (int d = 0; d < Digits; ++d)
#pragma unroll
                for (int s = 0; s < Channels; ++s) {
                    const unsigned upper = pair(step, 0)[s], lower = pair(step, 1)[s];
                    const auto& operand = weights.of_step[step][d];
                    if (step > 0) multiply_add_k32<std::int8_t>(sums[s][d], operand, upper, lower);
                    else
                        multiply_k32<std::int8_t>(sums[s][d], operand, upper, lower, d == 0 ? starts : zeros);
                }
#pragma unroll
        for (int e = 0; e < 4 * Channels; ++e) whole[e] = sum_of_digits(sums[e / 4], e % 4);
    }
};

/// Where a warp's patches are stored: two rows of 64 outputs, the next ones two rows below.
template <int Channels>
class PatchRows {
public:
    __device__ PatchRows(const StageCommon& c, const StageItem& item, int x, int y, int lane)
        : c_(c), item_(item), lane_(lane), bounds_{-x, c.dst_width - x} {
        const int row = y + (lane >> 4);
        to_ = item.dst + std::int64_t{row} * item.dst_pitch + std::int64_t{x} * Channels;
        from_ = item.src + std::int64_t{c.dst_y + row - c.src_y} * item.src_pitch +
                std::int64_t{c.dst_x + x - c.src_x} * Channels;
    }

    /// Rounds the sums of a patch and stores them at once. `Plain`: they are shifted, all channels computed
    /// and pairs of words stored. `Bounded`: columns outside the rectangle of outputs, and the lower row
    /// unless there are two, are left out.
    template <bool Small, bool Plain, bool Bounded = false>
    __device__ __forceinline__ void store(const PatchGrid& grid, int (&sums)[4 * Channels],
                                          bool two_rows = true) {
        if constexpr (Plain)
#pragma unroll
            for (int i = 0; i < 4 * Channels; ++i) sums[i] >>= grid.finish.shift;
        else finish_as_bytes<Small, false>(grid.finish, sums, [&](int i) { return offset_of(c_, i / 4); });
        if (Bounded && !two_rows && lane_ >= 16) bounds_.end = bounds_.begin;
        store_words<Channels, Bounded>(c_, item_, Plain ? 0 : grid.kept, Plain || grid.pairs, from_, to_,
                                       lane_, bounds_, sums);
        to_ += 2 * item_.dst_pitch, from_ += 2 * item_.src_pitch;
    }

private:
    const StageCommon& c_;
    const StageItem& item_;
    int lane_;
    PatchBounds bounds_;
    std::byte* to_;
    const std::byte* from_; ///< in the source, for channels that are kept
};

/// `Ordered`: the order of four pixels may be the border's. With several channels that costs nothing.
template <int Channels, int K, int Digits, bool Plain, bool Ordered>
__device__ __forceinline__ void march(const StageCommon& c, const PatchGrid& grid,
                                      const typename Patches<Channels, K, Digits>::Fragments& fragments,
                                      const PatchRange& own) {
    using P = Patches<Channels, K, Digits>;
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x), x = patch_inner_x(grid, own.strip), bottom = own.bottom;
    int y = own.top, column = c.dst_x + x - grid.before + (lane >> 2) * 8 + (lane & 3) * 4;
    PixelOrder<Channels> order;
    if (const bool left = column < 0; Ordered && (left || column >= c.width)) {
        const auto& beside = left ? grid.left : grid.right;
        column = beside.column;
#pragma unroll
        for (int i = 0; auto& selector : order.selectors) selector = beside.selectors[i++];
    }
    const auto stop = c.stop.read();
    const typename P::Weights weights(fragments, lane);
    const auto* from = item.src + std::int64_t{c.dst_y - c.src_y + y - K / 2} * item.src_pitch +
                       std::int64_t{column - c.src_x} * Channels;
    unsigned ring[P::kRing][2][Channels];
    const auto load = [&](unsigned(&pair)[2][Channels]) {
#pragma unroll
        for (int row = 0; row < 2; ++row, from += item.src_pitch) {
            assert(is_of_source<std::uint8_t>(c, item, from, 4 * Channels));
            load_pixels(from, pair[row]);
        }
    };
    const auto convert = [&](unsigned(&pair)[2][Channels]) {
#pragma unroll
        for (int row = 0; row < 2; ++row)
            if constexpr (Ordered) to_planar(pair[row], order);
    };
    // The first patch's pairs, and as many of those after it as exist.
#pragma unroll
    for (int pair = 0; pair < P::kRing - 1; ++pair)
        if (pair < P::kSteps || y + 2 * (pair - P::kSteps + 1) < bottom) load(ring[pair]);
    if (c.stop.raised(stop)) return;
#pragma unroll
    for (int pair = 0; pair < P::kSteps - 1; ++pair) convert(ring[pair]);
    PatchRows<Channels> rows(c, item, x, y, lane);
    const auto compute = [&]<int First>(Constant<First>) __attribute__((always_inline)) {
        if (y + 2 * P::kAhead < bottom) load(ring[(First + P::kRing - 1) % P::kRing]);
        convert(ring[(First + P::kSteps - 1) % P::kRing]);
        int sums[4 * Channels];
        P::sum(
            weights, grid.finish.start,
            [&](int step, int row) -> auto& { return ring[(First + step) % P::kRing][row]; }, sums);
        rows.template store<P::is_small(), Plain>(grid, sums);
        return (y += 2) < bottom;
    };
    const auto around = [&]<int... First>(std::integer_sequence<int, First...>)
        __attribute__((always_inline)) {
        return (compute(Constant<First>{}) && ...);
    };
#pragma unroll 1
    while (around(std::make_integer_sequence<int, P::kRing>{})) {
    }
}

/// The same march wherever the input comes from and whatever the results are: a function of its own, so that
/// it costs the other one no registers. Pairs of rows are moved from place to place, as it is rolled up.
template <int Channels, int K, int Digits>
__device__ __noinline__ void march_edge(const StageCommon& c, const PatchGrid& grid,
                                        const typename Patches<Channels, K, Digits>::Fragments& fragments,
                                        int number) {
    using P = Patches<Channels, K, Digits>;
    static_assert(kMostEdgeRows + 2 * (P::kSteps - 1) <= kLanes);
    const auto edge = patch_edge(grid, c.dst_height, number);
    if (edge.top >= edge.bottom || c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x), x = edge.strip * kPatchAcross - grid.shift;
    const typename P::Weights weights(fragments, lane);
    const GatheredPixels<Channels> pixels(c, item,
                                          c.dst_x + x - grid.before + (lane >> 2) * 8 + (lane & 3) * 4,
                                          c.dst_y + edge.top - K / 2, lane);
    using Pair = typename GatheredPixels<Channels>::Pair;
    unsigned window[P::kSteps][2][Channels]; // planar; the last pair is converted in the loop
    const auto convert = [&](const Pair& pair, unsigned(&to)[2][Channels]) {
#pragma unroll
        for (int row = 0; row < 2; ++row) pixels.words(pair, row, to[row]), to_planar(to[row]);
    };
    constexpr int kTogether = Channels == 3 ? 1 : 2; // pairs that there are registers for
#pragma unroll
    for (int first = 0; first < P::kSteps - 1; first += kTogether) {
        Pair loaded[kTogether];
#pragma unroll
        for (int i = 0; i < kTogether; ++i) pixels.load(2 * (first + i), loaded[i]);
#pragma unroll
        for (int i = 0; i < kTogether; ++i)
            if (first + i < P::kSteps - 1) convert(loaded[i], window[first + i]);
    }
    Pair next;
    pixels.load(2 * (P::kSteps - 1), next);
    PatchRows<Channels> rows(c, item, x, edge.top, lane);
#pragma unroll 1
    for (int y = edge.top, first = 2 * P::kSteps; y < edge.bottom; y += 2, first += 2) {
        convert(next, window[P::kSteps - 1]);
        if (y + 2 < edge.bottom) pixels.load(first, next);
        int sums[4 * Channels];
        P::sum(
            weights, grid.finish.start, [&](int step, int row) -> auto& { return window[step][row]; }, sums);
        if (grid.wide_stores) {
            rows.template store<P::is_small(), false, true>(grid, sums, y + 2 <= edge.bottom);
        } else {
            int copy[4 * Channels]; // in local memory
#pragma unroll
            for (int e = 0; e < 4 * Channels; ++e) copy[e] = sums[e];
            store_pixels<Channels, P::is_small()>(c, item, grid, x, y, edge.bottom, lane, copy);
        }
#pragma unroll
        for (int pair = 0; pair + 1 < P::kSteps; ++pair)
#pragma unroll
            for (int row = 0; row < 2; ++row)
#pragma unroll
                for (int s = 0; s < Channels; ++s) window[pair][row][s] = window[pair + 1][row][s];
    }
}

template <int Channels, int K, int Digits>
__global__ void __launch_bounds__(kLanes* kPatchWarps, (Patches<Channels, K, Digits>::blocks()))
    filter_patches(const __grid_constant__ StageCommon c, const __grid_constant__ PatchGrid grid,
                   const __grid_constant__ typename Patches<Channels, K, Digits>::Fragments fragments) {
    if constexpr (kMultipliesBytes) {
        const int block = static_cast<int>(blockIdx.x);
        const int warp = static_cast<int>(threadIdx.y);
        if (block < grid.edge_blocks) {
            march_edge<Channels, K, Digits>(c, grid, fragments, block * kPatchWarps + warp);
            return;
        }
        const auto inner = patch_inner(grid, (block - grid.edge_blocks) * kPatchWarps + warp);
        if (inner.top >= inner.bottom) return;
        if constexpr (Digits < 3) // three are rare, and code is limited
            if (grid.finish.rounding == SumRounding::shift && grid.kept == 0 &&
                (grid.pairs || Channels != 4)) {
                if constexpr (Channels == 1)
                    if (!patch_is_beside(c, grid, inner))
                        return march<Channels, K, Digits, true, false>(c, grid, fragments, inner);
                return march<Channels, K, Digits, true, true>(c, grid, fragments, inner);
            }
        march<Channels, K, Digits, false, true>(c, grid, fragments, inner);
    }
}

/// The smallest of 3, 5, 7 and 9 whose square around an output contains the kernel's taps; 0 = none.
int square_of(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    const int most = std::max({r.left, r.right, r.up, r.down});
    return most > kLargestKernel / 2 ? 0 : std::max(2 * most + 1, 3);
}

/// body.template operator()<Channels, K, Digits>() for the step.
template <typename Body>
void with_patches(int channels, int k, int digits, Body body) {
    const auto of_digits = [&]<int Channels, int K>() {
        if (digits == 1) body.template operator()<Channels, K, 1>();
        else if (digits == 2) body.template operator()<Channels, K, 2>();
        else body.template operator()<Channels, K, 3>();
    };
    const auto of_square = [&]<int Channels>() {
        if (k == 3) of_digits.template operator()<Channels, 3>();
        else if (k == 5) of_digits.template operator()<Channels, 5>();
        else if (k == 7) of_digits.template operator()<Channels, 7>();
        else of_digits.template operator()<Channels, 9>();
    };
    if (channels == 1) of_square.template operator()<1>();
    else if (channels == 3) of_square.template operator()<3>();
    else of_square.template operator()<4>();
}

class PatchesPlan final : public StagePlan {
public:
    PatchesPlan(const ImageStep& step, const DigitWeights& weights, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}),
          warps_(std::int64_t{cuda_engine(engine).limits().multiprocessors} * kResidentWarps * 2) {
        const auto& c = packed().common;
        const auto& kernel = step.stages.front().kernels.front();
        const int k = square_of(step);
        with_patches(c.channels, k, weights.digits, [&]<int Channels, int K, int Digits>() {
            using P = Patches<Channels, K, Digits>;
            kernel_ = reinterpret_cast<const void*>(&filter_patches<Channels, K, Digits>);
            shape_ = {K, false};
            fragments_.resize(sizeof(typename P::Fragments));
        });
        make_patch_fragments(weights, taps(kernel), k, kPatchBefore, fragments_);
        const bool same_offset = c.alpha < 0 || !(c.computed >> c.alpha & 1u) || c.offset == 0;
        finish_ = sum_finish(weights, kernel.divisor,
                             {step.out.depth, c.offset, same_offset, weights.digits == 1});
        for (int s = 0; s < c.channels; ++s)
            if (!(c.computed >> s & 1u)) kept_ |= 0xffu << s * 8;
        shape_.words = step.out.depth == Depth::u8 && finish_.rounding != SumRounding::divide &&
                       (kept_ == 0 || c.channels == 4);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        auto grid = patch_grid(c, count, shape_, warps_);
        grid.finish = finish_;
        grid.kept = kept_;
        grid.floats = step().out.depth == Depth::f32;
        auto* fragments = const_cast<std::int8_t*>(fragments_.data()); // only copied
        std::vector<std::int8_t> moved;
        if (grid.before != kPatchBefore) {
            const auto& kernel = step().stages.front().kernels.front();
            moved.resize(fragments_.size());
            make_patch_fragments(*digit_weights(kernel), taps(kernel), shape_.square, grid.before, moved);
            fragments = moved.data();
        }
        void* arguments[] = {&parameters.common, &grid, fragments};
        queue.launch(kernel_, {static_cast<unsigned>(grid.edge_blocks + grid.inner_blocks), 1, count},
                     {kLanes, kPatchWarps}, 0, arguments);
    }

    std::int64_t warps_; ///< warps that fill the device twice
    const void* kernel_ = nullptr;
    PatchShape shape_{};
    std::vector<std::int8_t> fragments_;
    SumFinish finish_;
    unsigned kept_ = 0;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.in.depth != Depth::u8) return "it reads u8";
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (square_of(step) == 0) return "its taps reach further than 4 pixels";
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels";
    if (auto why = why_not_byte_products(engine); !why.empty()) return why;
    return why_not_digits(step.stages.front().kernels.front(), Depth::u8, step.out.depth);
}

/// Fitted to an H200 with 4096 x 4096 pixels, for two digits.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 3, kOneDigit[] = {1, 0.96, 0.9, 0.86}, kThreeDigits = 1.4, kFloats = 1.0;
    constexpr double kMicrosecondsPerMillion[3][4] = {
        {0.96, 1.10, 1.29, 1.39}, {0.82, 0.96, 1.06, 1.23}, {0.76, 0.86, 0.99, 1.05}};
    const auto& step = std::get<ImageStep>(request);
    const auto& weights = digit_weights(step.stages.front().kernels.front());
    if (!weights) return {Cost::kOnlyWhenForced};
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const auto& of_channels = kMicrosecondsPerMillion[step.in.channels == 1 ? 0 : step.in.channels - 2];
    const int square = square_of(step) / 2 - 1;
    const double of_digits[] = {kOneDigit[square], 1, kThreeDigits};
    return {kLaunch + millions * (of_channels[square] * of_digits[weights->digits - 1] +
                                  (step.out.depth == Depth::f32 ? kFloats : 0))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<PatchesPlan>(step, *digit_weights(step.stages.front().kernels.front()), engine);
}

} // namespace

extern const Algorithm kPatches{
    "patches",
    "Patches",
    "Bytes up to 9 x 9 on tensor cores: each product sums patches of 8 x 2 pixels",
    "implicit GEMM: Chetlur et al., cuDNN (2014), with a patch of outputs in place of output channels",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
