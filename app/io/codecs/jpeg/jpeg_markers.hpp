#pragma once
// Signatures and limits of JPEG markers, for the reader and the writer.

#include <cstddef>
#include <string_view>

namespace kg::io {

using namespace std::string_view_literals;
inline constexpr auto kExif = "Exif\0\0"sv, kXmp = "http://ns.adobe.com/xap/1.0/\0"sv,
                      kIcc = "ICC_PROFILE\0"sv, kPhotoshop = "Photoshop 3.0\0"sv, kAdobe = "Adobe"sv;
inline constexpr double kInchesPerMetre = 1 / 0.0254;
inline constexpr std::size_t kMostOfMarker = 65533; ///< the length includes its own two bytes

} // namespace kg::io
