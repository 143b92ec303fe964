#pragma once
// Pictures that follow the first in a JPEG file, as cameras and phones list them in an APP2 segment: CIPA DC-007,
// "Multi-Picture Format".

#include <cstddef>
#include <optional>
#include <string_view>

namespace kg::io {

struct FurtherPictures {
    std::size_t previews = 0;  ///< the same picture, smaller, for the camera's screen
    std::size_t undefined = 0; ///< of no kind that the standard knows: where phones keep the gain map for HDR
    std::size_t others = 0;    ///< of a panorama, from another angle, for the other eye
};

constexpr std::string_view kMpf{"MPF\0", 4};

/// What a segment (without its signature) lists; nothing where it is damaged.
std::optional<FurtherPictures> further_pictures(std::string_view segment);

} // namespace kg::io
