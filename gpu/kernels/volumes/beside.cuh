#pragma once
// The samples that the threads beside one hold, from their registers (gpu/kernels/volumes/stencil_rows.hpp).

#include "gpu/kernels/volumes/stencil_rows.hpp"

#include <cuda_runtime.h>

namespace kg::gpu {

struct BesideInWarp {
    int lanes; ///< threads in a row

    __device__ float left(const StencilSamples& row) const {
        return __shfl_up_sync(kAll, row.own[kVolumeColumns - 1], 1, lanes);
    }
    __device__ float right(const StencilSamples& row) const {
        return __shfl_down_sync(kAll, row.own[0], 1, lanes);
    }

private:
    static constexpr unsigned kAll = 0xffffffff;
};

} // namespace kg::gpu
