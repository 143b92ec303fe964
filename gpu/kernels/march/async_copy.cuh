#pragma once
// Copies from the image to shared memory that pass no register and are waited for later (`cp.async`, since
// compute capability 8.0). Before it they are a load and a store, complete at once.

#include <cuda_runtime.h>

#include <cstdint>

namespace kg::gpu {

/// Copies `Bytes` bytes, 4, 8 or 16, between addresses that are multiples of it. Zeros are stored where
/// `there` is false; `from` is not read then.
template <int Bytes>
__device__ void copy_async(void* to, const void* from, bool there) {
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if __CUDA_ARCH__ >= 800
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    const int size = there ? Bytes : 0;
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(size)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(shared), "l"(from), "r"(size),
                     "n"(Bytes)
                     : "memory");
#else
    if constexpr (Bytes == 16)
        *static_cast<float4*>(to) = there ? __ldg(static_cast<const float4*>(from)) : float4{};
    else if constexpr (Bytes == 8)
        *static_cast<float2*>(to) = there ? __ldg(static_cast<const float2*>(from)) : float2{};
    else *static_cast<float*>(to) = there ? __ldg(static_cast<const float*>(from)) : 0.0f;
#endif
}

/// Ends a thread's group of copies.
__device__ inline void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most `Pending` of the thread's latest groups are incomplete.
template <int Pending>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

} // namespace kg::gpu
