#pragma once
// Loads and stores of a thread's columns, at once or one by one, on the GPU and in tests on the CPU.

#include "gpu/kernels/volumes/volume_launch.hpp"

namespace kg::gpu {

/// Loads from memory that no thread writes during the launch.
struct ReadOnlyMemory {
    KG_HOST_DEVICE static float one(const float* from) {
#ifdef __CUDA_ARCH__
        return __ldg(from);
#else
        return *from;
#endif
    }
    KG_HOST_DEVICE static void four(const float* from, float (&to)[kVolumeColumns]) {
#ifdef __CUDA_ARCH__
        const float4 all = __ldg(reinterpret_cast<const float4*>(from));
        to[0] = all.x, to[1] = all.y, to[2] = all.z, to[3] = all.w;
#else
        for (int i = 0; i < kVolumeColumns; ++i) to[i] = from[i];
#endif
    }
};

/// Loads from a block's shared memory.
struct SharedMemory {
    KG_HOST_DEVICE static float one(const float* from) { return *from; }
    KG_HOST_DEVICE static void four(const float* from, float (&to)[kVolumeColumns]) {
#ifdef __CUDA_ARCH__
        const float4 all = *reinterpret_cast<const float4*>(from);
        to[0] = all.x, to[1] = all.y, to[2] = all.z, to[3] = all.w;
#else
        for (int i = 0; i < kVolumeColumns; ++i) to[i] = from[i];
#endif
    }
};

/// Stores four numbers at a multiple of 16 bytes.
KG_HOST_DEVICE inline void store_four(const float (&from)[kVolumeColumns], float* to) {
#ifdef __CUDA_ARCH__
    *reinterpret_cast<float4*>(to) = float4{from[0], from[1], from[2], from[3]};
#else
    for (int i = 0; i < kVolumeColumns; ++i) to[i] = from[i];
#endif
}

} // namespace kg::gpu
