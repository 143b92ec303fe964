#include "app/cli/flags/preset_help.hpp"

#include "filters/bank_filter.hpp"
#include "filters/signal_filter.hpp"
#include "filters/volume_filter.hpp"

#include <algorithm>

namespace kg {

namespace {

template <typename Preset>
bool has(std::span<const Preset* const> presets, std::string_view id) {
    return std::ranges::any_of(presets, [&](const Preset* preset) { return preset->id == id; });
}

} // namespace

std::string parameters_text(std::span<const Parameter> parameters) {
    std::string text;
    for (const auto& p : parameters)
        text += (text.empty() ? "" : ", ") + std::string(p.id) +
                (p.preset.empty() ? "" : "=" + std::string(p.preset));
    return text;
}

std::string preset_of_other_command(std::string_view id) {
    const char* const command = has(signal_filters(), id)   ? "signal"
                                : has(bank_filters(), id)   ? "bank"
                                : has(volume_filters(), id) ? "volume"
                                                            : nullptr;
    if (!command) return {};
    return std::string(id) + " is a preset of `kernelglass " + command +
           "`; `kernelglass list presets -v` explains its parameters";
}

} // namespace kg
