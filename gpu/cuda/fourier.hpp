#pragma once
// cuFFT, NVIDIA's Fourier transforms, of CUDA 13, opened at run time: the program is built and started without it.

#include "gpu/cuda/overlap_save.hpp"

#include <cuda_runtime.h>

#include <memory>
#include <mutex>

namespace kg::gpu {

/// Empty = cuFFT is here; otherwise a sentence that names the library and what brings it. Never throws.
const std::string& why_no_cufft();

enum class Direction : std::uint8_t { to_spectra, to_samples };

/// What tells one transform from another. Rows of a frame's samples are as long as those of its spectrum, so that it is
/// transformed in place: spectrum_width() complex numbers, of which the samples fill the first `width` reals.
struct TransformShape {
    int device = 0;
    int width = 0, height = 0, frames = 0;
    Precision precision = Precision::float32;
    Direction direction = Direction::to_spectra;

    auto operator<=>(const TransformShape&) const = default;
};

constexpr int spectrum_width(int frame_width) { return frame_width / 2 + 1; }

/// Owns one of cuFFT's plans: frames of one size in one direction, unscaled, without memory to work in. Thread-safe.
class Transform {
public:
    /// The shape's device must be the current one. Throws Error when cuFFT refuses, std::bad_alloc.
    explicit Transform(const TransformShape& shape);
    ~Transform();
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;

    std::size_t work_bytes() const { return work_bytes_; }
    /// Enqueues the transform of all frames in place; `work` has work_bytes(), 256-byte aligned.
    void enqueue(cudaStream_t stream, std::byte* frames, std::byte* work) const;

private:
    TransformShape shape_;
    int handle_ = 0;
    std::size_t work_bytes_ = 0;
    mutable std::mutex one_at_a_time_; // a handle's stream and work area are part of its state
};

/// The transform of that shape, perhaps one that others use, too: making one takes longer than most filters. Thread-safe.
std::shared_ptr<const Transform> shared_transform(const TransformShape& shape);

} // namespace kg::gpu
