#pragma once
// CUDA's status codes as exceptions.

#include "core/support/error.hpp"

#include <cuda_runtime.h>

#include <source_location>
#include <string>

namespace kg::gpu {

/// A CUDA call failed; the message names the call's place and what to do. Other exceptions stand for a full memory and for
/// a device that is lost.
class CudaError : public Error {
public:
    CudaError(cudaError_t status, const std::source_location& where);
    cudaError_t status() const noexcept { return status_; }

private:
    cudaError_t status_;
};

/// True of errors after which nothing in this process can use the device again.
bool is_lost(cudaError_t status);

/// Throws CudaError, DeviceLost when the device has failed for good, or std::bad_alloc when its memory or pinned memory is
/// used up; clears CUDA's last error, so that a later check() does not report this one again.
void check(cudaError_t status, std::source_location where = std::source_location::current());

/// CUDA's numbers for its versions in words: 13000 is "13.0".
std::string version_text(int number);

/// Why the CUDA runtime finds no device, and what helps: a sentence for people. `driver` is the newest CUDA version that
/// the driver can run, as 13000; 0 = no driver.
std::string why_no_device(cudaError_t status, int driver);

} // namespace kg::gpu
