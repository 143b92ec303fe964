#include "app/editor/document/history.hpp"

#include "app/editor/document/alpha_titles.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"

#include <algorithm>

namespace kg {

namespace {

std::string title(const Step& step) { return std::string(find_filter(step.filter).title); }

/// "Gaussian" for gaussian: a prefix for a parameter.
std::string short_title(const Step& step) {
    auto words = step.filter;
    std::ranges::replace(words, '_', ' ');
    return capitalised(words);
}

std::string from_to(const std::string& what, std::string_view from, std::string_view to) {
    return what + " " + std::string(from) + " to " + std::string(to);
}

std::string alpha_text(AlphaMode alpha) { return lower_case(kAlphaTitles[static_cast<std::size_t>(alpha)]); }

std::string value_text(const Step& step, const Parameter& parameter) {
    if (const auto given = step.values.find(parameter.id); given != step.values.end()) return given->second;
    return parameter.preset.empty() ? "automatic" : std::string(parameter.preset);
}

std::string extent_text(const Kernel& kernel) {
    return std::to_string(kernel.width) + "x" + std::to_string(kernel.height);
}

/// `what` is the kernel: "Kernel", "Gx".
std::string describe_kernel_change(const std::string& what, const Kernel& before, const Kernel& after) {
    if (before.width != after.width || before.height != after.height)
        return from_to(what + " size", extent_text(before), extent_text(after));
    std::size_t changed = 0, at = 0;
    for (std::size_t i = 0; i < before.weights.size(); ++i)
        if (before.weights[i] != after.weights[i]) ++changed, at = i;
    if (changed == 1)
        return from_to(what + " weight", to_text(before.weights[at]), to_text(after.weights[at]));
    if (changed > 1) return what + " weights";
    if (before.divisor != after.divisor)
        return from_to(what + " divisor", to_text(before.divisor), to_text(after.divisor));
    if (before.offset != after.offset)
        return from_to(what + " offset", to_text(before.offset), to_text(after.offset));
    return what;
}

std::string describe_step_change(const Step& before, const Step& after) {
    if (before.filter != after.filter)
        return after.kernel && !before.kernel ? "Edit a weight of " + title(before)
                                              : title(before) + " to " + title(after);
    if (before.enabled != after.enabled) return (after.enabled ? "Turn on " : "Turn off ") + title(after);
    if (before.kernel_y && after.kernel_y) {
        if (before.kernel != after.kernel) return describe_kernel_change("Gx", *before.kernel, *after.kernel);
        if (before.kernel_y != after.kernel_y)
            return describe_kernel_change("Gy", *before.kernel_y, *after.kernel_y);
    } else if (before.kernel && after.kernel) {
        return describe_kernel_change("Kernel", *before.kernel, *after.kernel);
    }
    for (const auto& parameter : find_filter(after.filter).parameters) {
        const auto from = value_text(before, parameter), to = value_text(after, parameter);
        if (from != to) return from_to(short_title(after) + " " + std::string(parameter.id), from, to);
    }
    return title(after);
}

} // namespace

std::string describe_change(const EditState& before, const EditState& after) {
    const auto &a = before.recipe, &b = after.recipe;
    if (b.steps.size() == a.steps.size() + 1) return "Add " + title(b.steps.back());
    if (a.steps.size() == b.steps.size() + 1) {
        std::size_t i = 0;
        while (i < b.steps.size() && a.steps[i] == b.steps[i]) ++i;
        return "Remove " + title(a.steps[i]);
    }
    if (a.steps.size() != b.steps.size()) return "Replace the recipe";
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < a.steps.size(); ++i)
        if (a.steps[i] != b.steps[i]) changed.push_back(i);
    if (changed.size() == 1) return describe_step_change(a.steps[changed.front()], b.steps[changed.front()]);
    if (changed.size() > 1) return "Reorder the steps";
    if (a.border != b.border || a.border_colour != b.border_colour)
        return from_to("Border", border_text(a.border, a.border_colour),
                       border_text(b.border, b.border_colour));
    if (a.light != b.light) return from_to("Light", name(a.light), name(b.light));
    if (a.alpha != b.alpha) return from_to("Alpha", alpha_text(a.alpha), alpha_text(b.alpha));
    if (a.sign != b.sign) return from_to("Signed", name(a.sign), name(b.sign));
    if (a.channels != b.channels)
        return from_to("Channels", a.channels.empty() ? "all" : a.channels,
                       b.channels.empty() ? "all" : b.channels);
    if (a.depth != b.depth)
        return from_to("Depth", a.depth ? name(*a.depth) : "as input", b.depth ? name(*b.depth) : "as input");
    return "Edit";
}

} // namespace kg
