// `direct` without strides and dilation, compiled for 6 or 3 filters of a thread and the columns of the
// kernel, so that no tap is empty. What a block begins with takes as long as the products of several taps, so
// there is little of it:
//
//   shared     a ring of channels; a channel: rows of numbers | its weights
//   copies     a thread copies 16 bytes of some rows, at one address that moves from channel to channel
//   thread     8 columns of one row of outputs, in all its filters: sums of a chain, and their totals
//   results    a warp has 32 x 8 outputs of a filter; it exchanges them in shared memory and writes rows
//
// A channel is copied into the place of the one before the last, which every thread has left when it waits
// for the last one: one barrier for each channel.

#include "gpu/kernels/banks/dense_sum.hpp"
#include "gpu/kernels/banks/direct_run.cuh"
#include "gpu/kernels/banks/direct_tile.cuh"

#include <utility>

namespace kg::gpu {

namespace {

constexpr int kDenseWarpColumns = 32, kDenseWarpRows = 8; ///< outputs of a warp in a filter

/// The same number, which the compiler does not know how to compute again: in loops it would, to save
/// registers, and spend more instructions on it than on products.
template <typename T>
__device__ __forceinline__ T kept(T number) {
    asm volatile("" : "+r"(number));
    return number;
}

/// The outputs of a block.
struct DensePlace {
    int row, column;   ///< of the first, counted from the first that is requested
    int rows, columns; ///< how many there are
    bool inside;       ///< the numbers under them are in the tensor

    __device__ explicit DensePlace(const DirectLaunch& d) {
        unsigned down = __umulhi(blockIdx.x, d.tiles_reciprocal), across = blockIdx.x - down * d.x.tiles;
        if (across >= d.x.tiles) ++down, across -= d.x.tiles;
        row = static_cast<int>(down) * (kDirectThreads >> d.bank.across);
        column = static_cast<int>(across) * (kDirectColumns << d.bank.across);
        rows = kept(min(kDirectThreads >> d.bank.across, static_cast<int>(d.y.of_class) - row));
        columns = kept(min(kDirectColumns << d.bank.across, static_cast<int>(d.x.of_class) - column));
        inside = across - d.x.first_inside < d.x.inside && down - d.y.first_inside < d.y.inside;
    }
};

/// Copies to shared memory, whose address is converted once.
struct DenseRing {
    float* floats;
    unsigned address;

    __device__ explicit DenseRing(float* ring)
        : floats(ring), address(kept(static_cast<unsigned>(__cvta_generic_to_shared(ring)))) {}

    /// Copies the first `bytes` of 16, which zeros follow, to the float `to` of the ring.
    __device__ __forceinline__ void copy(int to, const void* from, int bytes) const {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address + to * 4), "l"(from),
                     "r"(bytes)
                     : "memory");
#else
        copy_async_floats<kVector>(floats + to, static_cast<const std::byte*>(from), bytes);
#endif
    }
};

/// What a thread copies of the tile of a channel that is in the tensor: 16 bytes, of which the first `bytes`
/// are needed, of every `dense_down`-th of `rows` rows.
struct DensePieces {
    const std::byte* from; ///< of the next channel
    int to, rows, bytes;   ///< to: floats of the ring's slot

    /// `tile`: the first number of the tile in the first channel.
    __device__ DensePieces(const BankLaunch& b, const DirectLaunch& d, const DensePlace& place,
                           const std::byte* tile) {
        const auto& p = d.pieces;
        const int thread = static_cast<int>(threadIdx.x),
                  row = static_cast<int>(__umulhi(threadIdx.x, p.reciprocal)),
                  first = (thread - row * p.in_row) * kVector,
                  all_rows = place.rows - 1 + static_cast<int>(b.kernel_height),
                  floats = min(place.columns - 1 + static_cast<int>(b.kernel_width) - first, kVector);
        from = tile + row * b.in.row + first * static_cast<int>(sizeof(float));
        to = kept(row * d.bank.pitch + first);
        bytes = kept(floats * static_cast<int>(sizeof(float)));
        rows = kept(floats > 0 && row < p.dense_down ? all_rows - row : 0);
    }
    __device__ __forceinline__ void copy(const DirectPieces& p, const DenseRing& ring, int slot,
                                         std::int64_t to_channel) {
        const auto* own = from;
        int own_to = slot + to;
#pragma unroll
        for (int i = 0; i < kDensePieces; ++i, own += p.dense_next, own_to += p.dense_to_next)
            if (i * p.dense_down < rows) ring.copy(own_to, own, bytes);
        from += to_channel;
    }
};

template <int Filters, int Taps>
__global__ void __launch_bounds__(kDirectThreads, Filters == 6 ? 4 : 5)
    sum_dense(const __grid_constant__ BankLaunch b, const __grid_constant__ DirectLaunch d) {
    extern __shared__ float4 shared[];
    const int thread = static_cast<int>(threadIdx.x);
    const auto stop = b.stop.read_for_block();
    const auto& bank = d.bank;
    const DensePlace place(d);
    const DenseRing ring(reinterpret_cast<float*>(shared));
    const auto filters = filters_of_block(b, d.blocks_of_group, Filters);
    const int channels = static_cast<int>(b.channels), height = static_cast<int>(b.kernel_height),
              slots = d.ring.slots, stage = d.ring.stage, of_channel = d.channel_weights;
    const bool by_four = place.inside && d.pieces.floats == kVector;
    const std::byte* const first = filters.channel + d.to_first_number + place.row * b.in.row +
                                   place.column * b.in.column;
    DensePieces pieces(b, d, place, first);
    DirectCopy others{};
    if (!by_four) {
        others = begin_copies(
            b, bank, d.pieces,
            {b.outputs.y + place.row, b.outputs.x + place.column, place.rows, place.columns, place.inside},
            filters.channel, reinterpret_cast<std::int64_t*>(ring.floats + d.ring.tables));
        __syncthreads(); // the tables
    }
    const float* weights = d.weights + filters.block * b.channels * of_channel + thread * kVector;
    const int to_weights = kept(thread * kVector < of_channel ? bank.tile() + thread * kVector : -1);

    const int lane = thread & 31, warp = thread >> 5, warps_across = bank.across - 2,
              own_column = kept((warp & ((1 << warps_across) - 1)) * kDenseWarpColumns),
              own_row = kept((warp >> warps_across) * kDenseWarpRows), lane_x = lane & 3, lane_y = lane >> 2;
    // From the tile to the thread's numbers; negative if it has no outputs.
    const int to_own = kept(own_row < place.rows && own_column < place.columns
                                ? (own_row + lane_y) * bank.pitch + own_column + lane_x * kDirectColumns
                                : -1);
    float sums[Filters][kDirectColumns] = {}, totals[Filters][kDirectColumns] = {};
    int left = bank.chain, slot = 0, copied = 0, to = 0;
#pragma unroll 1
    for (int c = 0; c < channels; ++c) {
        const int end = min(channels, c == 0 ? slots : c - 1 + slots);
#pragma unroll 1
        for (; copied < end; ++copied, weights += of_channel) {
            if (to_weights >= 0) ring.copy(to + to_weights, weights, kVector * sizeof(float));
            if (by_four) pieces.copy(d.pieces, ring, to, b.in.channel);
            else copy_channels(b, bank, d.pieces, others, filters.channel, copied, 1, ring.floats + to);
            end_copies();
            if ((to += stage) == slots * stage) to = 0;
        }
        wait_but_for(copied - 1 - c);
        if (c > 0) __syncthreads();
        else if (__syncthreads_or(b.stop.raised(stop))) return;
        const float *row = ring.floats + slot + to_own, *run = ring.floats + slot + bank.tile();
        if ((slot += stage) == slots * stage) slot = 0;
        if (to_own < 0) continue;
#pragma unroll 1
        for (int r = 0; r < height; ++r, row += bank.pitch, run += bank.run_weights) {
            add_run<Filters, Taps>(row, run, sums);
            if (--left == 0) end_chain(sums, totals), left = bank.chain;
        }
    }
    end_chain(sums, totals);
    __syncthreads(); // the ring is free for the results
    float* const own = ring.floats + warp * (Filters * kDenseWarpRows * kDensePitch);
    store_results(totals, own + lane_y * kDensePitch + lane_x * kDirectColumns, kDenseWarpRows * kDensePitch);
    __syncwarp();
    const int rows = place.rows - own_row, columns = place.columns - own_column;
    auto* to_filter = b.items[blockIdx.z].dst + d.to_first_output + filters.first * b.out.channel +
                      (place.row + own_row) * b.out.row + (place.column + own_column) * b.out.column;
    if (d.outputs_by_four && rows >= kDenseWarpRows && columns >= kDenseWarpColumns) {
        constexpr int kLanes = kDenseWarpColumns / kVector, kRows = 32 / kLanes; // of a row; of the warp
        to_filter += lane / kLanes * b.out.row + lane % kLanes * kVector * static_cast<int>(sizeof(float));
        const float* results = own + lane / kLanes * kDensePitch + lane % kLanes * kVector;
#pragma unroll 1
        for (int f = 0; f < filters.count;
             ++f, to_filter += b.out.channel, results += kDenseWarpRows * kDensePitch) {
            const float bias = bias_of(b, filters.first + f);
#pragma unroll
            for (int i = 0; i < kDenseWarpRows; i += kRows) {
                const auto sum = *reinterpret_cast<const float4*>(results + i * kDensePitch);
                __stcs(reinterpret_cast<float4*>(to_filter + i * b.out.row),
                       float4{sum.x + bias, sum.y + bias, sum.z + bias, sum.w + bias});
            }
        }
        return;
    }
    if (lane >= columns) return;
    to_filter += lane * b.out.column;
    const float* results = own + lane;
#pragma unroll 1
    for (int f = 0; f < filters.count;
         ++f, to_filter += b.out.channel, results += kDenseWarpRows * kDensePitch) {
        const float bias = bias_of(b, filters.first + f);
#pragma unroll
        for (int i = 0; i < kDenseWarpRows; ++i)
            if (i < rows)
                *reinterpret_cast<float*>(to_filter + i * b.out.row) = results[i * kDensePitch] + bias;
    }
}

template <int Filters, std::size_t... Taps>
const void* kernel_of_taps(int taps, std::index_sequence<Taps...>) {
    const void* const all[] = {
        reinterpret_cast<const void*>(&sum_dense<Filters, static_cast<int>(Taps) + 1>)...};
    return all[taps - 1];
}

} // namespace

const void* dense_kernel(const DirectBank& bank) {
    constexpr auto kTaps = std::make_index_sequence<kMostDirectTaps>();
    return bank.filters == 6 ? kernel_of_taps<6>(bank.taps, kTaps) : kernel_of_taps<3>(bank.taps, kTaps);
}

} // namespace kg::gpu
