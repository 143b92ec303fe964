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
// launch's parameters.

#include "core/step.hpp"
#include "gpu/cuda/device.hpp"
#include "gpu/cuda/tile.cuh"

namespace kg::gpu {

namespace {

constexpr int kMostRows = 16, kFewestRows = 4; // output rows of a block: as many as the tile fits with

/// Blocks that one multiprocessor is to hold, as many as there are registers for without spilling any.
constexpr int blocks_at_once(int channels) { return channels <= 2 ? 4 : channels == 3 ? 3 : 2; }

struct TileShape {
    int blocks_across;
    int pitch; ///< of the tile's rows, in float4
};

template <typename In, typename Out, int Channels, int Capacity>
__global__ void __launch_bounds__(kAcross* kMostRows, blocks_at_once(Channels))
    filter_tiled(const __grid_constant__ StageParameters<Capacity> p,
                 const __grid_constant__ TileShape shape) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int across = kAcross * W::kPixels, down = static_cast<int>(blockDim.y);
    const int column = static_cast<int>(blockIdx.x) % shape.blocks_across * across,
              row = static_cast<int>(blockIdx.x) / shape.blocks_across * down;

    const bool stopped = threadIdx.x + threadIdx.y == 0 && c.stop.raised();
    bring_tile<In, Channels>(c, item, column, row, across, down, tile, shape.pitch);
    if (__syncthreads_or(stopped)) return;

    const int x = static_cast<int>(threadIdx.x) * W::kPixels, y = static_cast<int>(threadIdx.y);
    if (column + x >= c.dst_width || row + y >= c.dst_height) return;
    const int first_group = static_cast<int>(threadIdx.x) * W::kGroups;
    float values[W::kSamples] = {};
    for (int k = 0; k < c.kernel_count; ++k) {
        const KernelShape kernel = c.kernels[k];
        float sums[W::kSamples] = {};
        for (int i = 0; i < kernel.height; ++i) {
            const float4* line = tile + (y + c.up + kernel.dy + i) * shape.pitch;
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
    if (c.computed != (1u << Channels) - 1u) { // some channels pass through
        const float* centre = reinterpret_cast<const float*>(tile + (y + c.up) * shape.pitch);
#pragma unroll
        for (int s = 0; s < W::kSamples; ++s)
            if (const int sample = (x + c.left) * Channels + s; !(c.computed >> (s % Channels) & 1u))
                values[s] = centre[4 * spread(sample >> 2) + (sample & 3)];
    }

    store_outputs<Out, Channels>(c, item, column + x, row + y, values);
}

std::size_t tile_bytes(const ImageRequest& step, int rows) {
    const auto r = reach(step.stages.front());
    return std::size_t{16} * static_cast<std::size_t>(tile_pitch(step.in.channels, r.left + r.right + 1)) *
           static_cast<std::size_t>(rows + r.up + r.down);
}

/// The output rows of a block whose tile fits into shared memory; 0 = not even the fewest.
int rows_that_fit(const ImageRequest& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (int rows = kMostRows; rows >= kFewestRows; rows /= 2)
        if (tile_bytes(step, rows) <= limit) return rows;
    return 0;
}

class TiledPlan final : public StagePlan {
public:
    TiledPlan(const ImageRequest& step, const Engine& engine)
        : StagePlan(step, pack(step, true)), rows_(rows_that_fit(step, engine)),
          bytes_(tile_bytes(step, rows_)), across_(kAcross * pixels_per_thread(step.in.channels)),
          pitch_(tile_pitch(step.in.channels, packed().common.reach_width)) {
        kernel_ = with_all_samples(step.in, step.out, [&](auto in, auto out) {
            return with_channels(step.in.channels, [&](auto channels) {
                return with_capacity(packed(), [](auto capacity) {
                    return reinterpret_cast<const void*>(
                        &filter_tiled<decltype(in), decltype(out), decltype(channels)::value,
                                      decltype(capacity)::value>);
                });
            });
        });
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        TileShape shape{(c.dst_width + across_ - 1) / across_, pitch_};
        const auto blocks = std::int64_t{shape.blocks_across} * ((c.dst_height + rows_ - 1) / rows_);
        void* arguments[] = {&parameters, &shape};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count},
                     {kAcross, static_cast<unsigned>(rows_)}, bytes_, arguments);
    }

    int rows_;
    std::size_t bytes_;
    int across_, pitch_;
    const void* kernel_;
};

std::string why_not(const Request& request, const Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (auto why = why_not_packable(step); !why.empty()) return why;
    return why_not_shared(tile_bytes(step, kFewestRows), engine);
}

Cost cost(const Request& request, const Engine&) {
    return {stage_microseconds(std::get<ImageRequest>(request), kTiledSpeed)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine& engine) {
    return std::make_shared<TiledPlan>(std::get<ImageRequest>(request), engine);
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
