#pragma once
// Everything that can be asked of the window by a name or a key, declared once: menus, buttons, keys, the
// command palette and the page of shortcuts read the same table.

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg::ui {

enum class ActionGroup : std::uint8_t { file, recipe, view, window, lesson, bench, batch, signal, bank };
std::string_view title(ActionGroup group);

inline constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kCtrlShift = kCtrl | ImGuiMod_Shift;

/// When the keys of an action count.
enum class KeyRoute : std::uint8_t {
    always,       ///< also while a text field has the focus
    not_typing,   ///< a text field with the focus keeps the key
    not_editing,  ///< not during a drag or while typing: the edit belongs to what is shown
    after_panels, ///< not while typing, and a panel that locks the key takes it first
    unclaimed,    ///< only where no item with the focus claims the key
    elsewhere,    ///< only listed here: the window handles a key that is held, or one with a second meaning
};

struct Action {
    std::string id; ///< unique
    ActionGroup group = ActionGroup::window;
    std::string title;
    std::string tooltip;
    /// The first one is shown in menus.
    std::vector<ImGuiKeyChord> keys{};
    KeyRoute route = KeyRoute::not_typing;
    /// Why it cannot run now; empty text = it can. Without the function it always can.
    std::function<std::string()> why_not{};
    std::function<void()> run{};
    std::function<bool()> is_on{}; ///< ticked in menus where it returns true
    /// Replaces `title` where it depends on the state.
    std::function<std::string()> current_title{};
    bool on_page = true;        ///< listed on the page of shortcuts, if it has a key
    std::string character = {}; ///< typed, whatever keys the layout has it on; shown before `keys`
};

/// Empty where it is possible.
inline std::string reason_unless(bool possible, std::string_view reason) {
    return possible ? std::string() : std::string(reason);
}

std::string title(const Action& action);
std::string why_not(const Action& action);
/// "Ctrl+Shift+P"; empty without keys. All keys: "Ctrl+Y, Ctrl+Shift+Z".
std::string first_key(const Action& action);
std::string all_keys(const Action& action);
/// Whether title and group contain every one of these words, in any case.
bool is_found(const Action& action, std::string_view words);

class ActionTable {
public:
    void add(Action action) { actions_.push_back(std::move(action)); }
    std::span<const Action> all() const { return actions_; }
    /// Throws std::out_of_range if there is none of that id.
    const Action& find(std::string_view id) const;
    /// Nothing where it cannot run.
    void run(std::string_view id) const;

    /// Runs the actions of these routes whose keys are pressed in this frame.
    void react_to_keys(std::initializer_list<KeyRoute> routes) const;
    /// The same for one action.
    void react_to_keys(const Action& action) const;

private:
    std::vector<Action> actions_;
};

/// A line of a menu, with key and tooltip; disabled with its reason where the action cannot run.
void menu_item(const Action& action);
/// A button with the action's tooltip, or its reason. The id of the button is that of the action.
void action_button(const Action& action, const char* icon, std::string_view label);

/// Whether a text field has the focus.
bool is_typing();

} // namespace kg::ui
