#pragma once
// Checks the declared size of an image before anything of that size is allocated.

#include "app/io/image_file.hpp"

namespace kg::io {

/// Throws Error for a width or height below 1, for more pixels than the options allow, and, unless they set a
/// limit, for large images in implausibly few bytes. `pixels` is the format in memory.
void check_size(Extent size, const PixelFormat& pixels, std::size_t file_bytes, const ReadOptions& options);

} // namespace kg::io
