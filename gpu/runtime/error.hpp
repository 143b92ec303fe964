#pragma once
// CUDA's status codes as exceptions.

#include "core/support/error.hpp"

#include <cuda_runtime.h>

#include <source_location>
#include <string>

namespace kg::gpu {

/// A CUDA call failed. The message names the call's place and the remedy. Other exceptions report exhausted
/// memory and a lost device.
class CudaError : public Error {
public:
    CudaError(cudaError_t status, const std::source_location& where);
    cudaError_t status() const noexcept { return status_; }

private:
    cudaError_t status_;
};

/// True for errors after which nothing in this process can use the device again.
bool is_lost(cudaError_t status);

/// Throws CudaError, DeviceLost when the device has failed for good, or std::bad_alloc when device or pinned
/// memory is exhausted. Clears CUDA's last error, so that a later check() does not report it again.
void check(cudaError_t status, std::source_location where = std::source_location::current());

/// A CUDA version number as text: 13000 is "13.0".
std::string version_text(int number);

/// Why the CUDA runtime finds no device, and the remedy: a message for people. `driver` is the newest CUDA
/// version that the driver supports, as 13000; 0 = no driver.
std::string why_no_device(cudaError_t status, int driver);

} // namespace kg::gpu
