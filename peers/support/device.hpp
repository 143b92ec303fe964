#pragma once
// Services of the CUDA engine for other libraries, without its headers: peers compile and list themselves in
// builds without CUDA too, where everything here but why_no_cuda() throws Unavailable.

#include "core/image/border.hpp"
#include "core/plan/engine.hpp"
#include "core/request/stage.hpp"

#include <span>
#include <string>

namespace kg::peers {

/// Empty = this program was built with CUDA.
std::string why_no_cuda();

struct DeviceFacts {
    int device = 0, multiprocessors = 0, threads_per_multiprocessor = 0, threads_per_block = 0;
    std::size_t shared_bytes_per_block = 0, memory_bytes = 0;
    int major = 0, minor = 0; ///< compute capability
};
DeviceFacts facts_of(const Engine& engine);

/// The queue's cudaStream_t and its flags.
void* stream_of(Queue& queue);
unsigned stream_flags_of(Queue& queue);

/// The first byte of a view, for the device.
std::byte* address_of(const BufferView& view);

/// An address in device memory, and the pitch of its rows.
struct Rows {
    std::byte* data = nullptr;
    std::size_t pitch = 0;
};
/// Copies rows within device memory.
void copy_rows(Queue& queue, Rows to, Rows from, std::size_t row_bytes, std::int64_t rows);

/// Floats on the device, one frame of rows per channel.
struct Planes {
    float* data = nullptr;
    int width = 0, height = 0;       ///< size of a frame; memory right of `width` in a row is not touched
    std::int64_t row = 0, plane = 0; ///< floats from one row, and from one frame, to the next
};

/// Writes whole frames: their pixel (0, 0) is the image's (-reach.left, -reach.up); pixels outside the image
/// follow the border, and beyond the reach there are zeros. `image` is the whole image, in u8, u16 or f32.
void extend(Queue& queue, const BufferView& image, Border border, const Reach& reach, const Planes& to);

/// The inverse: pixel (x, y) of `to` is the frames' (x, y) over `divisor` plus `offset` (none for alpha),
/// rounded and clamped according to semantics 4 and 6. `to` is u8, u16 or f32.
void finish(Queue& queue, const Planes& from, float divisor, float offset, const BufferView& to);

/// Consecutive spectra of `count` complex numbers each: multiplies each by the conjugate of `kernel` and by
/// `scale`.
void multiply_by_conjugate(Queue& queue, float* spectra, int planes, const float* kernel, std::int64_t count,
                           float scale);

} // namespace kg::peers
