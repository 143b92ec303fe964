// A tile without its halo in shared memory; the halo is read through the caches.
//
// Tile and block have the same size, so that every thread loads one sample without a remainder. Neighbouring
// blocks have read the halo, and it is still in the second-level cache. The price is a test per tap, whether
// it lies in the tile, which makes it 1.1 to 1.2 times as slow as `naive` on an H200 (docs/performance.md).

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_tiled_cached_halo(const __grid_constant__ StageParameters<kMostWeights> p) {
    __shared__ float tile[kOutputRows][kOutputColumns];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y);
    const bool stopped = thread_x + thread_y == 0 && c.stop.raised();
    if (own.exists) tile[thread_y][thread_x] = image_sample<In>(c, item, own.x, own.y, own.channel);
    if (__syncthreads_or(stopped) || !own.exists) return;
    const int rows = min(kOutputRows, c.dst_height - (own.row - thread_y)),
              samples = min(kOutputColumns,
                            c.dst_width * c.channels - (own.column * c.channels + own.channel - thread_x));
    const float value = output_value(c, own, p.weights, [&](int x, int y) {
        const int row = thread_y + y - own.y, sample = thread_x + (x - own.x) * c.channels;
        return row >= 0 && row < rows && sample >= 0 && sample < samples
                   ? tile[row][sample]
                   : bordered_sample<In>(c, item, x, y, own.channel);
    });
    store_output<Out>(c, item, own, value);
}

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    return why_not_packable(step);
}

constexpr Speed kSpeed{4, 0.15e6, 0.47e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    auto packed = pack(step, false);
    const auto* kernel = with_samples(step.in, step.out, [&](auto in, auto out) {
        return reinterpret_cast<const void*>(&filter_tiled_cached_halo<decltype(in), decltype(out)>);
    });
    return std::make_shared<OneOutputPlan>(step, std::move(packed), kernel);
}

} // namespace

extern const Algorithm kTiledCachedHalo{
    "tiled_cached_halo",
    "Tiled, cached halo",
    "A tile of the block's own samples in shared memory, its halo from the caches",
    "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7.5",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
