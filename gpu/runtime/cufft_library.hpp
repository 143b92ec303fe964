#pragma once
// cuFFT, NVIDIA's Fourier transforms, of CUDA 13, opened at run time: the program is built and started without it. Without
// CUDA's own types, so that what is built without the CUDA compiler uses it, too. The device in question must be the calling
// thread's current one.

#include <cstddef>
#include <string>

namespace kg::gpu {

/// Empty = cuFFT is here; otherwise a sentence that names the library and what brings it. Never throws.
const std::string& why_no_cufft();

/// What a transform turns into what (cufftType of cufft.h).
enum class FourierType : int {
    float_to_complex = 0x2a,
    complex_to_float = 0x2c,
    double_to_complex = 0x6a,
    complex_to_double = 0x6c,
};

/// cuFFT's version in words, "12.0.0". Throws Unavailable, Error.
std::string cufft_version();

/// Owns one of cuFFT's plans: two-dimensional transforms in place of `frames` frames of width x height samples that lie one
/// behind the other, unscaled, without memory to work in. A row of samples has room for its spectrum of width / 2 + 1 numbers.
/// One thread at a time: stream and work area are part of its state.
class FourierHandle {
public:
    /// Throws Unavailable, Error when cuFFT refuses, std::bad_alloc.
    FourierHandle(FourierType type, int width, int height, int frames);
    ~FourierHandle();
    FourierHandle(FourierHandle&& other) noexcept;
    FourierHandle& operator=(FourierHandle&&) = delete;

    std::size_t work_bytes() const { return work_bytes_; }
    /// Enqueues the transform of all frames into a cudaStream_t. `work` has work_bytes(). Throws as above.
    void enqueue(void* stream, void* frames, void* work) const;

private:
    FourierType type_;
    int handle_ = 0;
    bool owned_ = false;
    std::size_t work_bytes_ = 0;
};

} // namespace kg::gpu
