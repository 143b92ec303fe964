#pragma once
// A kernel that ends with an error after which the device cannot be used again in this process.

#include <cuda_runtime.h>

namespace kg::testing {

cudaError_t launch_trap(cudaStream_t stream);

} // namespace kg::testing
