#pragma once
// Is the size that a file declares believable and allowed? Asked before anything of that size is allocated.

#include "app/io/image_file.hpp"

namespace kg::io {

/// Throws Error for sides of 0 and less, for more pixels than the options allow, and, unless they say how many, for
/// large pictures in next to no bytes. `pixels` is what they become in memory.
void check_size(Extent size, const PixelFormat& pixels, std::size_t file_bytes, const ReadOptions& options);

} // namespace kg::io
