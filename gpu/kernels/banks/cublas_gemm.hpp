#pragma once
// Products by cuBLAS, shared between plans (gpu/runtime/cublas_library.hpp). Errors are those of the engine.

#include "gpu/runtime/cublas_library.hpp"

#include <cuda_runtime.h>

#include <memory>
#include <mutex>

namespace kg::gpu {

/// A handle on one device. Thread-safe.
class CublasGemm {
public:
    /// Throws DeviceLost, Unavailable, Error when cuBLAS fails, std::bad_alloc.
    explicit CublasGemm(int device);

    /// As CublasHandle::enqueue(). The device must be current. Throws as above.
    void enqueue(cudaStream_t stream, std::byte* work, const MatrixProduct& product) const;

private:
    std::unique_ptr<const CublasHandle> handle_;
    mutable std::mutex one_at_a_time_;
};

/// The one of a device: creating it takes longer than most filters. Never destroyed. Thread-safe.
const CublasGemm& shared_cublas(int device);

} // namespace kg::gpu
