#pragma once
// OpenCV's decoders and encoders, as far as they keep what they are given: WebP, BMP, Radiance HDR; JPEG for writing.

#include "core/image/image.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg::io {

/// Decodes what header() announced. Throws Error with OpenCV's reason; nothing is printed.
Image opencv_decode(std::string_view bytes, Extent size, const PixelFormat& format);

/// `parameters` as cv::imencode takes them. Grey, RGB or RGBA in u8, u16 or f32. Throws Error with OpenCV's reason.
std::string opencv_encode(const std::string& ending, const ConstImageView& picture,
                          const std::vector<int>& parameters = {});

} // namespace kg::io
