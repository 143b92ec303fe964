#pragma once
// What other libraries need of the CUDA engine, without its headers: peers compile and list themselves in builds without
// CUDA too, where everything here but why_no_cuda() throws Unavailable.

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

/// A place in memory of the device, and how far rows are apart there.
struct Rows {
    std::byte* data = nullptr;
    std::size_t pitch = 0;
};
/// Copies rows from one place on the device to another.
void copy_rows(Queue& queue, Rows to, Rows from, std::size_t row_bytes, std::int64_t rows);

/// Floats on the device, one frame of rows per channel.
struct Planes {
    float* data = nullptr;
    int width = 0, height = 0;       ///< of a frame; what lies right of `width` in a row is not touched
    std::int64_t row = 0, plane = 0; ///< floats from one row, and from one frame, to the next
};

/// Writes whole frames: their pixel (0, 0) is the picture's (-reach.left, -reach.up), what is outside the picture is as the
/// border has it, and beyond the reach there are zeros. `picture` is all of it, in u8, u16 or f32.
void extend(Queue& queue, const BufferView& picture, Border border, const Reach& reach, const Planes& to);

/// The other way: pixel (x, y) of `to` is the frames' (x, y) over `divisor` plus `offset` (none for alpha), rounded and
/// clamped as semantics 4 and 6 say. `to` is u8, u16 or f32.
void finish(Queue& queue, const Planes& from, float divisor, float offset, const BufferView& to);

/// Spectra of `count` complex numbers each, one behind the other: multiplies each by the conjugate of `kernel` and by `scale`.
void multiply_by_conjugate(Queue& queue, float* spectra, int planes, const float* kernel, std::int64_t count,
                           float scale);

} // namespace kg::peers
