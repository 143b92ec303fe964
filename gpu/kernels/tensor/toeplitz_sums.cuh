#pragma once
// The sums of `toeplitz` (gpu/algorithms/toeplitz.cu): a warp's walk through the rows of a kernel, one
// channel at a time.

#include "gpu/kernels/tensor/integer_sums.cuh"
#include "gpu/kernels/tensor/toeplitz_tile.cuh"

namespace kg::gpu::toeplitz {

/// The table of taps in shared memory: [row][digit][word][set], each word beside its successor in the ring.
__device__ inline void lay_out_table(const ToeplitzShape& shape, unsigned* table) {
    const auto* taps = shape.taps.bytes;
    asm("" : "+l"(taps)); // from unknown memory: lanes read different words, which is slow for constants
    for (int i = static_cast<int>(threadIdx.x); i < shape.rings(); i += static_cast<int>(blockDim.x)) {
        const int row_and_digit = i >> (shape.sets - 1), set = i & (shape.sets - 1);
        const bool is_zero = row_and_digit >= shape.height * shape.digits;
        const uint4 ring = is_zero ? uint4{} : reinterpret_cast<const uint4*>(taps)[i];
        auto* to = reinterpret_cast<uint2*>(table) + row_and_digit * 4 * shape.sets + set;
        to[0] = {ring.x, ring.y};
        to[shape.sets] = {ring.y, ring.z};
        to[2 * shape.sets] = {ring.z, ring.w};
        to[3 * shape.sets] = {ring.w, ring.x};
    }
}

/// How kernels of one or two sets of 16 taps in a row are summed.
template <int Sets>
struct Product {
    static constexpr int kRowsAtOnce = 2 / Sets;                 ///< rows of the tile in a step
    static constexpr int kWindows = kRows / kRowsAtOnce;         ///< steps whose windows are in registers
    static constexpr int kPitch = 4 * (kAcross / kBlock + Sets); ///< words of a row of the tile
};

/// Sums of a warp: [output row][power of 256][e], in the layout of mma.cuh with blocks as columns.
template <int Digits>
using WarpSums = int[kRows][Digits][4];

/// A warp's walk through a kernel. `pixels`: the lane's word of the first row of the warp's tile. `table`:
/// the lane's word of the first row's taps.
template <int Digits, int Sets>
class Walk {
    using P = Product<Sets>;

public:
    __device__ Walk(const unsigned* pixels, const unsigned* table, int lane)
        : pixels_(pixels), table_(table), lane_(lane), metadata_(toeplitz_metadata(lane)) {
#pragma unroll
        for (int w = 0; w < P::kWindows - 1; ++w) load_windows(windows_[w]);
    }

    /// `sums`: those of a lane, to whose lowest powers the digits are added.
    template <int Powers>
    __device__ void sum(int steps, int (&sums)[kRows][Powers][4]) {
        int step = 0;
#pragma unroll 1
        for (; step + P::kWindows <= steps; step += P::kWindows)
#pragma unroll
            for (int w = 0; w < P::kWindows; ++w) add_step(w, sums);
#pragma unroll
        for (int w = 0; w < P::kWindows - 1; ++w) {
            if (step + w >= steps) return;
            add_step(w, sums);
        }
    }

private:
    /// The windows of the next step: of two rows, or of one and 16 pixels further.
    __device__ void load_windows(unsigned (&to)[4]) {
        const unsigned word = pixels_[0], next = pixels_[4];
        const auto one = window_registers(word, next);
        const auto other = Sets == 1 ? window_registers(pixels_[P::kPitch], pixels_[P::kPitch + 4])
                                     : window_registers(next, pixels_[8]);
        to[0] = one.low, to[1] = one.high, to[2] = other.low, to[3] = other.high;
        pixels_ += P::kPitch * P::kRowsAtOnce;
    }

    /// A's registers for even and odd output rows, which differ where a product takes two kernel rows.
    __device__ void load_taps(uint4 (&even)[Digits], uint4 (&odd)[Digits]) {
        constexpr int kWords = 8 * Sets; // per row and digit
#pragma unroll
        for (int d = 0; d < Digits; ++d) {
            if constexpr (Sets == 2) {
                const uint4 words = *reinterpret_cast<const uint4*>(table_ + d * kWords);
                const auto first = tap_registers(lane_, words.x, words.y),
                           second = tap_registers(lane_, words.z, words.w);
                even[d] = odd[d] = {first.even, first.odd, second.even, second.odd};
            } else {
                const uint2 upper = *reinterpret_cast<const uint2*>(table_ + d * kWords),
                            lower = *reinterpret_cast<const uint2*>(table_ + (Digits + d) * kWords);
                const auto first = tap_registers(lane_, upper.x, upper.y),
                           second = tap_registers(lane_, lower.x, lower.y);
                even[d] = {first.even, first.odd, second.even, second.odd};
                odd[d] = {previous_[d].even, previous_[d].odd, first.even, first.odd};
                previous_[d] = second;
            }
        }
        table_ += kWords * Digits * P::kRowsAtOnce;
    }

    /// `w`: the step, counted from one whose windows begin with windows_[0].
    template <int Powers>
    __device__ void add_step(int w, int (&sums)[kRows][Powers][4]) {
        load_windows(windows_[(w + P::kWindows - 1) % P::kWindows]);
        uint4 even[Digits], odd[Digits];
        load_taps(even, odd);
#pragma unroll
        for (int d = 0; d < Digits; ++d)
#pragma unroll
            for (int r = 0; r < kRows; ++r)
                multiply_add_sparse(sums[r][d], r % 2 == 0 ? even[d] : odd[d],
                                    windows_[(w + r / P::kRowsAtOnce) % P::kWindows], metadata_);
    }

    const unsigned *pixels_, *table_;
    int lane_;
    unsigned metadata_;
    unsigned windows_[P::kWindows][4];
    TapRegisters previous_[Digits] = {}; ///< the kernel row before
};

/// Sums of a lane's outputs of a channel: [row][output].
using LaneSums = int[4 * kRows];

/// The sums of a warp's outputs. `pixels` and `table` as for a Walk, but of the first lane.
template <int Digits, int Sets>
__device__ void sum_channel(const ToeplitzShape& shape, const unsigned* pixels, const unsigned* table,
                            LaneSums& own) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    WarpSums<Digits> sums = {};
#pragma unroll
    for (auto& of_row : sums)
#pragma unroll
        for (int& sum : of_row[0]) sum = shape.finish.start;
    Walk<Digits, Sets>(pixels + lane, table + tap_word_of_lane(lane) * 2 * Sets, lane).sum(shape.steps, sums);
#pragma unroll
    for (int i = 0; i < 4 * kRows; ++i) own[i] = sum_of_digits(sums[i / 4], sum_of_output(i % 4));
}

/// The sums of a warp's outputs from the planes of low and, behind it, of high bytes. `planes`: 1, or 2; the
/// high bytes come first, and their sums move up by one power, so that one copy of the walk serves both.
template <int Sets>
__device__ void sum_planes(const ToeplitzShape& shape, const unsigned* pixels, const unsigned* table,
                           int planes, WarpSums<kMostDigits + 1>& sums) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const auto* taps = table + tap_word_of_lane(lane) * 2 * Sets;
#pragma unroll 1
    for (int plane = planes - 1; plane >= 0; --plane) {
        Walk<kMostDigits, Sets>(pixels + plane * shape.plane() + lane, taps, lane).sum(shape.steps, sums);
        if (plane == 0) return;
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
#pragma unroll
                for (int p = kMostDigits; p > 0; --p) sums[r][p][e] = sums[r][p - 1][e];
                sums[r][0][e] = 0;
            }
    }
}

/// Digits and sets whose sums fit into the registers of four resident blocks per multiprocessor; of three.
constexpr bool is_small(int digits, int sets) { return digits * sets <= 2; }

template <bool Small>
__device__ void sum_channel(const ToeplitzShape& shape, const unsigned* pixels, const unsigned* table,
                            LaneSums& own) {
    if constexpr (Small) {
        if (shape.sets == 2) sum_channel<1, 2>(shape, pixels, table, own);
        else if (shape.digits == 1) sum_channel<1, 1>(shape, pixels, table, own);
        else sum_channel<2, 1>(shape, pixels, table, own);
    } else {
        if (shape.sets == 1) sum_channel<3, 1>(shape, pixels, table, own);
        else if (shape.digits == 2) sum_channel<2, 2>(shape, pixels, table, own);
        else sum_channel<3, 2>(shape, pixels, table, own);
    }
}

} // namespace kg::gpu::toeplitz
