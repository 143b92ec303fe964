#include "app/editor/signal/signal_edit.hpp"

#include "core/support/text.hpp"

#include <cmath>

namespace kg {

namespace {

/// As a share of the rate: in the middle of what people hear, where the rate is that of a CD.
double usual_share(std::string_view id) {
    constexpr double kLow = 0.01, kHigh = 0.1, kCutoff = 0.05;
    return id == "low" ? kLow : id == "high" ? kHigh : kCutoff;
}

/// Two digits: 2205 becomes 2200.
double two_digits(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::round(value / unit) * unit;
}

template <typename Value>
std::string name_of(const std::optional<Value>& value, const char* otherwise) {
    return value ? std::string(name(*value)) : std::string(otherwise);
}

std::string named_change(const std::string& what, const std::string& from, const std::string& to) {
    return what + " " + from + " to " + to;
}

std::string anchor_text(const std::optional<std::int64_t>& anchor) {
    return anchor ? std::to_string(*anchor) : "half of the taps";
}

std::string describe_taps(const std::vector<double>& before, const std::vector<double>& after) {
    std::size_t changed = 0, at = 0;
    for (std::size_t i = 0; before.size() == after.size() && i < after.size(); ++i)
        if (before[i] != after[i]) ++changed, at = i;
    return changed == 1
               ? named_change("Tap " + std::to_string(at), short_number(before[at]), short_number(after[at]))
               : "Taps";
}

} // namespace

SignalEdit with_preset(const SignalEdit& before, std::string_view id, std::uint32_t rate) {
    SignalEdit edit;
    edit.filter = id;
    edit.type = before.type;
    edit.rate = before.rate;
    edit.stride = before.stride;
    edit.dilation = before.dilation;
    edit.bits = before.bits;
    for (const auto& parameter : find_signal_filter(id).parameters)
        if (rate == 0 && parameter.unit == "s") edit.values.emplace(parameter.id, "10"); // samples
        else if (parameter.preset.empty())
            edit.values.emplace(parameter.id,
                                to_text(two_digits(usual_share(parameter.id) * (rate == 0 ? 1 : rate))));
    return edit;
}

std::string preset_text(const SignalEdit& edit) {
    std::string text = edit.filter;
    for (const auto& [id, value] : edit.values) text += ":" + id + "=" + value;
    return text;
}

std::string value_of(const SignalEdit& edit, const Parameter& parameter) {
    const auto given = edit.values.find(parameter.id);
    return given != edit.values.end() ? given->second : std::string(parameter.preset);
}

SignalRecipe recipe_of(const SignalEdit& edit) {
    SignalRecipe recipe;
    if (edit.taps) {
        recipe.taps = *edit.taps;
    } else {
        recipe.filter = preset_text(edit);
    }
    recipe.flip = edit.flip;
    recipe.stride = edit.stride;
    recipe.dilation = edit.dilation;
    recipe.anchor = edit.anchor;
    recipe.mode = edit.mode;
    recipe.border = edit.border;
    return recipe;
}

std::string describe_change(const SignalEdit& before, const SignalEdit& after) {
    const auto& filter = find_signal_filter(after.filter);
    const std::string title(filter.title);
    if (before.filter != after.filter)
        return named_change("Preset", std::string(find_signal_filter(before.filter).title), title);
    if (before.taps && after.taps && before.taps != after.taps)
        return describe_taps(*before.taps, *after.taps);
    if (before.taps.has_value() != after.taps.has_value())
        return after.taps ? "Edit the taps of " + title : "Back to " + title;
    for (const auto& parameter : filter.parameters)
        if (const auto from = value_of(before, parameter), to = value_of(after, parameter); from != to)
            return named_change(title + " " + std::string(parameter.id), from, to);
    if (before.mode != after.mode)
        return named_change("Mode", name_of(before.mode, "as preset"), name_of(after.mode, "as preset"));
    if (before.border != after.border)
        return named_change("Border", name_of(before.border, "as preset"),
                            name_of(after.border, "as preset"));
    if (before.flip != after.flip) return after.flip ? "Flip the taps" : "Do not flip the taps";
    if (before.stride != after.stride)
        return named_change("Stride", std::to_string(before.stride), std::to_string(after.stride));
    if (before.dilation != after.dilation)
        return named_change("Dilation", std::to_string(before.dilation), std::to_string(after.dilation));
    if (before.anchor != after.anchor)
        return named_change("Anchor", anchor_text(before.anchor), anchor_text(after.anchor));
    if (before.bits != after.bits)
        return named_change("Bits", name_of(before.bits, "as file"), name_of(after.bits, "as file"));
    if (before.type != after.type)
        return named_change("Type", name_of(before.type, "as file"), name_of(after.type, "as file"));
    if (before.rate != after.rate)
        return named_change("Rate", std::to_string(before.rate), std::to_string(after.rate));
    return "Edit";
}

} // namespace kg
