#pragma once
// Writes the slices of a volume as pages of a TIFF file: grey, float32, Deflate.

#include "core/image/tensor.hpp"

#include <string>

namespace kg::io {

/// The content of a file with a page for each channel of the view, which holds float32 in rows next to each
/// other. Throws Error if libtiff fails.
std::string tiff_of_slices(const ConstTensorView& slices);

} // namespace kg::io
