#pragma once
// Launches that overlap: the next one of a queue, if it needs nothing of this one, begins when all blocks of
// this one have begun, so that no multiprocessor waits for the last of them
// (CudaQueue::launch_overlapping()). Source: CUDA C++ Programming Guide, programmatic dependent launch;
// compute capability 9.0 and later.

namespace kg::gpu {

/// Allows the next launch to begin as soon as all blocks have called this.
__device__ inline void may_overlap() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Waits for the launch before this one, so that what waits for this one finds both complete. At least the
/// threads that write last call it, behind their stores.
__device__ inline void end_overlap() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

} // namespace kg::gpu
