#pragma once
// Presets of `signal`, `bank` and `volume` in help and messages.

#include "filters/filter.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

/// "cutoff, taps=101, window=hamming": parameters, and the defaults of those that have one.
std::string parameters_text(std::span<const Parameter> parameters);

/// A paragraph: "Presets: lowpass (cutoff, taps=101, window=hamming), ..."
template <typename Preset>
std::string presets_text(std::span<const Preset* const> presets) {
    std::string text;
    for (const auto* preset : presets)
        text += (text.empty() ? "Presets: " : ", ") + std::string(preset->id) + " (" +
                parameters_text(preset->parameters) + ")";
    return text + ". `kernelglass list presets -v` explains them.";
}

/// "lowpass is a preset of `kernelglass signal`", and where it is explained; empty if neither `signal` nor
/// `bank` nor `volume` has a preset of this id.
std::string preset_of_other_command(std::string_view id);

} // namespace kg
