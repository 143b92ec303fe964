#pragma once
// Copies of boxes of a tensor, and of runs of bytes, to shared memory by one thread, and barriers that wait
// for them (since compute capability 9.0; for older GPUs the functions do nothing).

#include "gpu/runtime/tensor_map.hpp"

#include <cstdint>

#include <cuda_runtime.h>

namespace kg::gpu {

/// Prepares the barrier at a shared address, a multiple of 8, for one arrival of one thread.
__device__ __forceinline__ void begin_barrier(unsigned barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
#endif
}

/// Lets copies see the barriers that this thread has prepared. A barrier of the block must follow before
/// other threads wait for them.
__device__ __forceinline__ void end_barriers() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

/// Arrives at the barrier, which then waits for `bytes` bytes of copies.
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
#endif
}

/// Fetches the map ahead of the first copy.
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
#if __CUDA_ARCH__ >= 900
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
#endif
}

/// Copies the box whose first number has these coordinates, zeros outside the tensor, to a shared address
/// that is a multiple of 128.
__device__ __forceinline__ void copy_box(unsigned to, const TensorMap& map, int column, int row, int channel,
                                         int item, unsigned barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
                 "l"(&map), "r"(column), "r"(row), "r"(channel), "r"(item), "r"(barrier)
                 : "memory");
#endif
}

/// Copies a run of bytes; addresses and their number are multiples of 16.
__device__ __forceinline__ void copy_run(unsigned to, const void* from, int bytes, unsigned barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
#endif
}

/// Waits until the phase of this parity, first 0, then 1, is complete; what was copied is visible then.
__device__ __forceinline__ void wait_for_phase(unsigned barrier, int parity) {
#if __CUDA_ARCH__ >= 900
    int complete = 0;
    while (!complete)
        asm volatile("{ .reg .pred done;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, done; }"
                     : "=r"(complete)
                     : "r"(barrier), "r"(parity)
                     : "memory");
#endif
}

} // namespace kg::gpu
