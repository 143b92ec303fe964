// `direct` without strides and dilation, compiled for 6 or 3 filters of a thread and the columns of the
// kernel, so that no tap is empty. What a block begins with takes as long as the products of several taps, so
// there is little of it:
//
//   shared     a ring of channels; a channel: rows of numbers | its weights
//   copies     a thread of the block copies a channel's tile as a box of the tensor, two channels ahead, and
//              what is outside the tensor is zero; a barrier in shared memory waits for both copies
//   thread     8 columns of one row of outputs, in all its filters
//   results    a warp has 32 x 8 outputs of a filter; it exchanges them in shared memory and writes rows
//
// Boxes need a GPU of compute capability 9.0, rows and channels at multiples of 16 bytes, and zeros outside
// or nothing. Otherwise all threads copy, as in direct.cu.
//
// Of the first channels each product is added to the sums; those of another channel are summed for three
// filters at a time, and then added. So the roundings are as few as semantics 16 wants, for 24 registers more
// than the sums have instead of twice as many.
//
// The tiles that remain when all multiprocessors have been full some times are of two blocks each, with three
// of the six filters: one would leave most of a multiprocessor without work.

#include "gpu/kernels/banks/dense_sum.hpp"

#include "gpu/kernels/banks/direct_run.cuh"
#include "gpu/kernels/banks/direct_tile.cuh"
#include "gpu/kernels/box_copy.cuh"

#include <algorithm>
#include <optional>
#include <utility>

namespace kg::gpu {

namespace {

constexpr int kDenseAhead = 2; ///< channels copied before they are summed
static_assert(kDenseAhead < kDirectSlots);
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
    int half;          ///< of the filters, 0 or 1; -1: all of them
    int row, column;   ///< of the first, counted from the first that is requested; may be negative
    int rows, columns; ///< how many there are
    bool inside;       ///< the numbers under them are in the tensor

    __device__ explicit DensePlace(const DenseLaunch& d) {
        unsigned tile = blockIdx.x;
        half = -1;
        if (tile >= d.whole) half = (tile - d.whole) & 1, tile = d.whole + (tile - d.whole) / 2;
        unsigned down = __umulhi(tile, d.tiles_reciprocal), across = tile - down * d.x.tiles;
        if (across >= d.x.tiles) ++down, across -= d.x.tiles;
        row = static_cast<int>(down) * (kDirectThreads >> d.bank.across);
        column = static_cast<int>(across) * (kDirectColumns << d.bank.across) - d.lead;
        rows = kept(min(kDirectThreads >> d.bank.across, static_cast<int>(d.y.of_class) - row));
        columns = kept(min(kDirectColumns << d.bank.across, static_cast<int>(d.x.of_class) - column));
        inside = across - d.x.first_inside < d.x.inside && down - d.y.first_inside < d.y.inside;
    }
};

/// Channels in shared memory, copied by one thread as boxes of the tensor.
struct DenseBoxes {
    unsigned ring, barriers; ///< shared addresses; a barrier for each slot, in place of the tables
    const float* weights;    ///< of the block
    int column, row;         ///< of the tile's first number, among those in memory
    int channel;             ///< the first of the group

    /// Copies a channel of the group to a slot.
    __device__ __forceinline__ void copy(const DenseLaunch& d, int c, int slot) const {
        constexpr int kFloat = sizeof(float);
        const int tile = d.bank.tile() * kFloat, weight_bytes = d.channel_weights * kFloat;
        const unsigned to = ring + slot * (d.ring.stage * kFloat), barrier = barriers + slot * 8;
        expect_bytes(barrier, tile + weight_bytes);
        copy_box(to, d.map, column, row, channel + c, static_cast<int>(blockIdx.z), barrier);
        copy_run(to + tile, weights + std::int64_t{c} * d.channel_weights, weight_bytes, barrier);
    }
};

__device__ __forceinline__ unsigned shared_address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// The outputs of a thread in kDenseFilters filters.
using DenseSums = float[kDenseFilters][kDirectColumns];

/// Adds the products of a channel's rows of weights, `to_next` floats apart, to the first sums.
template <int Parts, int Taps>
__device__ __forceinline__ void add_rows(const float* numbers, int pitch, const float* weights, int to_next,
                                         int rows, DenseSums* sums) {
#pragma unroll 1
    do {
#pragma unroll
        for (int part = 0; part < Parts; ++part)
            add_run<kDenseFilters, Taps>(numbers, weights + part * dense_run_weights(Taps), sums[part]);
        numbers += pitch, weights += to_next;
    } while (--rows > 0);
}

/// As many as have the registers for sums, those of a channel, and the numbers and weights of a row of taps.
constexpr int dense_blocks(int filters) { return filters == 6 ? 4 : 5; }

template <int Filters, int Taps>
__global__ void __launch_bounds__(kDirectThreads, dense_blocks(Filters))
    sum_dense(const __grid_constant__ BankLaunch b, const __grid_constant__ DenseLaunch d) {
    extern __shared__ float4 shared[];
    const int thread = static_cast<int>(threadIdx.x);
    const auto stop = b.stop.read_for_block();
    const auto& bank = d.bank;
    const DensePlace place(d);
    float* const ring = reinterpret_cast<float*>(shared);
    auto filters = filters_of_block(b, d.blocks_of_group, Filters);
    constexpr int kParts = Filters / kDenseFilters, kPartWeights = dense_run_weights(Taps),
                  kRowWeights = kParts * kPartWeights;
    const bool is_half = kParts > 1 && place.half >= 0;
    const int channels = static_cast<int>(b.channels), height = static_cast<int>(b.kernel_height),
              slots = d.ring.slots, stage = d.ring.stage, channel_weights = d.channel_weights;
    const float* const weights = d.weights + filters.block * b.channels * channel_weights;
    const bool by_boxes = d.copies_boxes_at_border || (d.copies_boxes && place.inside);
    const DenseBoxes boxes{shared_address(ring),
                           shared_address(ring + d.ring.tables),
                           weights,
                           static_cast<int>(b.outputs.x - b.left - b.held.x) + place.column,
                           static_cast<int>(b.outputs.y - b.top - b.held.y) + place.row,
                           static_cast<int>(filters.group * b.channels)};
    DirectCopy others{};
    if (!by_boxes) {
        others = begin_copies(
            b, bank, d.pieces,
            {b.outputs.y + place.row, b.outputs.x + place.column, place.rows, place.columns, place.inside},
            filters.channel, reinterpret_cast<std::int64_t*>(ring + d.ring.tables));
    } else if (thread == 0) {
        prefetch_map(d.map);
#pragma unroll 1
        for (int slot = 0; slot < slots; ++slot) begin_barrier(boxes.barriers + slot * 8);
        end_barriers();
#pragma unroll 1
        for (int c = 0; c < kDenseAhead && c < channels; ++c) boxes.copy(d, c, c);
    }
    if (__syncthreads_or(b.stop.raised(stop))) {
        if (by_boxes && thread == 0) // the block's memory is in use
#pragma unroll 1
            for (int c = 0; c < kDenseAhead && c < channels; ++c) wait_for_phase(boxes.barriers + c * 8, 0);
        return;
    }

    const int lane = thread & 31, warp = thread >> 5, warps_across = bank.across - 2,
              own_column = kept((warp & ((1 << warps_across) - 1)) * kDenseWarpColumns),
              own_row = kept((warp >> warps_across) * kDenseWarpRows), lane_x = lane & 3, lane_y = lane >> 2;
    // From the tile to the thread's numbers; negative if it has no outputs.
    const int to_own = kept(own_row < place.rows && own_column < place.columns
                                ? (own_row + lane_y) * bank.pitch + own_column + lane_x * kDirectColumns
                                : -1);
    const int to_weights = bank.tile() + (is_half ? place.half * kPartWeights : 0);
    DenseSums sums[kParts] = {};
    int slot = 0, parity = 0, copied = 0, to = 0;
#pragma unroll 1
    for (int c = 0; c < channels; ++c) {
        if (by_boxes) {
            if (const int next = c + kDenseAhead; next < channels) {
                if (next >= slots) __syncthreads(); // all have left the slot of channel `next` - `slots`
                if (thread == (c * 32 & (kDirectThreads - 1)))
                    boxes.copy(d, next,
                               slot + kDenseAhead < slots ? slot + kDenseAhead : slot + kDenseAhead - slots);
            }
            wait_for_phase(boxes.barriers + slot * 8, parity);
        } else {
            const int end = min(channels, c == 0 ? slots : c - 1 + slots);
#pragma unroll 1
            for (; copied < end; ++copied) {
                float* const own = ring + to * stage;
                copy_weights(weights + std::int64_t{copied} * channel_weights, channel_weights,
                             own + bank.tile());
                copy_channels(b, bank, d.pieces, others, filters.channel, copied, 1, own);
                end_copies();
                if (++to == slots) to = 0;
            }
            wait_but_for(copied - 1 - c);
            __syncthreads();
        }
        const float *row = ring + slot * stage + to_own, *run = ring + slot * stage + to_weights;
        if (++slot == slots) slot = 0, parity ^= 1;
        if (to_own < 0) continue;
        if (c < bank.chain) {
            if (is_half) add_rows<1, Taps>(row, bank.pitch, run, kRowWeights, height, sums);
            else add_rows<kParts, Taps>(row, bank.pitch, run, kRowWeights, height, sums);
            continue;
        }
#pragma unroll
        for (int part = 0; part < kParts; ++part) {
            if (part > 0 && is_half) break;
            DenseSums of_channel[1] = {};
            add_rows<1, Taps>(row, bank.pitch, run + part * kPartWeights, kRowWeights, height, of_channel);
#pragma unroll
            for (int f = 0; f < kDenseFilters; ++f)
#pragma unroll
                for (int i = 0; i < kDirectColumns; ++i) sums[part][f][i] += of_channel[0][f][i];
        }
    }
    __syncthreads(); // the ring is free for the results
    float* const own = ring + warp * (Filters * kDenseWarpRows * kDensePitch);
    constexpr int kPlane = kDenseWarpRows * kDensePitch;
#pragma unroll
    for (int part = 0; part < kParts; ++part)
        store_results(sums[part],
                      own + part * kDenseFilters * kPlane + lane_y * kDensePitch + lane_x * kDirectColumns,
                      kPlane);
    __syncwarp();
    if (is_half) {
        filters.first += place.half * kDenseFilters;
        filters.count = place.half == 0 ? kDenseFilters : filters.count - kDenseFilters;
    }
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
    if (lane >= columns || place.column + own_column + lane < 0) return;
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

/// The numbers in memory, if they and the items are at equal distances.
std::optional<BoxedTensor> boxed_tensor(const DirectBank& bank, const BankLaunch& b, std::int64_t channels,
                                        unsigned count) {
    const auto to_next = count > 1 ? b.items[1].src - b.items[0].src : std::ptrdiff_t{0};
    for (unsigned i = 1; i < count; ++i)
        if (b.items[i].src - b.items[i - 1].src != to_next) return {};
    if (b.in.column != sizeof(float)) return {};
    const auto u = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    return BoxedTensor{b.items[0].src + b.held.y * b.in.row + b.held.x * b.in.column,
                       {u(b.held.width), u(b.held.height), u(channels), count},
                       {u(b.in.row), u(b.in.channel), u(to_next)},
                       static_cast<std::uint32_t>(bank.pitch),
                       static_cast<std::uint32_t>(bank.rows)};
}

} // namespace

DenseLaunch dense_launch(const DirectLaunch& direct, const BankLaunch& b, std::int64_t channels,
                         unsigned count, const DenseDevice& device, DirectBlocks& blocks) {
    DenseLaunch d{direct};
    if (const auto tensor = boxed_tensor(d.bank, b, channels, count); tensor && device.copies_boxes) {
        // Boxes begin at multiples of 16 bytes, and so outputs at such of their first numbers.
        constexpr int kUnit = 16 / sizeof(float);
        const auto first = b.outputs.x - b.left - b.held.x;
        const int lead = static_cast<int>((first % kUnit + kUnit) % kUnit);
        const bool has_zeros = b.rows.border == Border::zero ||
                               (b.rows.border == Border::constant && b.outside == 0);
        if ((has_zeros || lead == 0) && set_tensor_map(d.map, *tensor)) {
            d.copies_boxes = true;
            d.copies_boxes_at_border = has_zeros;
            d.lead = lead;
            d.x.tiles = static_cast<unsigned>(parts_of(d.x.of_class + lead, d.bank.columns_out()));
            blocks.across = d.x.tiles;
        }
    }
    // The last tiles, if they would leave more than half of the GPU without a block, have two blocks each.
    const auto tiles = blocks.across * blocks.down, last = tiles % device.blocks_at_once;
    if (count == 1 && blocks.filters == 1 && d.bank.filters > kDenseFilters &&
        2 * last <= device.blocks_at_once)
        blocks.halved = last;
    d.whole = static_cast<unsigned>(tiles - blocks.halved);
    d.to_first_output = b.outputs.y * b.out.row + b.outputs.x * b.out.column;
    d.tiles_reciprocal = 0xffffffffu / d.x.tiles;
    constexpr int kOfFour = kVector * sizeof(float);
    d.outputs_by_four = d.lead == 0 && b.out.column == sizeof(float) && b.out.row % kOfFour == 0 &&
                        b.out.channel % kOfFour == 0 &&
                        std::all_of(b.items, b.items + count, [&](const BankItem& item) {
                            return reinterpret_cast<std::uintptr_t>(item.dst + d.to_first_output) % kOfFour ==
                                   0;
                        });
    return d;
}

const void* dense_kernel(const DirectBank& bank) {
    constexpr auto kTaps = std::make_index_sequence<kMostDirectTaps>();
    return bank.filters == 6 ? kernel_of_taps<6>(bank.taps, kTaps) : kernel_of_taps<3>(bank.taps, kTaps);
}

} // namespace kg::gpu
