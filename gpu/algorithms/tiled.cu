// A block loads its region of the image into shared memory once, border resolved and widened to f32, and
// every thread sums several neighbouring outputs from there.
//
// It is always faster than the algorithms with one output per thread, and for f32 x 1 at 15 x 15 reaches over
// a third of an H200's peak of multiply-adds (docs/performance.md). It serves what the algorithms for some
// depths and kernels do not. Up to 3 x 3 the bottleneck is not the sums but the instructions around them
// (addressing, division, rounding).
//
// The tile holds floats even where the image has bytes: a conversion costs more than a multiply-add, so it is
// done once per pixel loaded and not once per tap. A thread owns 8 pixels of a row (4 where there are several
// channels) with all their channels: a window of samples slides along the kernel's row in registers, so that
// a tap costs one multiply-add per output, a fraction of a 16-byte read of shared memory, and one weight,
// which is uniform in the block and comes from the launch's parameters. Kernels that have more weights than
// kTiledWeights, or reach further than a tile, are summed some of their rows at a time (a chunk), with the
// chunk's weights in shared memory behind its tile. Any kernel size is possible: 127 x 127 of f32 x 1 takes
// 23 ms.

#include "core/request/step.hpp"
#include "gpu/kernels/tile.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

constexpr int kMostRows = 16, kFewestRows = 4; // output rows of a block: as many as the tile fits with
// 33 x 33, with which a launch carries 8 KB. Larger kernels are summed in chunks.
constexpr int kTiledWeights = 1089;
constexpr int kMostChunkRows = 8, kFewestChunkRows = 1; // rows of a chunk

/// Resident blocks per multiprocessor, as many as there are registers for without spills.
constexpr int blocks_at_once(int channels) { return channels <= 2 ? 4 : channels == 3 ? 3 : 2; }

/// `Premultiply`: alpha-weighted sums (gpu/kernels/alpha_weighting.cuh).
template <typename In, int Channels, int Capacity = kTiledWeights, bool Premultiply = false>
__global__ void __launch_bounds__(kAcross* kMostRows, blocks_at_once(Channels))
    filter_tiled(const __grid_constant__ StageParameters<Capacity> p,
                 const __grid_constant__ TileShape shape) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const TileBlock<Channels> block(shape.blocks_across);
    const bool stopped = threadIdx.x + threadIdx.y == 0 && c.stop.raised();
    bring_tile<In, Premultiply>(c, item, block, 0, c.reach_height, tile, shape.pitch);
    if (__syncthreads_or(stopped) || !block.exists(c)) return;

    const int first_group = static_cast<int>(threadIdx.x) * W::kGroups;
    float values[W::kSamples] = {};
    for (int k = 0; k < c.kernel_count; ++k) {
        const KernelShape kernel = c.kernels[k];
        float sums[W::kSamples] = {};
        for (int i = 0; i < kernel.height; ++i) {
            const float4* line = tile + (block.y + c.up + kernel.dy + i) * shape.pitch;
            const float* weights = p.weights + kernel.first + i * kernel.width;
            RowSums<W::kSamples> row(kernel, sums);
            add_taps<In, Channels>(line, first_group, weights, kernel.width, 0, kernel.skip_zeros, row.sums);
            row.add_to(sums);
        }
        divide_in_less_code<In>(sums, kernel);
        combine(c.combine, values, sums);
    }
    finish<Channels>(c, values);
    if constexpr (Premultiply) divide_by_alpha<In>(values, c.kernels[0].reciprocal != 0.0f);
    else pass_through_tile<Channels>(c, tile + (block.y + c.up) * shape.pitch, block.x, values);
    store_results<In, Channels>(c, item, block.column + block.x, block.row + block.y, values);
}

/// Sums kernels that fit neither a launch nor a tile some of their rows at a time.
struct ChunkShape {
    TileShape tile;
    int rows;       ///< kernel rows in a chunk
    int pitch;      ///< pitch of the chunk's weights, in floats
    int weights_at; ///< behind the tile, in float4
};

/// The same chunk by chunk: the tile holds the reach of a chunk's rows, and the chunk's weights follow it.
template <typename In, int Channels>
__global__ void __launch_bounds__(kAcross* kMostRows, 2)
    filter_tiled_in_chunks(const __grid_constant__ StageCommon c, const __grid_constant__ ChunkShape shape,
                           const float* weights) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    auto* const chunk_weights = reinterpret_cast<float*>(tile + shape.weights_at);
    const auto& item = c.items[blockIdx.z];
    const TileBlock<Channels> block(shape.tile.blocks_across);
    const int thread = static_cast<int>(threadIdx.y * kAcross + threadIdx.x);
    const int first_group = static_cast<int>(threadIdx.x) * W::kGroups;
    float values[W::kSamples] = {};
    for (int k = 0; k < c.kernel_count; ++k) {
        const KernelShape kernel = c.kernels[k];
        float sums[W::kSamples] = {};
        for (int begin = 0; begin < kernel.height; begin += shape.rows) {
            const int rows = min(shape.rows, kernel.height - begin);
            if (c.stop.raised_for_block()) return; // the previous chunk is summed
            bring_tile<In>(c, item, block, c.up + kernel.dy + begin, rows, tile, shape.tile.pitch);
            for (int i = 0; i < rows; ++i)
                for (int j = thread; j < kernel.width; j += kAcross * block.height)
                    chunk_weights[i * shape.pitch + j] =
                        weights[kernel.first + (begin + i) * kernel.width + j];
            __syncthreads();
            if (!block.exists(c)) continue;
            for (int i = 0; i < rows; ++i) {
                RowSums<W::kSamples> row(kernel, sums);
                add_taps<In, Channels, true>(tile + (block.y + i) * shape.tile.pitch, first_group,
                                             chunk_weights + i * shape.pitch, kernel.width, 0,
                                             kernel.skip_zeros, row.sums);
                row.add_to(sums);
            }
        }
        divide_in_less_code<In>(sums, kernel);
        combine(c.combine, values, sums);
    }
    if (!block.exists(c)) return;
    finish<Channels>(c, values);
    pass_through<In, Channels>(c, item, block.column + block.x, block.row + block.y, values);
    store_results<In, Channels>(c, item, block.column + block.x, block.row + block.y, values);
}

std::size_t row_bytes(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    return std::size_t{16} * static_cast<std::size_t>(tile_pitch(step.in.channels, r.left + r.right + 1));
}

std::size_t tile_bytes(const ImageStep& step, int rows) {
    const auto r = reach(step.stages.front());
    return row_bytes(step) * static_cast<std::size_t>(rows + r.up + r.down);
}

/// The output rows of a block whose tile fits into shared memory; 0 = not even the fewest.
int rows_that_fit(const ImageStep& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (int rows = kMostRows; rows >= kFewestRows; rows /= 2)
        if (tile_bytes(step, rows) <= limit) return rows;
    return 0;
}

bool fits_a_launch(const ImageStep& step, const Engine& engine) {
    const auto r = reach(step.stages.front());
    std::int64_t weights = 0;
    for (const auto& kernel : step.stages.front().kernels)
        weights += std::int64_t{r.left + r.right + 1} * kernel.height;       // padded to common columns
    const int most = is_alpha_weighted(step) ? kMostWeights : kTiledWeights; // chunks do not weight by alpha
    return weights <= most && rows_that_fit(step, engine) > 0;
}

/// A block's output rows, and the kernel's rows in a chunk.
struct Chunks {
    int block_rows, rows;
    std::size_t bytes; ///< shared memory
};

std::size_t weights_pitch(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    return static_cast<std::size_t>((r.left + r.right + 1 + 3) / 4 * 4);
}

std::size_t chunk_bytes(const ImageStep& step, int block_rows, int rows) {
    return row_bytes(step) * static_cast<std::size_t>(block_rows + rows - 1) +
           weights_pitch(step) * sizeof(float) * static_cast<std::size_t>(rows);
}

/// Two blocks per multiprocessor if possible: one sums while the other waits for its next chunk.
Chunks chunks_that_fit(const ImageStep& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (const auto budget : {limit / 2, limit})
        for (int block_rows = kMostRows; block_rows >= kFewestRows; block_rows /= 2)
            for (int rows = kMostChunkRows; rows >= kFewestChunkRows; --rows)
                if (const auto bytes = chunk_bytes(step, block_rows, rows); bytes <= budget)
                    return {block_rows, rows, bytes};
    return {};
}

class TiledPlan final : public StagePlan {
public:
    TiledPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, pack(step, true)), rows_(rows_that_fit(step, engine)),
          bytes_(tile_bytes(step, rows_)) {
        kernel_ = is_alpha_weighted(step) ? alpha_weighting_kernel() : kernel();
        allow_shared_memory(kernel_, engine);
    }

private:
    const void* kernel() const {
        return with_inputs(step().in.depth, [&](auto in) {
            return with_channels(step().in.channels, [&](auto channels) {
                return reinterpret_cast<const void*>(&filter_tiled<decltype(in), decltype(channels)::value>);
            });
        });
    }
    const void* alpha_weighting_kernel() const {
        return step().in.depth == Depth::u8
                   ? reinterpret_cast<const void*>(&filter_tiled<std::uint8_t, 4, kMostWeights, true>)
                   : reinterpret_cast<const void*>(&filter_tiled<std::uint16_t, 4, kMostWeights, true>);
    }
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        TileShape shape{tile_blocks_across(c.dst_width, c.channels), tile_pitch(c.channels, c.reach_width)};
        void* arguments[] = {&parameters, &shape};
        queue.launch(kernel_, tile_blocks(c, rows_, count), tile_threads(rows_), bytes_, arguments);
    }

    int rows_;
    std::size_t bytes_;
    const void* kernel_;
};

class TiledInChunksPlan final : public StagePlan {
public:
    TiledInChunksPlan(const ImageStep& step, Engine& engine)
        : StagePlan(step, pack(step, true)), weights_(device_copy(packed().weights, engine)),
          chunks_(chunks_that_fit(step, engine)), pitch_(static_cast<int>(weights_pitch(step))) {
        kernel_ = with_inputs(step.in.depth, [&](auto in) {
            return with_channels(step.in.channels, [&](auto channels) {
                return reinterpret_cast<const void*>(
                    &filter_tiled_in_chunks<decltype(in), decltype(channels)::value>);
            });
        });
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto& c = parameters.common;
        const int pitch = tile_pitch(c.channels, c.reach_width);
        ChunkShape shape{{tile_blocks_across(c.dst_width, c.channels), pitch},
                         chunks_.rows,
                         pitch_,
                         pitch * (chunks_.block_rows + chunks_.rows - 1)};
        const auto* weights = weights_->device_address();
        void* arguments[] = {&c, &shape, &weights};
        queue.launch(kernel_, tile_blocks(c, chunks_.block_rows, count), tile_threads(chunks_.block_rows),
                     chunks_.bytes, arguments);
    }

    std::shared_ptr<CudaBuffer> weights_;
    Chunks chunks_;
    int pitch_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float32, AlphaWeighting::itself); !why.empty())
        return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_alpha_in_sums(step); !why.empty()) return why;
    if (is_alpha_weighted(step))
        return fits_a_launch(step, engine) ? "" : "it sums alpha-weighted colour itself only in one launch";
    return why_not_shared(chunk_bytes(step, kFewestRows, kFewestChunkRows), engine);
}

// The second pair is for chunks, whose weights are read from shared memory.
constexpr Speeds kSpeeds{{5.9, 0.34e6, 13.46e6}, {5.8, 0.255e6, 13.99e6}},
    kSpeedsInChunks{{8, 0.2e6, 11.5e6}, {8, 0.2e6, 10.2e6}};
constexpr double kAlphaWeightedSamplesPerMicrosecond = 1.55e6; // additional cost of alpha weighting
constexpr double kCombined = 1.25; // quotients, squares and roots of several kernels

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    const double us = stage_microseconds(step, fits_a_launch(step, engine) ? kSpeeds : kSpeedsInChunks) *
                      (step.stages.front().kernels.size() > 1 ? kCombined : 1);
    if (!is_alpha_weighted(step)) return {us};
    return {us + static_cast<double>(step.size.width * step.size.height * step.in.channels) /
                     kAlphaWeightedSamplesPerMicrosecond};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    if (fits_a_launch(step, engine)) return std::make_shared<TiledPlan>(step, engine);
    return std::make_shared<TiledInChunksPlan>(step, engine);
}

} // namespace

extern const Algorithm kTiled{"tiled",
                              "Tiled",
                              "Tiles of the image in shared memory, several outputs per thread",
                              "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu
