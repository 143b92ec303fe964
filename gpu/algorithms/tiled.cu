// A block brings its part of the picture into shared memory once, border resolved and widened to f32, and every thread
// sums several neighbouring outputs from there.
//
// When it wins, on an H200 with 4096 x 4096 pixels (docs/performance.md): over the ways with one output a thread always, 4 to
// 25 times. f32 x 1: 71 us for 3 x 3 (a copy takes 39), 113 for 7 x 7, 309 for 15 x 15, where it does 12 million multiply-adds
// per microsecond, over a third of the chip's peak. u8 x 4: 256, 454 and 1285 us. Up to 3 x 3 it is not the sums but the
// instructions around them (placing, dividing, rounding) that it spends its time on.
//
// The tile holds floats even where the picture has bytes: a conversion is dearer than a multiply-add, so it is done once per
// pixel loaded and not once per tap. A thread owns 8 pixels of a row (4 where there are several channels) with all their
// channels: a window of samples slides along the kernel's row in registers, so that a tap costs one multiply-add per output,
// a fraction of a 16-byte read of shared memory, and one weight, which is the same for the whole block and comes from the
// launch's parameters. Kernels that have more weights than a launch carries, or reach further than a tile, are summed some of
// their rows at a time (a band), with the band's weights in shared memory beside its tile: any kernel is done here, 127 x 127
// of f32 x 1 in 23 ms.

#include "core/request/step.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

namespace {

constexpr int kMostRows = 16, kFewestRows = 4;        // output rows of a block: as many as the tile fits with
constexpr int kMostBandRows = 8, kFewestBandRows = 1; // of a kernel that is summed in bands

/// Blocks that one multiprocessor is to hold, as many as there are registers for without spilling any.
constexpr int blocks_at_once(int channels) { return channels <= 2 ? 4 : channels == 3 ? 3 : 2; }

/// `Weighs`: colour by coverage (gpu/kernels/coverage.cuh).
template <typename In, typename Out, int Channels, int Capacity, bool Weighs = false>
__global__ void __launch_bounds__(kAcross* kMostRows, blocks_at_once(Channels))
    filter_tiled(const __grid_constant__ StageParameters<Capacity> p,
                 const __grid_constant__ TileShape shape) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const TileBlock<Channels> block(shape.blocks_across);
    const bool stopped = threadIdx.x + threadIdx.y == 0 && c.stop.raised();
    bring_tile<In, Weighs>(c, item, block, 0, c.reach_height, tile, shape.pitch);
    if (__syncthreads_or(stopped) || !block.exists(c)) return;

    const int first_group = static_cast<int>(threadIdx.x) * W::kGroups;
    float values[W::kSamples] = {};
    for (int k = 0; k < c.kernel_count; ++k) {
        const KernelShape kernel = c.kernels[k];
        float sums[W::kSamples] = {};
        for (int i = 0; i < kernel.height; ++i) {
            const float4* line = tile + (block.y + c.up + kernel.dy + i) * shape.pitch;
            const float* weights = p.weights + kernel.first + i * kernel.width;
            float row_sums[W::kSamples] = {};
            add_taps<In, Channels>(line, first_group, weights, kernel.width, 0, kernel.skip_zeros, row_sums);
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) sums[s] += row_sums[s];
        }
        divide(sums, kernel);
        combine(c.combine, values, sums);
    }
    finish<Channels>(c, values);
    if constexpr (Weighs) divide_by_coverage<In>(values, c.kernels[0].reciprocal != 0.0f);
    else pass_through_tile<Channels>(c, tile + (block.y + c.up) * shape.pitch, block.x, values);
    store_outputs<Out, Channels>(c, item, block.column + block.x, block.row + block.y, values);
}

/// How kernels that fit neither a launch nor a tile are summed: some of their rows at a time.
struct BandShape {
    TileShape tile;
    int rows;       ///< of the kernel in a band
    int pitch;      ///< of the band's weights, in floats
    int weights_at; ///< behind the tile, in float4
};

/// The same band by band: the tile holds what a band's rows reach, and the band's weights stand behind it.
template <typename In, typename Out, int Channels>
__global__ void __launch_bounds__(kAcross* kMostRows, 2)
    filter_tiled_in_bands(const __grid_constant__ StageCommon c, const __grid_constant__ BandShape shape,
                          const float* weights) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    auto* const band_weights = reinterpret_cast<float*>(tile + shape.weights_at);
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
            if (__syncthreads_or(thread == 0 && c.stop.raised())) return; // and the band before is summed
            bring_tile<In>(c, item, block, c.up + kernel.dy + begin, rows, tile, shape.tile.pitch);
            for (int i = 0; i < rows; ++i)
                for (int j = thread; j < kernel.width; j += kAcross * block.height)
                    band_weights[i * shape.pitch + j] =
                        weights[kernel.first + (begin + i) * kernel.width + j];
            __syncthreads();
            if (!block.exists(c)) continue;
            for (int i = 0; i < rows; ++i) {
                float row_sums[W::kSamples] = {};
                add_taps<In, Channels, true>(tile + (block.y + i) * shape.tile.pitch, first_group,
                                             band_weights + i * shape.pitch, kernel.width, 0,
                                             kernel.skip_zeros, row_sums);
#pragma unroll
                for (int s = 0; s < W::kSamples; ++s) sums[s] += row_sums[s];
            }
        }
        divide(sums, kernel);
        combine(c.combine, values, sums);
    }
    if (!block.exists(c)) return;
    finish<Channels>(c, values);
    pass_through<In, Channels>(c, item, block.column + block.x, block.row + block.y, values);
    store_outputs<Out, Channels>(c, item, block.column + block.x, block.row + block.y, values);
}

std::size_t row_bytes(const ImageRequest& step) {
    const auto r = reach(step.stages.front());
    return std::size_t{16} * static_cast<std::size_t>(tile_pitch(step.in.channels, r.left + r.right + 1));
}

std::size_t tile_bytes(const ImageRequest& step, int rows) {
    const auto r = reach(step.stages.front());
    return row_bytes(step) * static_cast<std::size_t>(rows + r.up + r.down);
}

/// The output rows of a block whose tile fits into shared memory; 0 = not even the fewest.
int rows_that_fit(const ImageRequest& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (int rows = kMostRows; rows >= kFewestRows; rows /= 2)
        if (tile_bytes(step, rows) <= limit) return rows;
    return 0;
}

bool fits_a_launch(const ImageRequest& step, const Engine& engine) {
    return why_not_packable(step).empty() && rows_that_fit(step, engine) > 0;
}

/// A block's output rows, and the kernel's rows in a band.
struct Bands {
    int block_rows, rows;
    std::size_t bytes; ///< of shared memory
};

std::size_t weights_pitch(const ImageRequest& step) {
    const auto r = reach(step.stages.front());
    return static_cast<std::size_t>((r.left + r.right + 1 + 3) / 4 * 4);
}

std::size_t band_bytes(const ImageRequest& step, int block_rows, int rows) {
    return row_bytes(step) * static_cast<std::size_t>(block_rows + rows - 1) +
           weights_pitch(step) * sizeof(float) * static_cast<std::size_t>(rows);
}

/// Two blocks to a multiprocessor if possible: one sums while the other waits for its next band.
Bands bands_that_fit(const ImageRequest& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (const auto budget : {limit / 2, limit})
        for (int block_rows = kMostRows; block_rows >= kFewestRows; block_rows /= 2)
            for (int rows = kMostBandRows; rows >= kFewestBandRows; --rows)
                if (const auto bytes = band_bytes(step, block_rows, rows); bytes <= budget)
                    return {block_rows, rows, bytes};
    return {};
}

class TiledPlan final : public StagePlan {
public:
    TiledPlan(const ImageRequest& step, const Engine& engine)
        : StagePlan(step, pack(step, true)), rows_(rows_that_fit(step, engine)),
          bytes_(tile_bytes(step, rows_)) {
        kernel_ = uses_coverage(step) ? weighing_kernel() : kernel();
        allow_shared_memory(kernel_, engine);
    }

private:
    const void* kernel() const {
        return with_all_samples(step().in, step().out, [&](auto in, auto out) {
            return with_channels(step().in.channels, [&](auto channels) {
                return with_capacity(packed(), [](auto capacity) {
                    return reinterpret_cast<const void*>(
                        &filter_tiled<decltype(in), decltype(out), decltype(channels)::value,
                                      decltype(capacity)::value>);
                });
            });
        });
    }
    const void* weighing_kernel() const {
        const auto of = [&](auto sample) {
            using Sample = decltype(sample);
            return with_capacity(packed(), [](auto capacity) {
                return reinterpret_cast<const void*>(
                    &filter_tiled<Sample, Sample, 4, decltype(capacity)::value, true>);
            });
        };
        return step().in.depth == Depth::u8 ? of(std::uint8_t{}) : of(std::uint16_t{});
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

class TiledInBandsPlan final : public StagePlan {
public:
    TiledInBandsPlan(const ImageRequest& step, Engine& engine)
        : StagePlan(step, pack(step, true)), weights_(device_copy(packed().weights, engine)),
          bands_(bands_that_fit(step, engine)), pitch_(static_cast<int>(weights_pitch(step))) {
        kernel_ = with_all_samples(step.in, step.out, [&](auto in, auto out) {
            return with_channels(step.in.channels, [&](auto channels) {
                return reinterpret_cast<const void*>(
                    &filter_tiled_in_bands<decltype(in), decltype(out), decltype(channels)::value>);
            });
        });
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto& c = parameters.common;
        const int pitch = tile_pitch(c.channels, c.reach_width);
        BandShape shape{{tile_blocks_across(c.dst_width, c.channels), pitch},
                        bands_.rows,
                        pitch_,
                        pitch * (bands_.block_rows + bands_.rows - 1)};
        const auto* weights = weights_->device_address();
        void* arguments[] = {&c, &shape, &weights};
        queue.launch(kernel_, tile_blocks(c, bands_.block_rows, count), tile_threads(bands_.block_rows),
                     bands_.bytes, arguments);
    }

    std::shared_ptr<CudaBuffer> weights_;
    Bands bands_;
    int pitch_;
    const void* kernel_;
};

std::string why_not_weighed(const ImageRequest& step, const Engine& engine) {
    const bool rgba = step.in.channels == 4 && step.in.alpha == 3 && is_integer(step.in.depth) &&
                      step.out == step.in && computed_channels(step) == all_channels(4);
    if (!rgba) return "it weighs colour by coverage itself only for RGBA of whole numbers";
    return fits_a_launch(step, engine) ? "" : "it weighs colour by coverage itself only in one launch";
}

std::string why_not(const Request& request, const Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    if (auto why = why_not_stored_stage(step, Sums::float32, Coverage::itself); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (uses_coverage(step)) return why_not_weighed(step, engine);
    return why_not_shared(band_bytes(step, kFewestRows, kFewestBandRows), engine);
}

// The second of bands, whose weights are read from shared memory.
constexpr Speeds kSpeeds{{5.9, 0.34e6, 13.46e6}, {5.8, 0.255e6, 13.99e6}},
    kSpeedsInBands{{8, 0.2e6, 11.5e6}, {8, 0.2e6, 10.2e6}};
constexpr double kWeighedSamplesPerMicrosecond = 1.55e6; // which that takes longer

Cost cost(const Request& request, const Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    const double us = stage_microseconds(step, fits_a_launch(step, engine) ? kSpeeds : kSpeedsInBands);
    if (!uses_coverage(step)) return {us};
    return {us + static_cast<double>(step.size.width * step.size.height * step.in.channels) /
                     kWeighedSamplesPerMicrosecond};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    if (fits_a_launch(step, engine)) return std::make_shared<TiledPlan>(step, engine);
    return std::make_shared<TiledInBandsPlan>(step, engine);
}

} // namespace

extern const Algorithm kTiled{"tiled",
                              "Tiled",
                              "Tiles of the picture in shared memory, several outputs per thread",
                              "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu
