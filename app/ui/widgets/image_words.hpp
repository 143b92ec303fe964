#pragma once
// Short names and counts of what an image and a filter have, for panels and bars.

#include "app/io/image_file.hpp"
#include "core/image/pixel.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kg::ui {

/// "R", "G", "B", "A", or "Y" for grey.
const char* channel_name(const PixelFormat& format, int channel);
/// "1920 x 1080, 8-bit RGB · palette": size, type and channels in the file, and what its notes tell of it,
/// but for the page and what a written file will not have.
std::string facts_text(const LoadedImage& image);
/// "832", "12 k", "1.2 M".
std::string short_count(std::int64_t count);

/// "12 k below 0, 3 above 65535": samples outside what the format holds, or of floats outside 0 to 1.
std::string outside_text(std::int64_t below, std::int64_t above, const PixelFormat& format);

/// A choice of a parameter: "NW, top left" for nw, and any other with a capital.
std::string choice_title(std::string_view choice);

} // namespace kg::ui
