#pragma once
// Short names and counts of an image's parts, for panels and bars.

#include "core/image/pixel.hpp"

#include <cstdint>
#include <string>

namespace kg::ui {

/// "R", "G", "B", "A", or "Y" for grey.
const char* channel_name(const PixelFormat& format, int channel);
/// "832", "12 k", "1.2 M".
std::string short_count(std::int64_t count);

} // namespace kg::ui
