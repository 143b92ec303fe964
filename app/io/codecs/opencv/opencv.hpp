#pragma once
// OpenCV's decoders and encoders, for formats in which they preserve their input: WebP, BMP, Radiance HDR.

#include "app/io/codecs/codec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg::io {

/// Decodes what the header announced. Throws Error.
Image opencv_decode(const Source& source, const Header& header);

/// Encodes grey, RGB or RGBA in u8, u16 or f32; `parameters` as for cv::imencode. Throws Error with OpenCV's
/// reason.
std::string opencv_encode(const std::string& extension, const ConstImageView& image,
                          const std::vector<int>& parameters = {});

} // namespace kg::io
