#pragma once
// JPEG files from pictures of 8 bits.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Of one channel or three. What of the metadata a marker cannot hold is named in the notes.
Encoded write_jpeg(const ConstImageView& picture, const EncodeSettings& settings);

} // namespace kg::io
