#include "gpu/kernels/volumes/time_step.hpp"

#include "gpu/kernels/volumes/beside.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

/// Calls: inlined they would be most of the kernel's code.
__device__ __noinline__ float careful_step(const VolumeLaunch& v, const Stencil& stencil, std::int64_t x,
                                           std::int64_t y, std::int64_t z) {
    return sum_at(v, stencil_box(), stencil.weights, x, y, z);
}
__device__ __noinline__ float careful_steps(const TimeLaunch& launch, const Stencil& stencil, std::int64_t x,
                                            std::int64_t y, std::int64_t z) {
    return sum_twice_at(launch, stencil, x, y, z);
}

template <bool Faces>
__global__ void __launch_bounds__(kTimeThreads, 1)
    step_twice(const __grid_constant__ TimeLaunch launch, const __grid_constant__ Stencil stencil,
               const __grid_constant__ TimeGrid grid) {
    __shared__ float4 ring[kTimeSlices * kTimeThreads]; // four columns of each thread
    if (launch.v.stop.raised_for_block()) return;
    float* const first_steps = reinterpret_cast<float*>(ring);
    const BesideInWarp beside{grid.tile.lanes()};
    TimeThread<Faces> thread(launch, stencil, grid, {blockIdx.x, grid.across, grid.down},
                             static_cast<int>(threadIdx.x));
    thread.range().run([&](std::int64_t z) { thread.first_step(z, beside, first_steps); },
                       [] { __syncthreads(); },
                       [&](std::int64_t z) { thread.second_step(z, beside, first_steps); });
    thread.repair([&](std::int64_t x, std::int64_t y,
                      std::int64_t z) { return careful_step(launch.v, stencil, x, y, z); },
                  [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                      return careful_steps(launch, stencil, x, y, z);
                  });
}

} // namespace

TimeStep::TimeStep(const VolumeRequest& request, Engine& engine)
    : size_(request.size), border_(request.border), outside_(request.outside),
      stencil_(stencil_of(placed_taps(request))),
      blocks_(time_blocks(size_, cuda_engine(engine).limits().multiprocessors)) {}

void TimeStep::launch(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& before,
                      const VolumeMemory& first, const VolumeMemory& second) const {
    TimeLaunch launch{volume_launch(size_, border_, outside_, from, before, second, queue.stop_flag()),
                      first};
    launch.v.vectors = launch.v.vectors && is_aligned(first);
    auto stencil = stencil_;
    auto grid = blocks_.grid;
    void* arguments[] = {&launch, &stencil, &grid};
    const auto* kernel = stencil.faces ? reinterpret_cast<const void*>(&step_twice<true>)
                                       : reinterpret_cast<const void*>(&step_twice<false>);
    queue.launch(kernel, {static_cast<unsigned>(blocks_.blocks.count())}, {kTimeThreads}, 0, arguments);
}

} // namespace kg::gpu
