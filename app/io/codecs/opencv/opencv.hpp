#pragma once
// OpenCV's decoders and encoders: WebP and BMP, in which they preserve their input, the encoder of Radiance
// HDR, and the decoders of formats that are not written.

#include "app/io/codecs/codec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg::io {

/// True if the installed OpenCV reads files of this extension, such as ".jp2".
bool opencv_reads(const std::string& extension);

/// Throws Error with the code "format-not-built" unless opencv_reads(extension). `title` names the format.
void require_opencv_reader(const std::string& extension, std::string_view title);

/// Decodes what the header announced. Throws Error.
Image opencv_decode(const Source& source, const Header& header);

/// How OpenCV returns an image where that differs from the header's pixels.
struct OpencvResult {
    int bits = 0; ///< bits of a sample; 0 = all of its depth. Their largest value becomes full scale.
    bool in_colour = false; ///< OpenCV is asked for colour, also of grey images
};
/// The same with the channels and the scale of the header's pixels: a missing alpha is full, one that is not
/// announced is left out, grey in three channels becomes one.
Image opencv_decode(const Source& source, const Header& header, const OpencvResult& result);

/// Encodes grey, RGB or RGBA in u8, u16 or f32; `parameters` as for cv::imencode. Throws Error with OpenCV's
/// reason.
std::string opencv_encode(const std::string& extension, const ConstImageView& image,
                          const std::vector<int>& parameters = {});

} // namespace kg::io
