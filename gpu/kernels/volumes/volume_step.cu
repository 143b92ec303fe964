#include "gpu/kernels/volumes/volume_step.hpp"

#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/stage.hpp"
#include "gpu/kernels/volumes/beside.cuh"
#include "gpu/runtime/device.hpp"

#include <array>
#include <utility>

namespace kg::gpu {

namespace {

/// A call: inlined into each store it would be most of a kernel's code.
__device__ __noinline__ float careful_sum(const VolumeLaunch& v, const VolumeBox& box, const float* weights,
                                          std::int64_t x, std::int64_t y, std::int64_t z) {
    return sum_at(v, box, weights, x, y, z);
}
__device__ __noinline__ float careful_sum(const VolumeLaunch& v, const Stencil& stencil, std::int64_t x,
                                          std::int64_t y, std::int64_t z) {
    return sum_at(v, stencil_box(), stencil.weights, x, y, z);
}

template <bool Faces>
__global__ void __launch_bounds__(kVolumeThreads, 3)
    march_stencil(const __grid_constant__ VolumeLaunch v, const __grid_constant__ Stencil stencil,
                  const __grid_constant__ MarchGrid grid) {
    if (v.stop.raised_for_block()) return;
    march<Faces>(
        v, stencil, grid, blockIdx.x, static_cast<int>(threadIdx.x), BesideInWarp{grid.tile.lanes()},
        [&](std::int64_t x, std::int64_t y, std::int64_t z) { return careful_sum(v, stencil, x, y, z); });
}

template <int Taps>
__global__ void __launch_bounds__(kVolumeThreads, 2)
    sum_dense(const __grid_constant__ VolumeLaunch v, const __grid_constant__ DenseGrid g,
              const float* weights) {
    extern __shared__ float4 shared[];
    if (v.stop.raised_for_block()) return;
    float* const tile = reinterpret_cast<float*>(shared);
    float* const own_weights = tile + g.tile_cells();
    const int thread = static_cast<int>(threadIdx.x), lane = g.tile.lane(thread), row = g.tile.row(thread);
    const DensePlace place(v, g, blockIdx.x);
    const auto copy = [](float* to, const float* from) { copy_async<sizeof(float)>(to, from, true); };
    DenseSums sums;
    const int planes = dense_planes(g, place);
#pragma unroll 1
    for (int plane = 0; plane < planes; ++plane) {
        const DenseUses uses(g, place, plane);
#pragma unroll 1
        for (int first = 0; first < g.box.height; first += g.chunk) {
            const int count = min(g.chunk, g.box.height - first);
            __syncthreads(); // shared memory is free
            load_dense_rows(v, g, place, plane, first, count, thread, tile, copy);
            load_dense_weights(g, uses, weights, plane, first, count, thread, own_weights, copy);
            end_copies();
            wait_for_copies<0>();
            __syncthreads();
            sums.add_rows<Taps>(g, uses, count, tile + row * g.cells + lane * kVolumeColumns, own_weights);
        }
        sums.end_slice();
    }
    write_dense(v, g, place, thread, sums, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return careful_sum(v, g.box, weights, x, y, z);
    });
}

template <int Taps>
const void* address_of_dense() {
    return reinterpret_cast<const void*>(&sum_dense<Taps>);
}

template <std::size_t... Taps>
std::array<const void*, kMostDenseTaps> kernels_of(std::index_sequence<Taps...>) {
    return {address_of_dense<static_cast<int>(Taps) + 1>()...};
}

/// The one place that maps taps to kernels.
const void* kernel_of(const DenseGrid& grid) {
    static const auto all = kernels_of(std::make_index_sequence<kMostDenseTaps>());
    return all[static_cast<std::size_t>(grid.taps - 1)];
}

const void* kernel_of(const Stencil& stencil) {
    return stencil.faces ? reinterpret_cast<const void*>(&march_stencil<true>)
                         : reinterpret_cast<const void*>(&march_stencil<false>);
}

} // namespace

VolumeStep::VolumeStep(const VolumeRequest& request, std::span<const VolumeTap> taps, float outside,
                       Engine& engine)
    : size_(request.size), border_(request.border), outside_(outside) {
    const auto& limits = cuda_engine(engine).limits();
    const auto [box, weights] = boxed(taps, kVolumeColumns);
    is_stencil_ = is_stencil(box);
    if (is_stencil_) {
        stencil_ = stencil_of(taps);
        blocks_ = march_blocks(size_, limits.multiprocessors);
        march_ = {volume_tile(size_.width), static_cast<std::uint32_t>(blocks_.across),
                  static_cast<std::uint32_t>(blocks_.down), march_chunk(size_, blocks_)};
        kernel_ = kernel_of(stencil_);
        return;
    }
    const auto launch = dense_launch(size_, box, limits.multiprocessors, limits.shared_bytes_per_block);
    dense_ = launch.grid, blocks_ = launch.blocks;
    kernel_ = kernel_of(dense_);
    weights_ = device_copy(std::span(weights), engine);
    allow_shared_memory(kernel_, engine);
}

void VolumeStep::launch(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& before,
                        const VolumeMemory& to) const {
    auto v = volume_launch(size_, border_, outside_, from, before, to, queue.stop_flag());
    if (is_stencil_) launch_march(queue, v);
    else launch_dense(queue, v);
}

void VolumeStep::launch_march(CudaQueue& queue, VolumeLaunch& v) const {
    auto stencil = stencil_;
    auto grid = march_;
    void* arguments[] = {&v, &stencil, &grid};
    queue.launch(kernel_, {static_cast<unsigned>(blocks_.count())}, {kVolumeThreads}, 0, arguments);
}

void VolumeStep::launch_dense(CudaQueue& queue, VolumeLaunch& v) const {
    auto grid = dense_;
    const auto* weights = weights_->device_address();
    void* arguments[] = {&v, &grid, &weights};
    queue.launch(kernel_, {static_cast<unsigned>(blocks_.count())}, {kVolumeThreads}, grid.shared_bytes(),
                 arguments);
}

} // namespace kg::gpu
