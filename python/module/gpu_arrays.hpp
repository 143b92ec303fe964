#pragma once
// Images in a GPU's memory, filtered there in the order of the caller's stream.

#include "app/process/engine/prepared_request.hpp"
#include "python/module/array.hpp"

#include <cstdint>
#include <optional>

namespace kg::python {

/// Enqueues the work behind that of the caller's stream and returns; later work of the stream waits for it.
/// `stream` is its handle, else that of the array, else the default stream. Nothing is copied, so that both
/// arrays need the rows of an image, and must not overlap. Throws Error for another layout.
void compute_on_gpu(PreparedRequest& prepared, const Array& array, const ImageShape& shape, const Array& out,
                    const ImageShape& out_shape, std::optional<std::uintptr_t> stream);

} // namespace kg::python
