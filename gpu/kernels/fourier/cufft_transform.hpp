#pragma once
// Fourier transforms shared between plans. cuFFT executes them (gpu/runtime/cufft_library.hpp); a transform
// is created once, used by many threads, and reports errors as the rest of the engine does.

#include "gpu/kernels/fourier/direction.hpp"
#include "gpu/kernels/fourier/overlap_save.hpp"
#include "gpu/runtime/cufft_library.hpp"

#include <cuda_runtime.h>

#include <memory>
#include <mutex>

namespace kg::gpu {

/// Key of a transform. Rows of a frame's samples have the length of its spectrum's rows, so that the
/// transform runs in place: spectrum_width() complex numbers, of which the samples fill the first `width`
/// reals.
struct TransformShape {
    int device = 0;
    int width = 0, height = 0, frames = 0;
    Precision precision = Precision::float32;
    Direction direction = Direction::forward;

    auto operator<=>(const TransformShape&) const = default;
};

/// Transform of frames of one size in one direction. Thread-safe.
class Transform {
public:
    /// Throws DeviceLost, Error when cuFFT fails, std::bad_alloc.
    explicit Transform(const TransformShape& shape);
    ~Transform();
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;

    std::size_t work_bytes() const { return handle_->work_bytes(); }
    /// Enqueues the transform of all frames in place. `work` has work_bytes() bytes and 256-byte alignment.
    /// The shape's device must be current. Throws as above.
    void enqueue(cudaStream_t stream, std::byte* frames, std::byte* work) const;

private:
    int device_;
    std::unique_ptr<const FourierHandle> handle_;
    mutable std::mutex one_at_a_time_;
};

/// The transform of that shape, shared with other users: creating one takes longer than most filters.
/// Thread-safe.
std::shared_ptr<const Transform> shared_transform(const TransformShape& shape);

} // namespace kg::gpu
