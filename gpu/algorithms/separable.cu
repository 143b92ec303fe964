// The rows, then the columns, in two launches: width + height multiply-adds per output instead of width *
// height.
//
// The row sums go through the GPU's memory as f32, which `separable_march` and `separable_fused` avoid. Each
// launch needs only one factor of the kernel, however, so that heights and widths of up to thousands fit. It
// is faster than `tiled` from 9 x 9 on, and takes what is beyond the reach of the others.
//
// Rows: a tile with its halo in shared memory and a window of registers that slides along it, as in `tiled`.
// They are summed for every row that the column sums reach, borders resolved, so that the second launch has
// none. Columns: a thread reads each row sum once for four outputs.

#include "core/request/step.hpp"
#include "gpu/kernels/columns.cuh"
#include "gpu/kernels/factored.hpp"
#include "gpu/kernels/tile.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

constexpr int kMostRows = 16, kFewestRows = 2; // rows of a block's tile
constexpr int kColumnRows = 8;                 // outputs per thread of the second launch
constexpr int kColumnThreads = 128;            // threads in a row, four samples each

/// Row sums of images whose items' dst are scratch; channels that are not computed pass through.
template <typename In, int Channels>
__global__ void __launch_bounds__(kAcross* kMostRows, 2)
    sum_rows(const __grid_constant__ StageParameters<kMostWeights> p,
             const __grid_constant__ TileShape shape) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const TileBlock<Channels> block(shape.blocks_across);
    const bool stopped = threadIdx.x + threadIdx.y == 0 && c.stop.raised();
    bring_tile<In>(c, item, block, 0, 1, tile, shape.pitch);
    if (__syncthreads_or(stopped) || !block.exists(c)) return;

    const auto& kernel = c.kernels[0];
    const float4* line = tile + block.y * shape.pitch;
    float sums[W::kSamples] = {};
    add_taps<In, Channels>(line, static_cast<int>(threadIdx.x) * W::kGroups,
                           p.weights + kernel.first + kernel.height, kernel.width, 0, kernel.skip_zeros,
                           sums);
    pass_through_tile<Channels>(c, line, block.x, sums);
    store_outputs<float, Channels>(c, item, block.column + block.x, block.row + block.y, sums);
}

/// Outputs from row sums: images of one channel, as wide as the outputs have samples; the first row is the
/// first tap's.
template <typename Out>
__global__ void __launch_bounds__(kColumnThreads, 4)
    sum_columns(const __grid_constant__ StageParameters<kMostWeights> p,
                const __grid_constant__ int blocks_across) {
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int sample = 4 * (static_cast<int>(blockIdx.x) % blocks_across * kColumnThreads +
                            static_cast<int>(threadIdx.x)),
              row = static_cast<int>(blockIdx.x) / blocks_across * kColumnRows;
    if (sample >= c.width || c.stop.raised()) return;
    const int outputs = min(kColumnRows, c.dst_height - row);
    const FourColumns<float, 1> columns(c, sample, true);
    float sums[1][kColumnRows][4] = {};
    column_sums<float, 1, 1, false, kColumnRows>(p, item, columns, row, outputs, sums);
    for (int r = 0; r < outputs; ++r) {
        float values[4];
#pragma unroll
        for (int s = 0; s < 4; ++s) {
            const int channel = (sample + s) % c.channels;
            values[s] = finished(Combine::single, quotient(sums[0][r][s], c.kernels[0].divisor),
                                 offset_of(c, channel));
        }
        if (c.computed != (1u << c.channels) - 1u) {
            float centre[4];
            assert(has_row(c, row + r + c.up));
            columns.read(item.src + std::int64_t{row + r + c.up} * item.src_pitch, centre);
#pragma unroll
            for (int s = 0; s < 4; ++s)
                if (!(c.computed >> ((sample + s) % c.channels) & 1u)) values[s] = centre[s];
        }
        auto* to = reinterpret_cast<Out*>(item.dst + std::int64_t{row + r} * item.dst_pitch) + sample;
        if (c.wide_stores && sample + 4 <= c.width) {
            store_together(to, values);
        } else {
#pragma unroll
            for (int s = 0; s < 4; ++s)
                if (sample + s < c.width) to[s] = SampleTraits<Out>::from(values[s]);
        }
    }
}

std::size_t tile_bytes(const ImageStep& step, int rows) {
    const auto r = reach(step.stages.front());
    return std::size_t{16} * static_cast<std::size_t>(tile_pitch(step.in.channels, r.left + r.right + 1)) *
           static_cast<std::size_t>(rows);
}

/// Rows of the first launch's tile, as many as fit into shared memory; 0 = not even the fewest.
int rows_that_fit(const ImageStep& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (int rows = kMostRows; rows >= kFewestRows; rows /= 2)
        if (tile_bytes(step, rows) <= limit) return rows;
    return 0;
}

class SeparablePlan final : public StagePlan {
public:
    SeparablePlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack_factors(step, 0)), tile_rows_(rows_that_fit(step, engine)),
          tile_bytes_(tile_bytes(step, tile_rows_)),
          pitch_(tile_pitch(step.in.channels, packed().common.reach_width)) {
        rows_ = with_all_samples(step.in, step.in, [&](auto in, auto) {
            return with_channels(step.in.channels, [&](auto channels) {
                return reinterpret_cast<const void*>(&sum_rows<decltype(in), decltype(channels)::value>);
            });
        });
        columns_ = with_all_samples(step.out, step.out, [&](auto, auto out) {
            return reinterpret_cast<const void*>(&sum_columns<decltype(out)>);
        });
        allow_shared_memory(rows_, engine);
    }

    Needs needs(const Rect& output) const override {
        auto needs = StagePlan::needs(output);
        needs.scratch_bytes = sums_pitch(output.width) *
                              static_cast<std::size_t>(output.height + packed().common.reach_height - 1);
        return needs;
    }

private:
    /// Bytes from one row of row sums to the next.
    std::size_t sums_pitch(std::int64_t width) const {
        return (static_cast<std::size_t>(width * step().in.channels) * sizeof(float) + 255) / 256 * 256;
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto& c = parameters.common;
        const auto outputs = c;
        const auto pitch = sums_pitch(c.dst_width);
        const int sum_rows = c.dst_height + c.reach_height - 1;
        const auto own = pitch * static_cast<std::size_t>(sum_rows);
        for (unsigned i = 0; i < count; ++i) {
            c.items[i].dst = scratch + i * own;
            c.items[i].dst_pitch = static_cast<std::int64_t>(pitch);
        }
        c.dst_y -= c.up, c.dst_height = sum_rows;
        c.up = 0, c.reach_height = 1;
        c.wide_stores = true;
        TileShape shape{tile_blocks_across(c.dst_width, c.channels), pitch_};
        void* row_arguments[] = {&parameters, &shape};
        queue.launch(rows_, tile_blocks(c, tile_rows_, count), tile_threads(tile_rows_), tile_bytes_,
                     row_arguments);

        for (unsigned i = 0; i < count; ++i) {
            auto& item = c.items[i];
            item = {item.dst, outputs.items[i].dst, item.dst_pitch, outputs.items[i].dst_pitch};
        }
        c.width = c.src_width = outputs.dst_width * outputs.channels, c.height = c.src_height = sum_rows;
        c.src_x = c.src_y = c.dst_x = c.dst_y = 0;
        c.dst_height = outputs.dst_height;
        c.up = outputs.up, c.reach_height = outputs.reach_height;
        c.wide_stores = outputs.wide_stores;
        int blocks_across = (c.width / 4 + kColumnThreads) / kColumnThreads;
        const auto blocks = std::int64_t{blocks_across} * ((c.dst_height + kColumnRows - 1) / kColumnRows);
        void* column_arguments[] = {&parameters, &blocks_across};
        queue.launch(columns_, {static_cast<unsigned>(blocks), 1, count}, {kColumnThreads}, 0,
                     column_arguments);
    }

    int tile_rows_;
    std::size_t tile_bytes_;
    int pitch_;
    const void *rows_ = nullptr, *columns_ = nullptr;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.stages.front().combine != Combine::single) return "it sums one kernel";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (factor_taps(step) > kMostWeights)
        return "its weights travel with the launch: width and height may add up to at most " +
               std::to_string(kMostWeights);
    if (auto why = why_not_shared(tile_bytes(step, kFewestRows), engine); !why.empty()) return why;
    return why_not_factored(step);
}

constexpr Speeds kSpeeds{{12.4, 0.174e6, 13.56e6}, {11.9, 0.153e6, 14.27e6}};

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    return {stage_microseconds(step, kSpeeds, factor_taps(step))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<SeparablePlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kSeparable{"separable",
                                  "Separable",
                                  "The rows, then the columns, in two launches",
                                  "Every kernel of rank 1 (core/request/separate.hpp)",
                                  why_not,
                                  cost,
                                  plan};

} // namespace kg::gpu
