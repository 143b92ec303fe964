#include "app/ui/widgets/parameter.hpp"

#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kg::ui {

namespace {

constexpr std::size_t kMostSegments = 5; ///< more choices use a combo box

/// Above this ratio of the ends of its track a slider is logarithmic: sigma and all sizes.
constexpr double kLogarithmicRatio = 20;

bool fit_beside_each_other(const std::vector<const char*>& labels) {
    constexpr float kPadding = 16; // of both sides of a text, as in labelled_choice()
    float width = 0;
    for (const auto* text : labels) width += ImGui::CalcTextSize(text).x + look().px(kPadding);
    return labels.size() <= kMostSegments && width <= ImGui::GetContentRegionAvail().x;
}

ParameterEdit choice_field(const Parameter& parameter, const std::string& value) {
    const std::string id(parameter.id), name(parameter.label), words(parameter.help);
    int index = 0;
    std::vector<std::string> titles;
    for (const auto choice : parameter.choices) {
        if (choice == value) index = static_cast<int>(titles.size());
        titles.push_back(choice_title(choice));
    }
    std::vector<const char*> labels;
    for (const auto& title : titles) labels.push_back(title.c_str());
    bool changed = false;
    if (fit_beside_each_other(labels)) {
        changed = labelled_choice(id.c_str(), name.c_str(), labels, index, words.c_str());
    } else {
        label(name.c_str());
        changed = combo(("##" + id).c_str(), titles, index, words);
    }
    if (!changed) return {};
    return {.value = std::string(parameter.choices[static_cast<std::size_t>(index)])};
}

ParameterEdit slider_field(const Parameter& parameter, const std::string& text, int decimals) {
    double value = kg::parse_number(text, parameter.id);
    const bool whole = parameter.kind == Parameter::Kind::integer;
    SliderSpec spec;
    spec.label = parameter.label;
    spec.minimum = parameter.minimum;
    const bool usual = parameter.usual_maximum > 0 && value <= parameter.usual_maximum;
    spec.maximum = usual ? parameter.usual_maximum : parameter.maximum;
    spec.step = whole ? 1 : 0;
    spec.decimals = whole ? 0 : decimals;
    spec.logarithmic = parameter.minimum > 0 && spec.maximum / parameter.minimum > kLogarithmicRatio;
    spec.unit = parameter.unit;
    spec.tooltip = parameter.help;
    const auto edit = slider(std::string(parameter.id).c_str(), spec, value);
    ParameterEdit made{.ongoing = true, .finished = edit.finished, .reset = edit.reset};
    const double unit = std::pow(10, decimals);
    if (edit.changed && !edit.reset)
        made.value = whole ? std::to_string(std::lround(value)) : to_text(std::round(value * unit) / unit);
    return made;
}

} // namespace

ParameterEdit parameter_field(const Parameter& parameter, const std::string& value, int decimals) {
    return parameter.kind == Parameter::Kind::choice ? choice_field(parameter, value)
                                                     : slider_field(parameter, value, decimals);
}

bool combo(const char* id, const std::vector<std::string>& titles, int& selected, std::string_view tooltip) {
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const bool open = ImGui::BeginCombo(id, titles[static_cast<std::size_t>(selected)].c_str());
    if (!open) {
        help(tooltip);
        return false;
    }
    const int before = selected;
    for (int i = 0; i < static_cast<int>(titles.size()); ++i)
        if (ImGui::Selectable(titles[static_cast<std::size_t>(i)].c_str(), i == before)) selected = i;
    ImGui::EndCombo();
    return selected != before;
}

} // namespace kg::ui
