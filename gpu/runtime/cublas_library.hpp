#pragma once
// cuBLAS, NVIDIA's matrix products, of CUDA 13, loaded at run time: the program builds and starts without it.
// The interface uses no CUDA types. The calling thread's current device must be the one in question.

#include <cstddef>
#include <string>

namespace kg::gpu {

/// Empty = cuBLAS is available; otherwise a message that names the library and the package that provides it.
/// Never throws.
const std::string& why_no_cublas();

/// sums = left * right, or sums += left * right: rows x terms times terms x columns, in float32, or in TF32
/// on tensor cores, which read 10 bits behind the point of each factor. Each matrix is stored row by row, a
/// row `*_pitch` floats behind the one before.
struct MatrixProduct {
    int rows, columns, terms;
    const float* left;
    int left_pitch;
    const float* right;
    int right_pitch;
    float* sums;
    int sums_pitch;
    bool adds, tf32;
};

/// Owns a handle of cuBLAS. Not thread-safe: stream and precision are part of its state.
class CublasHandle {
public:
    /// Throws Unavailable, Error when cuBLAS fails, std::bad_alloc.
    CublasHandle();
    ~CublasHandle();
    CublasHandle(const CublasHandle&) = delete;
    CublasHandle& operator=(const CublasHandle&) = delete;

    /// Enqueues the product into a cudaStream_t. `work` has kWorkBytes bytes, at a multiple of 256 bytes.
    /// Throws as above.
    void enqueue(void* stream, void* work, const MatrixProduct& product) const;

    /// So few that no product is divided into sums of parts of its terms.
    static constexpr std::size_t kWorkBytes = 256;

private:
    void* handle_ = nullptr;
};

} // namespace kg::gpu
