#pragma once
// Further images in a JPEG file, which cameras and phones list in an APP2 segment: CIPA DC-007, "Multi-Image
// Format".

#include <cstddef>
#include <optional>
#include <string_view>

namespace kg::io {

struct FurtherImages {
    std::size_t previews = 0;  ///< the same image, smaller, for the camera's screen
    std::size_t undefined = 0; ///< images of type "undefined": phones use it for the HDR gain map
    std::size_t others = 0;    ///< images of a panorama, another angle, or the other eye
};

constexpr std::string_view kMpf{"MPF\0", 4};

/// Parses a segment without its signature; empty if it is damaged.
std::optional<FurtherImages> further_images(std::string_view segment);

} // namespace kg::io
