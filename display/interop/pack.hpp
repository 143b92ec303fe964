#pragma once
// The kernels that convert a result to texels: in a mapped texture, and in memory.

#include "core/image/geometry.hpp"
#include "display/packing.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace kg::display {

/// Enqueues writes of these texels, RGBA of this depth. `pixels` is device memory: the image's pixel (0, 0),
/// rows `pitch` bytes apart. Returns the launch's status.
cudaError_t pack_to_surface(const void* pixels, std::size_t pitch, Depth depth, const Packing& packing,
                            const Rect& texels, cudaSurfaceObject_t surface, cudaStream_t stream);
/// The same, with texel (0, 0) at `first` and rows `first_pitch` bytes apart.
cudaError_t pack_to_memory(const void* pixels, std::size_t pitch, Depth depth, const Packing& packing,
                           const Rect& texels, void* first, std::size_t first_pitch, cudaStream_t stream);

} // namespace kg::display
