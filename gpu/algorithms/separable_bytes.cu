// 8-bit images through a row and then a column of integers, both on tensor cores, all in registers:
// Gaussians, binomials, boxes.
//
// Sums of floats cost the same for bytes as for floats: at 15 x 15, where a copy of RGBA takes 36 us of an
// H200 with 4096 x 4096 pixels, `separable_fused` converts, multiplies and waits for 320. Tensor cores
// multiply bytes 30 times as fast, but take their operands from registers in a layout of their own. Here
// nothing ever leaves that layout. It wins wherever a kernel of bytes is a column times a row of up
// to 65 taps each.
//
// A warp owns 16 columns of outputs (grey: 64, as 4 units of 16) and marches down them, 16 rows a step. Both
// passes multiply a band matrix of weights by samples. Lane l has group g = l / 4 and place t = l % 4:
//
//   row pass, 8 rows of the image at a time            column pass, 16 rows of row sums at a time
//                     8 rows: g                                          8 columns: g
//                   +---------+                                        +---------+
//                   | pixels  | 4t..4t+3, as they                      | row sums| 2t, 2t+1, 8+2t, 8+2t+1:
//       16 Blocks   | of a row| lie in the image           16 Blocks   | of a    | high bytes, and again
//       pixels      |         |                            rows        | column  | with low bytes
//                   +---------+                                        +---------+
//   +-------------+ +---------+                        +-------------+ +---------+
// 16| band of the | | sums of | columns: g         16  | band of the | | results | rows: g
// x | row         | | rows    | (place_of)         y   | column      | |         | columns: 4t..4t+3
//   +-------------+ +---------+                        +-------------+ +---------+
//                     rows 2t, 2t+1
//
// The sums of the row pass lie where the column pass wants its operand: their column in the lane's group,
// their rows in its place. Only the order of rows within 16 differs, which the columns of the second band
// follow (row_of), and the columns are assigned to groups such that the results are four neighbouring pixels
// of a lane (place_of). Row sums have 16 bits, in two bytes, and those of 16 (Blocks - 1) rows stay in
// registers for the next step.
//
// Which weights, and how exact: gpu/kernels/tensor/byte_factors.hpp.

#include "core/request/step.hpp"
#include "gpu/kernels/tensor/byte_passes.cuh"
#include "gpu/kernels/tensor/byte_rows.cuh"
#include "gpu/kernels/waves.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kLanes = 32, kWarps = 4, kThreads = kLanes * kWarps;
constexpr int kMostSteps = 64; // steps of a warp

/// Resident thread blocks per multiprocessor, as many as there are registers for.
constexpr int resident(int blocks, bool exact) { return blocks == 2 ? 4 : blocks == 3 ? (exact ? 3 : 4) : 2; }

/// Division of a launch; pixels.
struct ByteGrid {
    int across;            ///< thread blocks side by side
    int edges;             ///< of these, those that read beside the image: the first one and the last ones
    int down, edge_down;   ///< thread blocks of a column of them, and of one at the edges
    int steps, edge_steps; ///< steps of their warps
    int shift; ///< the first column of outputs of the first warp begins so far before the rectangle
    int lead;  ///< from a window's first pixel to its first output
    int pad;   ///< and to its first tap
    int reach; ///< from an output's first pixel of the window to its last tap
    bool wide_loads, wide_stores;
    ByteFinish finish;
    ByteTables tables;
};

/// A thread block's column of blocks, first row of outputs, and steps.
struct BytePlace {
    int column, y, steps;

    /// First come those at the edges, whose steps take longer, and which have fewer.
    __device__ __forceinline__ BytePlace(const ByteGrid& grid, int block) {
        const int inner = grid.across - grid.edges, i = block - grid.edges * grid.edge_down,
                  edge = block % grid.edges;
        const bool at_edge = i < 0;
        column = !at_edge ? 1 + i % inner : edge == 0 ? 0 : inner + edge;
        steps = at_edge ? grid.edge_steps : grid.steps;
        y = 16 * steps * (at_edge ? block / grid.edges : i / inner);
    }
};

/// Loads a lane's words of a row of its warp's window.
template <typename S, int Channels>
struct WindowReader {
    const StageCommon& c;
    const StageItem& item;
    const int* rows;    ///< source rows of the lane's words, in shared memory
    const int* columns; ///< source columns of these words; set unless all words are inside
    int offset;         ///< offset of the lane's first word in a row, in bytes
    unsigned inside;    ///< bit b: the pixels of block b lie in the source, and words may be loaded at once
    unsigned needed;    ///< bit b: outputs need some of them

    /// The lane's row of the 8 from `first` on, counted from the window's first.
    __device__ __forceinline__ void load(int first, unsigned (&words)[S::kWindow][Channels]) const {
        constexpr unsigned kAllInside = (1u << S::kWindow) - 1u;
        const int row = rows[first];
        const auto* line = item.src + std::int64_t{row} * item.src_pitch;
        if (row < 0) {
#pragma unroll
            for (auto& block : words)
#pragma unroll
                for (auto& word : block) word = 0;
        } else if (inside == kAllInside) {
#pragma unroll
            for (int b = 0; b < S::kWindow; ++b) load_block(line, b, words[b]);
        } else {
#pragma unroll
            for (int b = 0; b < S::kWindow; ++b)
                if (inside >> b & 1u) load_block(line, b, words[b]);
                else if (needed >> b & 1u) gather_pixels(c, item, line, columns + 16 * b, words[b]);
                else
#pragma unroll
                    for (auto& word : words[b]) word = 0;
        }
    }

private:
    __device__ __forceinline__ void load_block(const std::byte* line, int b,
                                               unsigned (&words)[Channels]) const {
        const auto* at = line + offset + 16 * Channels * b;
        assert(is_of_source<std::uint8_t>(c, item, at, 4 * Channels));
        load_pixels(at, words);
    }
};

/// Where a lane's pixels are stored: 4 neighbours, of one channel 8 of each pair of units. Even places store
/// those of the pair's first unit, odd ones of the second: whole sectors.
template <int Channels, int Units>
struct StoredRows {
    int x;          ///< the first, in the rectangle of outputs
    unsigned whole; ///< bit u: all those of unit u lie in it, and may be stored at once

    __device__ __forceinline__ StoredRows(const StageCommon& c, bool together, int first, int t) {
        x = first + (Channels == 1 ? 16 * (t % 2) + 4 * (t - t % 2) : 4 * t), whole = 0;
#pragma unroll
        for (int u = 0; u < (Channels == 1 ? Units : 1); u += 2)
            whole |= static_cast<unsigned>(together && x + 16 * u >= 0 &&
                                           x + 16 * u + (Channels == 1 ? 8 : 4) <= c.dst_width)
                     << u;
    }

    /// The words of four pixels of row y, one per unit; `to`: where pixel (x, y) goes.
    __device__ __forceinline__ void store(const StageCommon& c, const StageItem& item, int y, std::byte* to,
                                          int t, unsigned (&words)[Units]) const {
        if constexpr (Channels == 1) {
            const bool odd = t % 2;
#pragma unroll
            for (int u = 0; u < Units; u += 2) {
                const unsigned other = __shfl_xor_sync(~0u, odd ? words[u] : words[u + 1], 1);
                const unsigned pair[2] = {odd ? other : words[u], odd ? words[u + 1] : other};
                store_pixels<1>(c, item, whole >> u & 1u, x + 16 * u, y, to + 16 * u, pair);
            }
        } else {
            to_interleaved<Channels>(words);
            store_pixels<Channels>(c, item, whole, x, y, to, words);
        }
    }
};

/// Marches down the columns of a warp from row `y` of the rectangle of outputs on; `x`: the first of them.
template <int Channels, int Blocks, bool Exact, typename S = ByteShape<Channels, Blocks, Exact>>
__device__ __forceinline__ void march(const StageCommon& c, const StageItem& item, const ByteGrid& grid,
                                      const ByteBands<Blocks, S::kDigits>& bands,
                                      const WindowReader<S, Channels>& window, int x, int y, int most_steps,
                                      int lane) {
    const int g = lane / 4, steps = min(most_steps, (c.dst_height - y + 15) / 16) + Blocks - 1;
    y += g - 16 * (Blocks - 1);
    const StoredRows<Channels, S::kUnits> stored(c, grid.wide_stores, x, lane % 4);
    auto* to = item.dst + std::int64_t{y} * item.dst_pitch + std::int64_t{stored.x} * Channels;
    ByteRowSums<Channels, Blocks, Exact> rows;
    unsigned words[2][S::kWindow][Channels];
    window.load(0, words[0]);
    window.load(8, words[1]);
#pragma unroll 1
    for (int step = 0; step < steps; ++step, y += 16, to += 16 * item.dst_pitch) {
        unsigned sums[2][S::kUnits][2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            unsigned planar[S::kWindow][Channels];
#pragma unroll
            for (int b = 0; b < S::kWindow; ++b) {
#pragma unroll
                for (int s = 0; s < Channels; ++s) planar[b][s] = words[half][b][s];
                to_planar<Channels>(planar[b]);
            }
            if (step + 1 < steps) window.load(16 * (step + 1) + 8 * half, words[half]);
            sum_byte_rows<Channels, Blocks, Exact>(grid.finish, bands, planar, sums[half]);
        }
        rows.append(sums[0], sums[1], grid.finish.sign);
        if (step < Blocks - 1) continue;
        unsigned results[2][S::kUnits];
        if (grid.finish.plain) rows.template sum_columns<true>(c, grid.finish, bands, results);
        else rows.template sum_columns<false>(c, grid.finish, bands, results);
        stored.store(c, item, y, to, lane % 4, results[0]);
        stored.store(c, item, y + 8, to + 8 * item.dst_pitch, lane % 4, results[1]);
    }
}

template <int Channels, int Blocks, bool Exact>
__global__ void __launch_bounds__(kThreads, resident(Blocks, Exact))
    filter_bytes(const __grid_constant__ StageCommon c, const __grid_constant__ ByteGrid grid) {
    using S = ByteShape<Channels, Blocks, Exact>;
    if constexpr (kMultipliesBytes) {
        constexpr int kAll = kWarps * S::kColumns + 16 * (Blocks - 1); // pixels of the thread block's window
        __shared__ std::uint32_t rows[S::kDigits][ByteTables::kWords],
            columns[S::kDigits][ByteTables::kWords];
        __shared__ alignas(16) int of_columns[kAll];
        __shared__ int of_rows[16 * (kMostSteps + Blocks - 1)];
        const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
        const auto item = c.items[blockIdx.z];
        const BytePlace place(grid, static_cast<int>(blockIdx.x));
        int x = place.column * kWarps * S::kColumns - grid.shift;
        const int y = place.y;
        int column = c.dst_x + x - grid.lead - c.src_x; // source column: the first of the block's window
        if (thread < ByteTables::kWords)
#pragma unroll
            for (int d = 0; d < S::kDigits; ++d) {
                rows[d][thread] = grid.tables.row[d][thread + ByteTables::kMostPad - grid.pad];
                columns[d][thread] = grid.tables.column[d][thread];
            }
        const int beside = grid.wide_loads && column >= 0 && column + kAll <= c.src_width ? 0 : kAll;
#pragma unroll 1
        for (int i = thread; i < beside + 16 * (place.steps + Blocks - 1); i += kThreads) {
            const bool across = i < beside;
            (across ? of_columns : of_rows - beside)[i] = source_index(
                c.border, across ? column + c.src_x + i : c.dst_y + y - c.up + i - beside,
                across ? c.width : c.height, across ? c.src_x : c.src_y, across ? c.src_width : c.src_height);
        }
        if (c.stop.raised_for_block()) return;
        x += warp * S::kColumns, column += warp * S::kColumns;
        if (x >= c.dst_width) return;
        unsigned inside = 0, needed = 0;
        const int end = min(S::kColumns, c.dst_width - x) + grid.reach;
        for (int b = 0; b < S::kWindow; ++b) needed |= static_cast<unsigned>(16 * b < end) << b;
        for (int b = 0; b < S::kWindow && grid.wide_loads; ++b)
            inside |= static_cast<unsigned>(column + 16 * b >= 0 && column + 16 * (b + 1) <= c.src_width)
                      << b;
        const int first = 4 * (lane % 4);
        march<Channels, Blocks, Exact>(c, item, grid, {rows, columns, lane},
                                       WindowReader<S, Channels>{c, item, of_rows + lane / 4,
                                                                 of_columns + warp * S::kColumns + first,
                                                                 (column + first) * Channels, inside, needed},
                                       x, y, place.steps, lane);
    }
}

/// Divides a row into thread blocks of `columns` outputs, whose windows have `room` pixels more.
void set_columns(const StageCommon& c, int columns, int room, ByteGrid& grid) {
    grid.across = (c.dst_width + grid.shift + columns - 1) / columns;
    const int end_before_last = (grid.across - 1) * columns - grid.shift + room - grid.lead;
    grid.edges = std::min(grid.across, end_before_last > c.dst_width ? 3 : 2);
}

/// Divides the columns of thread blocks, of which `slots` run at a time, into those with the least estimated
/// time. Each begins with rows that the one above has summed, too.
void divide_rows(const StageCommon& c, unsigned count, int window_blocks, std::int64_t slots,
                 ByteGrid& grid) {
    // Fitted on an H200: how much longer a block takes at an edge of an image, where a row of results does
    // not end with a whole store, and where a window has five blocks; and what a block takes besides its half
    // steps.
    const double edge = (c.channels == 1   ? 1.34
                         : c.channels == 3 ? 1.45
                                           : 1.11) *
                        ((c.dst_width + grid.shift) % (c.channels == 1 ? 8 : 4) == 0 ? 1 : 1.2) *
                        (window_blocks == kMostBlocks ? 1.2 : 1);
    const int besides = c.channels == 1 ? 7 : 2;
    const auto up = [](std::int64_t number, std::int64_t step) { return (number + step - 1) / step; };
    const auto length = [&](int steps) { return 2.0 * (steps + window_blocks - 1) + besides; };
    const int most = static_cast<int>(std::min<std::int64_t>(up(c.dst_height, 16), kMostSteps));
    double least = 0;
    for (int steps = 1; steps <= most; ++steps) {
        const auto down = up(c.dst_height, 16 * steps);
        if (steps > 1 && up(c.dst_height, 16 * (steps - 1)) == down) continue; // longer for nothing
        const auto as_short = static_cast<int>((length(steps) / edge - besides) / 2) - (window_blocks - 1);
        for (const int edge_steps : {steps, std::max(as_short, 1)}) {
            const auto edge_down = up(c.dst_height, 16 * edge_steps);
            const double time = length(steps) * blocks_end(grid.edges * edge_down * count,
                                                           edge * length(edge_steps) / length(steps),
                                                           (grid.across - grid.edges) * down * count, slots);
            if (grid.steps > 0 && time >= least) continue;
            least = time;
            grid.steps = steps, grid.edge_steps = edge_steps;
            grid.down = static_cast<int>(down), grid.edge_down = static_cast<int>(edge_down);
        }
    }
}

/// The answer to a step's weights.
const ByteFactorsFound& factors_of(const ImageStep& step) { return byte_factors(step.stages.front()); }

/// The fewest blocks of 16 whose window has room for the factors: 2, 3 or 5.
int blocks_of(const ByteFactors& f) {
    const auto longest = static_cast<int>(std::max(f.row.size(), f.column.size()));
    return longest <= 17 ? 2 : longest <= 33 ? 3 : kMostBlocks;
}

class SeparableBytesPlan final : public StagePlan {
public:
    SeparableBytesPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        const auto& f = *factors_of(step).factors;
        blocks_ = blocks_of(f);
        const auto& stage = step.stages.front();
        right_ = reach(stage).right;
        grid_.finish = byte_finish(f, stage.kernels.front().divisor, offset_in(stage, step.in));
        grid_.tables = byte_tables(f);
        exact_ = f.exact;
    }

private:
    /// A kernel of filter_bytes(), and what a launch must know of it.
    struct Variant {
        const void* kernel;
        int blocks, columns, resident;
    };
    Variant variant_of(int blocks) const {
        const auto choose = []<int Channels, int Blocks, bool Exact>(Constant<Channels>, Constant<Blocks>,
                                                                     std::bool_constant<Exact>) {
            return Variant{reinterpret_cast<const void*>(&filter_bytes<Channels, Blocks, Exact>), Blocks,
                           ByteShape<Channels, Blocks, Exact>::kColumns, resident(Blocks, Exact)};
        };
        const auto with_blocks = [&](auto channels, auto exact) {
            if (blocks == 2) return choose(channels, Constant<2>{}, exact);
            if (blocks == 3) return choose(channels, Constant<3>{}, exact);
            return choose(channels, Constant<kMostBlocks>{}, exact);
        };
        const auto with_precision = [&](auto channels) {
            return exact_ ? with_blocks(channels, std::true_type{})
                          : with_blocks(channels, std::false_type{});
        };
        if (step().in.channels == 1) return with_precision(Constant<1>{});
        if (step().in.channels == 3) return with_precision(Constant<3>{});
        return with_precision(Constant<4>{});
    }

    /// Sets from where windows begin, such that their words are aligned for all items and results, too, if
    /// there are such places. Windows have room before the first tap or behind the last one; where that does
    /// not suffice, the next larger window is taken, or outputs begin up to three pixels early. Returns the
    /// window's blocks.
    int align(const StageCommon& c, unsigned count, ByteGrid& grid) const {
        const int unit = c.channels == 4 ? 16 : 4; // bytes
        const auto room = [&](int blocks) {
            for (grid.lead = c.left; grid.lead + right_ <= 16 * (blocks - 1); ++grid.lead)
                if (sources_aligned(c, count, c.dst_x - c.src_x - grid.shift - grid.lead, unit)) return true;
            return false;
        };
        grid.wide_loads = true;
        for (const bool together : {true, false})
            for (const int blocks : {blocks_, blocks_ == 2 ? 3 : kMostBlocks})
                for (grid.shift = 0; grid.shift < 4; ++grid.shift)
                    if (may_store_together(c, count, grid.shift) == together && room(blocks)) return blocks;
        grid.shift = 0, grid.lead = c.left, grid.wide_loads = false;
        return blocks_;
    }
    bool may_store_together(const StageCommon& c, unsigned count, int shift) const {
        const int unit = c.channels == 4 ? 16 : c.channels == 1 ? 8 : 4;
        return c.computed == all_channels(c.channels) && results_aligned(c, count, -shift, unit);
    }
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        ByteGrid grid = grid_;
        const auto variant = variant_of(align(c, count, grid));
        grid.pad = grid.lead - c.left, grid.reach = grid.lead + right_;
        grid.wide_stores = may_store_together(c, count, grid.shift);
        set_columns(c, kWarps * variant.columns, 16 * (variant.blocks - 1), grid);
        divide_rows(c, count, variant.blocks, std::int64_t{multiprocessors_} * variant.resident, grid);
        const int blocks = grid.edges * grid.edge_down + (grid.across - grid.edges) * grid.down;
        void* arguments[] = {&parameters.common, &grid};
        queue.launch(variant.kernel, {static_cast<unsigned>(blocks), 1, count}, {kThreads}, 0, arguments);
    }

    int multiprocessors_;
    int blocks_ = 0, right_ = 0;
    bool exact_ = false;
    ByteGrid grid_{};
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_one_stage(step); !why.empty()) return why;
    if (step.in.depth != Depth::u8 || step.out.depth != Depth::u8) return "it reads and writes u8";
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels";
    if (auto why = why_not_byte_products(engine); !why.empty()) return why;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    return factors_of(step).why_not;
}

/// Fitted to a prototype of this kernel on an H200 with 4096 x 4096 pixels.
Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kLaunch = 4, kExact[] = {0.95, 0.95, 0.865}; // of 1, 3 and 4 channels
    constexpr double kMicrosecondsPerMillion[3][3] = {
        {0.8, 1.13, 1.65}, {1.21, 1.81, 2.5}, {0.69, 1.09, 1.46}}; // 1, 3 and 4 channels; 2, 3 and 5 blocks
    const auto& step = std::get<ImageStep>(request);
    const auto& f = *factors_of(step).factors;
    const auto millions = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                          step.in.channels * 1e-6;
    const int blocks = blocks_of(f);
    return {kLaunch + millions * (f.exact ? kExact[step.in.channels / 2] : 1) *
                          kMicrosecondsPerMillion[step.in.channels / 2][blocks == 2   ? 0
                                                                        : blocks == 3 ? 1
                                                                                      : 2]};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<SeparableBytesPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kSeparableBytes{
    "separable_bytes",
    "Separable, bytes",
    "A row and a column of integers on tensor cores, the sums between them in registers",
    "band matrices on tensor cores; weights in fixed point (gpu/kernels/tensor/byte_factors.hpp)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
