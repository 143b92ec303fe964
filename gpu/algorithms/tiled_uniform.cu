// A tile of the image with its halo in shared memory, loaded by all threads alike; one output per thread.
//
// The tile is one long row of cells, and thread t fills cells t, t + 256, t + 512 and so on, wherever they
// lie in the tile: no thread distinguishes body from halo, and none idles while others load corners. The
// border is resolved once per cell instead of once per tap. It is level with `naive` at 3 x 3 and takes
// 0.6 times as long at 7 x 7 (docs/performance.md). `tiled` extends the idea: a thread has several outputs,
// whose windows it keeps in registers.

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

/// A cell's sample. Samples that no output of the block needs may lie outside the source rectangle.
template <typename In>
__device__ float cell_sample(const StageCommon& c, const StageItem& item, int x, int y, int channel) {
    const int at_x = device_border_index(c.border, x, c.width),
              at_y = device_border_index(c.border, y, c.height);
    const bool there = at_x >= c.src_x && at_x < c.src_x + c.src_width && at_y >= c.src_y &&
                       at_y < c.src_y + c.src_height;
    return there ? image_sample<In>(c, item, at_x, at_y, channel) : 0.0f;
}

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_tiled_uniform(const __grid_constant__ StageParameters<kMostWeights> p) {
    // [kOutputRows + reach_height - 1][width of the block's pixels + reach_width - 1]
    extern __shared__ float tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    // The block's samples may begin and end within a pixel.
    const int first = own.column * c.channels + own.channel - static_cast<int>(threadIdx.x);
    const int left = first / c.channels, right = (first + kOutputColumns - 1) / c.channels;
    const int tile_x = c.dst_x + left - c.left, tile_y = own.y - static_cast<int>(threadIdx.y) - c.up;
    const int pitch = (right - left + c.reach_width) * c.channels, rows = kOutputRows + c.reach_height - 1;
    const auto thread = static_cast<int>(threadIdx.y * kOutputColumns + threadIdx.x);
    const bool stopped = thread == 0 && c.stop.raised();
    for (int cell = thread; cell < pitch * rows; cell += kOutputColumns * kOutputRows) {
        const int row = cell / pitch, sample = cell - row * pitch;
        tile[cell] = cell_sample<In>(c, item, tile_x + sample / c.channels, tile_y + row,
                                     sample % c.channels);
    }
    if (__syncthreads_or(stopped) || !own.exists) return;
    const float value = output_value(c, own, p.weights, [&](int x, int y) {
        return tile[(y - tile_y) * pitch + (x - tile_x) * c.channels + own.channel];
    });
    store_output<Out>(c, item, own, value);
}

/// Shared memory of the widest block: its samples may touch one pixel more than they fill.
std::size_t tile_bytes(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    const int channels = step.in.channels, pixels = (kOutputColumns + channels - 2) / channels + 1;
    return sizeof(float) * static_cast<std::size_t>((pixels + r.left + r.right) * channels) *
           static_cast<std::size_t>(kOutputRows + r.up + r.down);
}

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    if (auto why = why_not_packable(step); !why.empty()) return why;
    return why_not_shared(tile_bytes(step), engine);
}

constexpr Speed kSpeed{4, 0.067e6, 1.15e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    auto packed = pack(step, false);
    const auto* kernel = with_samples(step.in, step.out, [&](auto in, auto out) {
        return reinterpret_cast<const void*>(&filter_tiled_uniform<decltype(in), decltype(out)>);
    });
    allow_shared_memory(kernel, engine);
    return std::make_shared<OneOutputPlan>(step, std::move(packed), kernel, tile_bytes(step));
}

} // namespace

extern const Algorithm kTiledUniform{
    "tiled_uniform",
    "Tiled, uniform load",
    "A tile with its halo in shared memory, every thread loading every n-th cell",
    "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7.4",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
