#include "filters/volume_filter.hpp"

#include "filters/preset_text.hpp"

namespace kg {

std::pair<const VolumeFilter*, Values> parse_volume_filter(std::string_view text) {
    return parse_preset(text, volume_filters(), "volumes");
}

} // namespace kg
