#pragma once
// The text of a preset for signals or for filter banks: "lowpass:cutoff=1000:taps=101".

#include "core/support/error.hpp"
#include "filters/filter.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// The values that such a text gives behind the id. Throws Error, which begins with the id.
Values preset_values(std::string_view id, std::span<const std::string_view> parts);

/// The preset and its complete values. `of` is what the presets are for: "signals". Throws Error with a
/// suggestion if there is no preset or parameter of a name, and for values out of range.
template <typename Preset>
std::pair<const Preset*, Values> parse_preset(std::string_view text, std::span<const Preset* const> presets,
                                              std::string_view of) {
    const auto parts = split(text, ':');
    std::vector<std::string_view> ids;
    for (const auto* preset : presets) {
        if (preset->id == parts.front())
            return {preset, complete(preset->id, preset->parameters, preset_values(preset->id, parts))};
        ids.push_back(preset->id);
    }
    throw Error("unknown-filter", "there is no preset {} for {}{} Presets: {}", in_quotes(parts.front()), of,
                suggestion(parts.front(), ids), listed(ids));
}

} // namespace kg
