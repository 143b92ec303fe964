#include "app/ui/bars/first_steps.hpp"

#include "app/ui/panels/kernel_cells.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>
#include <string>

namespace kg::ui {

namespace {

constexpr float kStepsWidth = 300;

struct Instruction {
    std::string title, text;
};

/// The first parameter of the selected step that has a slider, such as Sigma; null without one.
const Parameter* slider_of(const Document& document) {
    const auto* step = document.selected_step();
    if (!step || step->kernel) return nullptr;
    for (const auto& parameter : find_filter(step->filter).parameters)
        if (parameter.kind != Parameter::Kind::choice) return &parameter;
    return nullptr;
}

bool shows_cells(const Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage || stage->kernels.empty()) return false;
    const auto& kernel = stage->kernels.front();
    return std::max(kernel.width, kernel.height) <= kMostColumnCells;
}

/// Whether the window shows what the step speaks of.
bool is_possible(const Document& document, FirstSteps::At at) {
    if (at == FirstSteps::At::drag) return slider_of(document) != nullptr;
    if (at == FirstSteps::At::edit) return shows_cells(document) || slider_of(document);
    return true;
}

Instruction instruction(const Document& document, FirstSteps::At at) {
    using At = FirstSteps::At;
    const auto* parameter = slider_of(document);
    const auto knob = parameter ? std::string(parameter->label) : "the slider";
    switch (at) {
    case At::closed: break;
    case At::offer: return {"Three things in a minute", "Drag, edit, compare: what this program is for."};
    case At::drag:
        return {"1 of 3: drag " + knob,
                "Drag the knob of " + knob + " at the left. The image follows at once."};
    case At::edit:
        if (shows_cells(document))
            return {"2 of 3: edit a cell",
                    "The grid at the left is the kernel. Click a cell and type another "
                    "number, such as 0."};
        return {"2 of 3: make the kernel small",
                "The grid at the left is the kernel. Drag " + knob +
                    " to the left until the grid shows numbers; then click one of them and type another."};
    case At::divide:
        return {"3 of 3: move the divider",
                "Drag the line in the image's middle: the original is on its left, the result on its right."};
    case At::done: return {"That is all", "Open an image of yours with Ctrl+O, or drop one here."};
    }
    return {"", ""};
}

FirstSteps::At after(FirstSteps::At at) { return static_cast<FirstSteps::At>(static_cast<int>(at) + 1); }

} // namespace

void FirstSteps::begin(Document& document, At at) {
    while (!is_possible(document, at)) at = after(at);
    at_ = at;
    recipe_before_ = document.recipe();
    divider_before_ = document.view.divider;
    if (at == At::divide) document.view.mode = ViewState::Mode::split;
}

bool FirstSteps::has_done(const Document& document) const {
    const auto& steps = document.recipe().steps;
    switch (at_) {
    case At::drag:
        for (std::size_t i = 0; i < steps.size() && i < recipe_before_.steps.size(); ++i)
            if (steps[i].filter == recipe_before_.steps[i].filter &&
                steps[i].values != recipe_before_.steps[i].values)
                return true;
        return false;
    case At::edit:
        for (std::size_t i = 0; i < steps.size() && i < recipe_before_.steps.size(); ++i)
            if (steps[i].kernel && (steps[i].kernel != recipe_before_.steps[i].kernel ||
                                    steps[i].kernel_y != recipe_before_.steps[i].kernel_y))
                return true;
        return false;
    case At::divide: return document.view.divider != divider_before_;
    case At::closed:
    case At::offer:
    case At::done: return false;
    }
    return false;
}

void FirstSteps::draw(Document& document, const Box& image) {
    if (at_ == At::closed) return;
    // A drag ends when the mouse button is released: the card does not change during it.
    if (has_done(document) && !ImGui::IsAnyItemActive()) begin(document, after(at_));
    const auto& l = look();
    const float inset = l.px(12), chips = l.px(40); // a row of chips stands below the card
    ImGui::SetNextWindowPos({image.right() - inset, image.bottom() - chips}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSize({std::min(l.px(kStepsWidth), image.width - 2 * inset), 0});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoFocusOnAppearing |
                                        ImGuiWindowFlags_NoScrollbar;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, l.px(6));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(l.theme.panel));
    ImGui::Begin("first steps", nullptr, kFlags);
    if (!is_possible(document, at_)) begin(document, at_); // the step was removed
    const auto shown = instruction(document, at_);
    heading(shown.title);
    note(shown.text);
    space();
    if (at_ == At::offer) {
        if (primary_button("show", icon::kPlay, "Show me", "Three small things to do, in the window itself"))
            begin(document, At::drag);
        ImGui::SameLine();
        if (button("later", nullptr, "Not now", "Close this card; View > First steps brings it back"))
            at_ = At::closed;
    } else if (at_ == At::done) {
        if (primary_button("close", icon::kCheck, "Close", "Close this card")) at_ = At::closed;
    } else {
        if (button("skip", nullptr, "Skip", "On to the next")) begin(document, after(at_));
        ImGui::SameLine();
        if (button("close", nullptr, "Close", "Close this card; View > First steps brings it back"))
            at_ = At::closed;
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

} // namespace kg::ui
