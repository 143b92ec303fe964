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

/// Throws Error, which names all parameters without a value and a default.
void expect_complete(std::string_view id, std::span<const Parameter> parameters, const Values& values);

/// The preset of an id. `of` is what the presets are for: "signals". Throws Error with a suggestion if there
/// is none.
template <typename Preset>
const Preset& find_preset(std::string_view id, std::span<const Preset* const> presets, std::string_view of) {
    std::vector<std::string_view> ids;
    for (const auto* preset : presets) {
        if (preset->id == id) return *preset;
        ids.push_back(preset->id);
    }
    throw Error("unknown-filter", "there is no preset {} for {}{} Presets: {}", in_quotes(id), of,
                suggestion(id, ids), listed(ids));
}

/// The preset and its complete values. Throws Error as find_preset() does, and for parameters of unknown
/// names, values out of range and missing ones.
template <typename Preset>
std::pair<const Preset*, Values> parse_preset(std::string_view text, std::span<const Preset* const> presets,
                                              std::string_view of) {
    const auto parts = split(text, ':');
    const auto& preset = find_preset(parts.front(), presets, of);
    auto values = complete(preset.id, preset.parameters, preset_values(preset.id, parts));
    expect_complete(preset.id, preset.parameters, values);
    return {&preset, std::move(values)};
}

} // namespace kg
