#include "app/ui/actions/action.hpp"

#include "app/ui/widgets/widgets.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <stdexcept>

namespace kg::ui {

namespace {

/// Not by ImGui::Shortcut(), whose routes are requested one frame ahead: the first key after a text field or
/// a dialog would be lost.
bool is_pressed(const Action& action, ImGuiKeyChord chord) {
    switch (action.route) {
    case KeyRoute::always: return ImGui::IsKeyChordPressed(chord);
    case KeyRoute::not_typing:
    case KeyRoute::after_panels: return !is_typing() && ImGui::IsKeyChordPressed(chord);
    case KeyRoute::not_editing: return !ImGui::IsAnyItemActive() && ImGui::IsKeyChordPressed(chord);
    case KeyRoute::unclaimed: return ImGui::Shortcut(chord, ImGuiInputFlags_RouteGlobal);
    case KeyRoute::elsewhere: return false;
    }
    return false;
}

bool is_typed(const Action& action) {
    if (action.character.empty() || is_typing()) return false;
    const auto& typed = ImGui::GetIO().InputQueueCharacters;
    return typed.contains(static_cast<ImWchar>(action.character.front()));
}

} // namespace

std::string_view title(ActionGroup group) {
    switch (group) {
    case ActionGroup::file: return "File";
    case ActionGroup::recipe: return "Recipe";
    case ActionGroup::view: return "View";
    case ActionGroup::window: return "Window";
    case ActionGroup::lesson: return "Lesson";
    case ActionGroup::bench: return "Bench";
    case ActionGroup::batch: return "Batch";
    case ActionGroup::signal: return "Signal";
    case ActionGroup::bank: return "Bank";
    }
    return "";
}

std::string title(const Action& action) {
    return action.current_title ? action.current_title() : action.title;
}

std::string why_not(const Action& action) { return action.why_not ? action.why_not() : std::string(); }

/// As on the key: "Ctrl+Page Down".
std::string key_text(ImGuiKeyChord key) {
    std::string name = ImGui::GetKeyChordName(key);
    if (const auto page = name.find("Page"); page != std::string::npos) name.insert(page + 4, " ");
    return name;
}

std::string first_key(const Action& action) {
    if (!action.character.empty()) return action.character;
    return action.keys.empty() ? std::string() : key_text(action.keys.front());
}

std::string all_keys(const Action& action) {
    auto text = action.character;
    for (const auto key : action.keys) text += (text.empty() ? "" : ", ") + key_text(key);
    return text;
}

bool is_found(const Action& action, std::string_view words) {
    return contains_words(std::string(title(action.group)) + "\n" + title(action), words);
}

const Action& ActionTable::find(std::string_view id) const {
    const auto found = std::ranges::find(actions_, id, &Action::id);
    if (found == actions_.end()) throw std::out_of_range("no action " + std::string(id));
    return *found;
}

void ActionTable::run(std::string_view id) const {
    const auto& action = find(id);
    if (why_not(action).empty()) action.run();
}

void ActionTable::react_to_keys(std::initializer_list<KeyRoute> routes) const {
    for (const auto& action : actions_)
        if (std::ranges::find(routes, action.route) != routes.end()) react_to_keys(action);
}

void ActionTable::react_to_keys(const Action& action) const {
    const auto pressed = [&](ImGuiKeyChord chord) { return is_pressed(action, chord); };
    if ((std::ranges::any_of(action.keys, pressed) || is_typed(action)) && why_not(action).empty())
        action.run();
}

void menu_item(const Action& action) {
    const auto reason = why_not(action);
    const bool chosen = ImGui::MenuItem(title(action).c_str(), first_key(action).c_str(),
                                        action.is_on && action.is_on(), reason.empty());
    help(reason.empty() ? action.tooltip : action.tooltip + ".\n" + reason);
    if (chosen) action.run();
}

void action_button(const Action& action, const char* icon, std::string_view label) {
    const auto reason = why_not(action), key = first_key(action);
    ImGui::BeginDisabled(!reason.empty());
    const bool pressed = button(action.id.c_str(), icon, label,
                                (label.empty() ? title(action) : action.tooltip) +
                                    (key.empty() ? "" : " (" + key + ")") +
                                    (reason.empty() ? "" : ".\n" + reason));
    ImGui::EndDisabled();
    if (pressed) action.run();
}

/// WantTextInput belongs to the previous frame: the field may have lost the focus since.
bool is_typing() {
    return ImGui::GetIO().WantTextInput && ImGui::GetInputTextState(ImGui::GetActiveID()) != nullptr;
}

} // namespace kg::ui
