#pragma once

#include "app/io/image_file.hpp"

#include <utility>

namespace kg::testing {

/// As if read from a file that stores this depth and no metadata.
inline LoadedImage loaded(Image pixels) {
    LoadedImage image{std::move(pixels), {}};
    image.stored = image.pixels.format().depth;
    return image;
}

} // namespace kg::testing
