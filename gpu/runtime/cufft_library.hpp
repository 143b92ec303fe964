#pragma once
// cuFFT, NVIDIA's Fourier transforms, of CUDA 13, loaded at run time: the program builds and starts without
// it. The interface uses no CUDA types, so that code built without the CUDA compiler can use it. The calling
// thread's current device must be the one in question.

#include <cstddef>
#include <string>

namespace kg::gpu {

/// Empty = cuFFT is available; otherwise a message that names the library and the package that provides it.
/// Never throws.
const std::string& why_no_cufft();

/// Input and output types of a transform (cufftType of cufft.h).
enum class FourierType : int {
    float_to_complex = 0x2a,
    complex_to_float = 0x2c,
    double_to_complex = 0x6a,
    complex_to_double = 0x6c,
};

/// Complex numbers of a row's spectrum.
constexpr int spectrum_width(int frame_width) { return frame_width / 2 + 1; }

/// The least n of at least `least` that is a multiple of `step` and has no prime factor above `prime`,
/// which is at most 11. cuFFT is fast for products of 2, 3, 5 and 7.
int smooth_length(int least, int step, int prime);

/// cuFFT's version as text, "12.0.0". Throws Unavailable, Error.
std::string cufft_version();

/// Owns a cuFFT plan: two-dimensional in-place transforms of `frames` consecutive frames of width x height
/// samples, unscaled, without a work area. A row of samples has room for its spectrum of
/// spectrum_width() numbers. Not thread-safe: stream and work area are part of its state.
class FourierHandle {
public:
    /// Throws Unavailable, Error when cuFFT fails, std::bad_alloc.
    FourierHandle(FourierType type, int width, int height, int frames);
    ~FourierHandle();
    FourierHandle(FourierHandle&& other) noexcept;
    FourierHandle& operator=(FourierHandle&&) = delete;

    std::size_t work_bytes() const { return work_bytes_; }
    /// Enqueues the transform of all frames into a cudaStream_t. `work` has work_bytes() bytes. Throws as
    /// above.
    void enqueue(void* stream, void* frames, void* work) const;

private:
    FourierType type_;
    int handle_ = 0;
    bool owned_ = false;
    std::size_t work_bytes_ = 0;
};

} // namespace kg::gpu
