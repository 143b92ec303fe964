// Bytes times bytes on tensor cores, for kernels up to 9 x 9: no shared memory, no barrier, and operands that
// lie in the image as the product takes them.
//
// 8-bit samples are operands already. Weights become one to three signed digits of 8 bits, so fine that no
// byte of any image leaves semantics 11 (gpu/kernels/digit_weights.hpp). Integer sums do not round. One
// mma.sync m16n8k32 does 4096 multiply-adds where a warp's FMA does 32, so that loading, transposing and
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
// interleaved channels are transposed in registers. Operand A holds the weights, the same for all patches; (k
// + 1) / 2 products of each channel and digit, two rows of input each, sum a patch. A warp has `kTiles`
// patches below one another, and a pair of rows that is loaded serves all to which it belongs:
//
//        rows of input   pair 0   pair 1   pair 2   pair 3   pair 4          k = 7, kTiles = 2
//        tile 0          step 0   step 1   step 2   step 3
//        tile 1                   step 0   step 1   step 2   step 3
//
// Of the sums lane (g, t) receives columns g % 4 * 2 and + 1 of row g / 4, of the patches 2 t and 2 t + 1:
// pairs of pixels, which are rounded, packed and stored (gpu/kernels/integer_sums.cuh, patch_pixels.cuh).
//
// The grid begins up to three pixels before the rectangle of outputs, so that loads are aligned. Warps whose
// input lies within the source's rows and columns test nothing; the others gather it pixel by pixel, through
// the border. Results other than whole, aligned blocks of bytes are stored pixel by pixel. Both are functions
// of their own with loops, because unrolled they are four fifths of the code.
//
// Weights are parameters of the launch, because a plan is made for every step of a slider and must cost next
// to nothing. They differ among the lanes, for which constant memory is slow, so they are read by the path of
// global memory.
//
// For GPUs from compute capability 8.0 on. It wins over `registers` wherever it applies; `registers` stays
// for older ones, for weights that three digits are too coarse for, and for colour that is weighted by alpha.

#include "core/request/step.hpp"
#include "gpu/kernels/patch_fragments.hpp"
#include "gpu/kernels/patch_pixels.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace kg::gpu {

namespace {

constexpr int kLanes = 32, kWarps = 4, kLargestKernel = 9;
constexpr int kMostBlocksDown = 65535;

/// What a warp computes and holds.
template <int Channels, int K, int Digits>
struct Patches {
    /// Patches below one another, as many as there are registers for, and warps to hide what they wait for.
    static constexpr int tiles() {
        if (Channels == 1) return 4;
        if (Digits == 3) return Channels == 4 ? 1 : 2;
        return Digits == 2 ? 2 : 4;
    }
    static constexpr int blocks() {
        if (Channels == 1) return K <= 5 ? 6 : 5;
        if (tiles() == 1) return K == 3 ? 5 : K == 5 ? 4 : 3;
        if (Channels == 3) return Digits == 2 && K <= 5 ? 5 : K <= 7 ? 4 : 3;
        return tiles() == 4 ? 3 : K == 3 ? 5 : K == 5 ? 4 : 3;
    }
    static constexpr int kTiles = tiles(), kBlocks = blocks(), kSteps = patch_steps(K),
                         kRows = K - 1 + 2 * kTiles; ///< of input
    static constexpr bool kSmall = Digits == 1;      ///< 255 * 128 * 81 is below 2^22
    struct Fragments {
        uint4 of_lane[kSteps * Digits][kLanes];
    };
};

template <int Channels, int K, int Digits>
__device__ __forceinline__ void filter(const StageCommon& c, const PatchGrid& grid,
                                       const typename Patches<Channels, K, Digits>::Fragments& fragments) {
    using P = Patches<Channels, K, Digits>;
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x);
    const int x = static_cast<int>(blockIdx.x) * kPatchAcross - grid.shift,
              y = grid.first_row + static_cast<int>(blockIdx.y * kWarps + threadIdx.y) * (2 * P::kTiles);
    if (y >= c.dst_height) return;
    // A warp is short: all its loads are in flight before it waits for any.
    const auto stop = c.stop.read();
    uint4 weights[P::kSteps][Digits];
#pragma unroll
    for (int i = 0; i < P::kSteps * Digits; ++i)
        weights[i / Digits][i % Digits] = load_operand(&fragments.of_lane[i][lane]);
    unsigned input[P::kRows][Channels];
    load_input(c, item, grid, K / 2, x, y, lane, input);
    if (c.stop.raised(stop)) return;
    const int start = grid.finish.start, starts[4] = {start, start, start, start}, zeros[4] = {};
    int sums[P::kTiles][Channels][Digits][4];
#pragma unroll
    for (int pair = 0; pair < P::kRows / 2; ++pair) {
        unsigned upper[Channels], lower[Channels];
#pragma unroll
        for (int s = 0; s < Channels; ++s) upper[s] = input[2 * pair][s], lower[s] = input[2 * pair + 1][s];
        to_planar(upper), to_planar(lower);
#pragma unroll
        for (int d = 0; d < Digits; ++d)
#pragma unroll
            for (int tile = 0; tile < P::kTiles; ++tile)
                if (const int step = pair - tile; step >= 0 && step < P::kSteps)
#pragma unroll
                    for (int s = 0; s < Channels; ++s)
                        if (step == 0)
                            multiply_k32<std::int8_t>(sums[tile][s][d], weights[0][d], upper[s], lower[s],
                                                      d == 0 ? starts : zeros);
                        else
                            multiply_add_k32<std::int8_t>(sums[tile][s][d], weights[step][d], upper[s],
                                                          lower[s]);
    }
    int whole[P::kTiles][4 * Channels];
#pragma unroll
    for (int i = 0; i < P::kTiles * 4 * Channels; ++i)
        whole[i / (4 * Channels)][i % (4 * Channels)] = sum_of_digits(
            sums[i / (4 * Channels)][i / 4 % Channels], i % 4);
    if (grid.wide_stores && x >= 0 && x + kPatchAcross <= c.dst_width && y + 2 * P::kTiles <= c.dst_height) {
        const int row = y + (lane >> 4);
        auto* line = item.dst + std::int64_t{row} * item.dst_pitch + std::int64_t{x} * Channels;
        const auto* source = item.src + std::int64_t{c.dst_y + row - c.src_y} * item.src_pitch +
                             std::int64_t{c.dst_x + x - c.src_x} * Channels;
#pragma unroll
        for (int tile = 0; tile < P::kTiles; ++tile) {
            finish_as_bytes<P::kSmall, false>(grid.finish, whole[tile],
                                              [&](int i) { return offset_of(c, i / 4); });
            store_words<Channels>(c, item, grid.kept, source, line, lane, whole[tile]);
            line += 2 * item.dst_pitch, source += 2 * item.src_pitch;
        }
    } else {
        int copy[P::kTiles * 4 * Channels]; // in local memory
#pragma unroll
        for (int i = 0; i < P::kTiles * 4 * Channels; ++i)
            copy[i] = whole[i / (4 * Channels)][i % (4 * Channels)];
        store_pixels<Channels, P::kSmall>(c, item, grid, x, y, lane, P::kTiles, copy);
    }
}

template <int Channels, int K, int Digits>
__global__ void __launch_bounds__(kLanes* kWarps, (Patches<Channels, K, Digits>::kBlocks))
    filter_patches(const __grid_constant__ StageCommon c, const __grid_constant__ PatchGrid grid,
                   const __grid_constant__ typename Patches<Channels, K, Digits>::Fragments fragments) {
    if constexpr (kMultipliesBytes) filter<Channels, K, Digits>(c, grid, fragments);
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
    PatchesPlan(const ImageStep& step, const DigitWeights& weights) : StagePlan(step, {common_of(step), {}}) {
        const auto& c = packed().common;
        const auto& kernel = step.stages.front().kernels.front();
        const int k = square_of(step);
        with_patches(c.channels, k, weights.digits, [&]<int Channels, int K, int Digits>() {
            using P = Patches<Channels, K, Digits>;
            kernel_ = reinterpret_cast<const void*>(&filter_patches<Channels, K, Digits>);
            rows_ = 2 * P::kTiles * kWarps;
            fragments_.resize(sizeof(typename P::Fragments));
        });
        make_patch_fragments(weights, taps(kernel), k, fragments_);
        const bool same_offset = c.alpha < 0 || !(c.computed >> c.alpha & 1u) || c.offset == 0;
        finish_ = sum_finish(weights, kernel.divisor,
                             {step.out.depth, c.offset, same_offset, weights.digits == 1});
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        const std::int64_t channels = c.channels, first = (c.dst_x - c.src_x) * channels;
        const auto loads_at = [&](std::int64_t unit, std::int64_t ahead) {
            return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
                return (reinterpret_cast<std::int64_t>(item.src) + ahead) % unit == 0 &&
                       item.src_pitch % unit == 0;
            });
        };
        PatchGrid grid{};
        grid.finish = finish_;
        for (int shift = 0; shift < 4 && !grid.wide_loads; ++shift)
            if (loads_at(channels == 4 ? 16 : 4, first - shift * channels))
                grid.wide_loads = true, grid.shift = shift;
        grid.floats = step().out.depth == Depth::f32;
        for (int s = 0; s < c.channels; ++s)
            if (!(c.computed >> s & 1u)) grid.kept |= 0xffu << s * 8;
        const auto stores_at = [&](std::int64_t unit, std::int64_t ahead) {
            return std::all_of(c.items, c.items + count, [&](const StageItem& item) {
                return (reinterpret_cast<std::int64_t>(item.dst) + ahead) % unit == 0 &&
                       item.dst_pitch % unit == 0;
            });
        };
        grid.wide_stores = !grid.floats && finish_.rounding != SumRounding::divide &&
                           (grid.kept == 0 || channels == 4) &&
                           stores_at(channels == 4 ? 8 : 4, -grid.shift * channels);
        const auto across = static_cast<unsigned>((c.dst_width + grid.shift + kPatchAcross - 1) /
                                                  kPatchAcross);
        auto* fragments = const_cast<std::int8_t*>(fragments_.data()); // only copied
        for (; grid.first_row < c.dst_height; grid.first_row += kMostBlocksDown * rows_) {
            const int down = std::min((c.dst_height - grid.first_row + rows_ - 1) / rows_, kMostBlocksDown);
            void* arguments[] = {&parameters.common, &grid, fragments};
            queue.launch(kernel_, {across, static_cast<unsigned>(down), count}, {kLanes, kWarps}, 0,
                         arguments);
        }
    }

    const void* kernel_ = nullptr;
    int rows_ = 0; ///< of a block
    std::vector<std::int8_t> fragments_;
    SumFinish finish_;
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
    return why_not_digits(step.stages.front().kernels.front(), step.out.depth);
}

/// Fitted to an H200 with 4096 x 4096 pixels, for two digits.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 3, kOfDigits[] = {0.75, 1, 1.4}, kFloats = 1.0;
    constexpr double kMicrosecondsPerMillion[3][4] = {
        {0.65, 0.80, 0.88, 0.94}, {0.85, 0.88, 1.06, 1.20}, {0.69, 0.81, 1.08, 1.16}};
    const auto& step = std::get<ImageStep>(request);
    const auto& weights = digit_weights(step.stages.front().kernels.front());
    if (!weights) return {Cost::kOnlyWhenForced};
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const auto& of_channels = kMicrosecondsPerMillion[step.in.channels == 1 ? 0 : step.in.channels - 2];
    return {kLaunch + millions * (of_channels[square_of(step) / 2 - 1] * kOfDigits[weights->digits - 1] +
                                  (step.out.depth == Depth::f32 ? kFloats : 0))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return std::make_shared<PatchesPlan>(step, *digit_weights(step.stages.front().kernels.front()));
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
