#pragma once
// CUDA's status codes as exceptions.

#include "core/error.hpp"

#include <cuda_runtime.h>

#include <source_location>

namespace kg::gpu {

/// A CUDA call failed; the message names the call's place and what to do. Out of memory is std::bad_alloc instead.
class CudaError : public Error {
public:
    CudaError(cudaError_t status, const std::source_location& where);
    cudaError_t status() const noexcept { return status_; }

private:
    cudaError_t status_;
};

/// Throws CudaError, or std::bad_alloc when the device or pinned memory is used up; clears CUDA's last error, so that a
/// later check() does not report this one again.
void check(cudaError_t status, std::source_location where = std::source_location::current());

/// Why the CUDA runtime finds no device: a sentence for people. Never throws; clears the last error.
std::string reason_of(cudaError_t status);

} // namespace kg::gpu
