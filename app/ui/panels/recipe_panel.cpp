// The steps in order, and the sliders of the selected one.

#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parameter.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "core/support/error.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <string>

namespace kg::ui {

namespace {

/// "sigma 2", "direction x": distinguishes steps of one filter.
std::string summary(const Step& step) {
    std::string text;
    if (step.kernel) text = std::to_string(step.kernel->width) + " x " + std::to_string(step.kernel->height);
    for (const auto& [key, value] : step.values) text += (text.empty() ? "" : ", ") + key + " " + value;
    return text;
}

std::string title(const Document& document, std::size_t i) {
    const auto& step = document.recipe().steps[i];
    const auto& origin = document.origins()[i];
    if (origin) return "Custom, from " + std::string(find_filter(origin->filter).title);
    return std::string(find_filter(step.filter).title);
}

/// Alt with an arrow key moves the step, like dragging. The keyboard focus stays with the step: in the next
/// frame `focus` is its row.
void move_by_keys(Document& document, int i, int& focus) {
    if (!ImGui::IsItemFocused() || !ImGui::GetIO().KeyAlt) return;
    const auto pressed = [item = ImGui::GetItemID()](ImGuiKey key) {
        ImGui::SetKeyOwner(key, item); // keeps the key from moving to the next item
        return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, item);
    };
    const int to = i + pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    if (to == i || to < 0 || to >= static_cast<int>(document.recipe().steps.size())) return;
    document.move_step(i, to);
    focus = to;
}

/// A step that is dropped on the last item comes to the place `to`.
void take_dropped_step(Document& document, int to) {
    if (!ImGui::BeginDragDropTarget()) return;
    if (const auto* payload = ImGui::AcceptDragDropPayload("step"))
        document.move_step(*static_cast<const int*>(payload->Data), to);
    ImGui::EndDragDropTarget();
}

void draw_step(Document& document, int i, int& focus) {
    const auto& step = document.recipe().steps[static_cast<std::size_t>(i)];
    const auto remark = summary(step);
    // Copied, because a click below may change the list: `step` is not used afterwards.
    bool enabled = step.enabled;
    ImGui::PushID(i);
    const float top = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top + look().px(4)); // a tick is lower than its row
    if (tick("enabled", {}, enabled, enabled ? "Skip this step" : "Use this step"))
        document.enable_step(i, enabled);
    ImGui::SameLine();
    ImGui::SetCursorPosY(top);

    const float close = ImGui::GetFrameHeight();
    const auto at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - close - ImGui::GetStyle().ItemSpacing.x;
    const auto label = title(document, static_cast<std::size_t>(i));
    if (row("##step", {width, close}, document.selected() == i)) document.select(i);
    help("Click to edit this step below; drag to another place, or Alt with an arrow key");
    if (focus == i) {
        focus_item();
        focus = -1;
    }
    move_by_keys(document, i, focus);
    if (ImGui::BeginDragDropSource()) {
        ImGui::SetDragDropPayload("step", &i, sizeof i);
        ImGui::TextUnformatted(label.c_str());
        ImGui::EndDragDropSource();
    }
    take_dropped_step(document, i);
    row_text(at, {width, close}, label, remark, enabled);

    ImGui::SameLine();
    ImGui::SetCursorPosY(top);
    const bool remove = button("remove", icon::kClose, {}, "Remove this step");
    ImGui::PopID();
    if (remove) document.remove_step(i);
}

void draw_add_menu(Document& document) {
    if (button("add", icon::kPlus, "Add filter", "Append a filter to the recipe"))
        ImGui::OpenPopup("add filter");
    take_dropped_step(document, static_cast<int>(document.recipe().steps.size()) - 1); // below the last one
    place_popup_at_item();
    if (ImGui::BeginPopup("add filter")) {
        for (const auto* filter : filters()) {
            if (ImGui::Selectable(std::string(filter->title).c_str())) document.add_step(filter->id);
            help(std::string(filter->summary).c_str());
        }
        ImGui::EndPopup();
    }
}

/// Beside the menu where both fit.
void draw_to_here(Document& document) {
    constexpr const char* kText = "Show to here";
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x,
                room = right - ImGui::GetItemRectMax().x - ImGui::GetStyle().ItemSpacing.x;
    if (ImGui::CalcTextSize(kText).x + ImGui::GetFrameHeight() + look().px(8) <= room) {
        ImGui::SameLine();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look().px(4)); // a tick is lower than its row
    }
    bool to_here = document.shows_to_selected();
    if (tick("to_here", kText, to_here, "The view ends at the selected step; files are always of all steps"))
        document.show_to_selected(to_here);
}

/// The selected step's filter; another choice replaces it.
void draw_kind(Document& document) {
    const auto title = std::string(find_filter(document.selected_step()->filter).title);
    label("Filter");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const bool open = ImGui::BeginCombo("##kind", title.c_str());
    if (!open) {
        help("Replace this step's filter");
        return;
    }
    for (const auto* filter : filters()) {
        if (ImGui::Selectable(std::string(filter->title).c_str(), filter->title == title))
            document.replace_step(filter->id);
        help(filter->summary);
    }
    ImGui::EndCombo();
}

void draw_parameter(Document& document, const Parameter& parameter) {
    const auto edit = parameter_field(parameter, document.value(parameter));
    if (edit.reset) document.reset_value(parameter.id);
    else if (edit.value)
        document.set_value(parameter.id, *edit.value, edit.ongoing ? Gesture::ongoing : Gesture::whole);
    if (edit.finished) document.finish_gesture();
}

/// Also ends where a widget throws.
class ScopedDisabled {
public:
    explicit ScopedDisabled(bool disabled) { ImGui::BeginDisabled(disabled); }
    ScopedDisabled(const ScopedDisabled&) = delete;
    ScopedDisabled& operator=(const ScopedDisabled&) = delete;
    ~ScopedDisabled() { ImGui::EndDisabled(); }
};

/// False for the norm of a gradient along one direction: it combines two.
bool combines_anything(const Document& document, const Filter& filter, const Parameter& parameter) {
    const auto direction = std::ranges::find(filter.parameters, "direction", &Parameter::id);
    return parameter.id != "norm" || direction == filter.parameters.end() ||
           document.value(*direction) == "magnitude";
}

/// The selected step's parameters. Those of a filter whose weights were edited stay in their place, so that
/// the kernel grid does not move under the pointer; without effect, unless the edited step has them, too.
void draw_parameters(Document& document) {
    const auto& origin = document.origins()[static_cast<std::size_t>(document.selected())];
    const auto& filter = find_filter(document.selected_step()->filter);
    const auto& parameters = origin ? find_filter(origin->filter).parameters : filter.parameters;
    const auto has_effect = [&](const Parameter& parameter) {
        return std::ranges::find(filter.parameters, parameter.id, &Parameter::id) !=
                   filter.parameters.end() &&
               combines_anything(document, filter, parameter);
    };
    try {
        for (const auto& parameter : parameters) {
            const ScopedDisabled disabled(!has_effect(parameter));
            draw_parameter(document, parameter);
        }
    } catch (const Error& error) { // a value that is not a number, from the command line
        notice(Tone::warning, capitalised(error.what()));
    }
}

std::string slot_help(const Document& document, std::size_t slot) {
    const auto& recipe = document.slot_recipe(slot);
    const auto name = "Recipe " + std::string(kSlotNames[slot]);
    return name + ": " + (recipe.steps.empty() ? "no filter" : short_name(recipe)) + " (Alt+" +
           std::to_string(slot + 1) + ")";
}

/// "Copy A to B" and "Copy A to C".
void draw_copies(Document& document) {
    if (button("copy slot", icon::kCopy, {}, "Copy this recipe to another of A, B and C"))
        ImGui::OpenPopup("copy slot");
    if (!ImGui::BeginPopup("copy slot")) return;
    for (std::size_t i = 0; i < kRecipeSlots; ++i) {
        if (i == document.slot()) continue;
        const auto label = "Copy " + std::string(kSlotNames[document.slot()]) + " to " +
                           std::string(kSlotNames[i]);
        if (ImGui::Selectable(label.c_str())) document.copy_slot(i);
        help("Replaces " + slot_help(document, i));
    }
    ImGui::EndPopup();
}

/// The heading, and beside it the choice between the recipes A, B and C; a lesson has one recipe.
void draw_slots(Document& document) {
    if (document.is_aside()) return heading(has_title_bar() ? "" : "Recipe");
    const float segments = look().px(120), copy = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    heading_beside(has_title_bar() ? "" : "Recipe");
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - segments - copy);
    std::array<const char*, kRecipeSlots> labels{}, tooltips{};
    std::array<std::string, kRecipeSlots> texts;
    for (std::size_t i = 0; i < kRecipeSlots; ++i) {
        texts[i] = slot_help(document, i);
        labels[i] = kSlotNames[i].data();
        tooltips[i] = texts[i].c_str();
    }
    auto shown = static_cast<int>(document.slot());
    if (segmented("slot", labels, shown, tooltips, segments))
        document.show_slot(static_cast<std::size_t>(shown));
    ImGui::SameLine();
    draw_copies(document);
}

class RecipePanel final : public Panel {
public:
    std::string_view id() const override { return "recipe"; }
    std::string_view title() const override { return "Recipe"; }
    std::string_view tooltip() const override {
        return "The steps in order, and the parameters of the selected one";
    }
    Place place() const override { return Place::left; }
    void draw(Document& document) override;

private:
    int focus_ = -1; ///< the step that gets the keyboard focus when it is drawn
};

/// "gaussian:sigma=2 > sharpen"; kernels of many weights have their name alone.
std::string steps_text(const Recipe& recipe) {
    std::string text;
    for (const auto& step : recipe.steps)
        text += (text.empty() ? "" : " > ") + (weights_in(step) > 0 ? step.filter : to_text(step));
    return text;
}

void RecipePanel::draw(Document& document) {
    draw_slots(document);
    for (int i = 0; i < static_cast<int>(document.recipe().steps.size()); ++i) draw_step(document, i, focus_);
    const auto count = document.recipe().steps.size();
    if (count == 0) note("No filter yet: the image is unchanged.");
    bool offered = false;
    if (const auto& last = document.last_recipe(); count == 0 && last) {
        note("Last recipe: " + steps_text(*last));
        if (button("last", icon::kRefresh, "Use", "Apply the recipe and output settings of the last time"))
            document.use_last_recipe();
        offered = true;
    }
    if (const auto& made = document.image_recipe(); made && *made != document.recipe()) {
        note("Made this image: " + steps_text(*made));
        if (button("image_recipe", icon::kRefresh, "Use its recipe",
                   "Apply the recipe and output settings that this image was made with"))
            document.use_image_recipe();
        offered = true;
    }
    if (offered) ImGui::SameLine();
    draw_add_menu(document);
    if (count > 1) draw_to_here(document);
    if (!document.selected_step()) return;
    space();
    draw_kind(document);
    draw_parameters(document);
}

} // namespace

std::unique_ptr<Panel> make_recipe_panel() { return std::make_unique<RecipePanel>(); }

} // namespace kg::ui
