#pragma once
// Is the size that a file declares believable and allowed? Asked before anything of that size is allocated.

#include "app/io/image_file.hpp"

namespace kg::io {

/// Throws Error for sides of 0 and less, more than options.max_pixels, and large pictures in next to no bytes.
void check_size(Extent size, std::size_t file_bytes, const ReadOptions& options);

} // namespace kg::io
