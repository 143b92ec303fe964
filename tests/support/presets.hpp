#pragma once
// The program's presets by their ids.

#include "filters/preset.hpp"

#include <algorithm>
#include <string_view>

namespace kg::testing {

/// The preset of that id, which must exist.
inline const Preset& find_preset(std::string_view id) {
    return *std::ranges::find(presets(), id, &Preset::id);
}

} // namespace kg::testing
