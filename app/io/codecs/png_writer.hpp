#pragma once
// PNG files from pictures of 8 and 16 bits.

#include "app/io/image_file.hpp"

namespace kg::io {

/// `metadata` is clean; what libpng does not take of it is named in the notes.
Encoded write_png(const ConstImageView& picture, const Metadata& metadata);

} // namespace kg::io
