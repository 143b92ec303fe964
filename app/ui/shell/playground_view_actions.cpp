// The actions of the image view and of the window itself.

#include "app/ui/shell/playground.hpp"

#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace kg::ui {

void Playground::add_view_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::view;
        if (!action.why_not) action.why_not = [this] { return why_no_image(); };
        actions_.add(std::move(action));
    };
    add({.id = "fit",
         .title = "Fit",
         .tooltip = "The whole image",
         .keys = {kCtrl | ImGuiKey_0},
         .route = KeyRoute::always,
         .why_not =
             [this] {
                 return shows_image() ? reason_unless(!view_->is_fit(), "The whole image is shown")
                                      : why_no_image();
             },
         .run = [this] { view_->fit(); }});
    add({.id = "actual_size",
         .title = "100 %",
         .tooltip = "One image pixel per screen pixel",
         .keys = {kCtrl | ImGuiKey_1},
         .route = KeyRoute::always,
         .run = [this] { view_->actual_size(); }});
    using Mode = ViewState::Mode;
    constexpr std::array<std::pair<Mode, const char*>, 4> kModes{{{Mode::result, "Result"},
                                                                  {Mode::split, "Split"},
                                                                  {Mode::side, "Side"},
                                                                  {Mode::difference, "Difference"}}};
    for (const auto& [mode, name] : kModes)
        add({.id = "mode_" + lower_case(name),
             .title = std::string("View mode ") + name,
             .tooltip = "The result, with the original beside or below it, or their difference",
             .why_not =
                 [this, mode = mode] {
                     const auto& view = document_->view;
                     return shows_image()
                                ? reason_unless(view.mode != mode || view.original_stays, "It is shown")
                                : why_no_image();
                 },
             .run = [this, mode = mode] { view_->show_mode(*document_, mode); }});
}

/// What is shown of the open images.
void Playground::add_image_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::view;
        if (!action.why_not) action.why_not = [this] { return why_no_image(); };
        actions_.add(std::move(action));
    };
    add({.id = "original",
         .title = "Show the original",
         .tooltip = "While the key is held; a tap, or this command, toggles it",
         .keys = {ImGuiKey_O},
         .route = KeyRoute::elsewhere,
         .run = [this] { document_->view.original_stays = !document_->view.original_stays; }});
    add({.id = "unpin",
         .title = "Unpin the pixel",
         .tooltip = "The values follow the pointer again",
         .keys = {ImGuiKey_Escape},
         .route = KeyRoute::elsewhere,
         .why_not = [this] { return reason_unless(view_->pinned().has_value(), "No pixel is pinned"); },
         .run = [this] { view_->unpin(); }});
    for (std::size_t i = 0; i < 9; ++i)
        add({.id = "image_" + std::to_string(i + 1),
             .title = "Show image " + std::to_string(i + 1),
             .tooltip = "One of the open images",
             .keys = {static_cast<ImGuiKeyChord>(ImGuiKey_1 + static_cast<int>(i))},
             .route = KeyRoute::unclaimed,
             .why_not =
                 [this, i] {
                     if (workspace_ != Workspace::play) return std::string("It is for the workspace Play");
                     if (i >= document_->film().size()) return std::string("There is no such image");
                     return reason_unless(i != document_->film_place(), "It is shown");
                 },
             .run = [this, i] { document_->show(i); },
             .on_page = false});
}

void Playground::add_workspace_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::window;
        actions_.add(std::move(action));
    };
    for (std::size_t i = 0; i < kWorkspaces.size(); ++i) {
        const auto to = static_cast<Workspace>(i);
        add({.id = kWorkspaces[i].id,
             .title = std::string("Workspace ") + kWorkspaces[i].title,
             .tooltip = "One image, lessons, a benchmark, a folder, a signal, or a bank of filters",
             .why_not = [this, to] { return reason_unless(workspace_ != to, "It is shown"); },
             .run = [this, to] { go_to(to); }});
    }
    add({.id = "switch_batch",
         .title = "Batch and back",
         .tooltip = "Switch between Play and Batch",
         .keys = {kCtrl | ImGuiKey_B},
         .route = KeyRoute::always,
         .run = [this] { go_to(workspace_ == Workspace::batch ? Workspace::play : Workspace::batch); }});
    add({.id = "switch_bench",
         .title = "Bench and back",
         .tooltip = "Switch between Play and Bench",
         .keys = {kCtrl | ImGuiKey_M},
         .route = KeyRoute::always,
         .run = [this] { go_to(workspace_ == Workspace::bench ? Workspace::play : Workspace::bench); }});
    add({.id = "next_region",
         .title = "Next region",
         .tooltip = "Move the keyboard focus to the next part of the window",
         .keys = {ImGuiKey_F6},
         .route = KeyRoute::always,
         .run = [this] { next_region(); }});
}

void Playground::add_window_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::window;
        actions_.add(std::move(action));
    };
    add({.id = "lock",
         .title = "Unlock panels",
         .tooltip = "Give panels title bars, to move and to resize them, or lock them again where they are",
         .run = [this] { arrangement_.toggle_lock(); },
         .current_title = [this] { return arrangement_.locked() ? "Unlock panels" : "Lock panels"; }});
    add({.id = "reset_layout",
         .title = "Reset layout",
         .tooltip = "Put every panel back in its default place",
         .why_not =
             [this] { return reason_unless(arrangement_.is_own(), "Every panel is in its default place"); },
         .run = [this] { arrangement_.reset(); }});
    add({.id = "theme",
         .title = "Light theme",
         .tooltip = "The window's colours; the image's stay",
         .run = [this] { set_theme(!dark_); },
         .current_title = [this] { return dark_ ? "Light theme" : "Dark theme"; }});
    add({.id = "log",
         .title = "Messages",
         .tooltip = "All messages since the start",
         .why_not = [this] { return reason_unless(!document_->messages().empty(), "There are none yet"); },
         .run =
             [this] {
                 presents_ = false; // the log opens above the status bar
                 opens_log_ = true;
             }});
    add({.id = "palette",
         .title = "Command palette...",
         .tooltip = "Find any action, filter or preset by its name",
         .keys = {kCtrl | ImGuiMod_Shift | ImGuiKey_P},
         .route = KeyRoute::always,
         .run = [this] { palette_.open(); }});
    add({.id = "shortcuts",
         .title = "Keyboard shortcuts",
         .tooltip = "All keys on one page",
         .keys = {ImGuiKey_F1},
         .run = [this] { shortcuts_.open(); },
         .character = "?"});
    add({.id = "first_steps",
         .title = "First steps",
         .tooltip = "Three things in a minute",
         .why_not =
             [this] {
                 if (workspace_ != Workspace::play) return std::string("It is for the workspace Play");
                 return reason_unless(first_steps_.at() == FirstSteps::At::closed, "They are shown");
             },
         .run = [this] { first_steps_.offer(); }});
}

void Playground::add_scale_actions() {
    const auto why_not = [this](int scale) {
        if (scale == scale_) return std::string("It is in use");
        return reason_unless(scale < scale_ || fits(scale), "The window is too small for it");
    };
    for (const int scale : kScales)
        actions_.add({.id = "scale_" + std::to_string(scale),
                      .title = "Scale " + std::to_string(scale) + " %",
                      .tooltip = "The size of text and panels; the image stays",
                      .why_not = [why_not, scale] { return why_not(scale); },
                      .run = [this, scale] { scale_ = scale; },
                      .is_on = [this, scale] { return scale == scale_; }});
    /// The scale after the current one in that direction; the current one at the end.
    const auto next = [this](int by) {
        const auto at = static_cast<int>(std::ranges::find(kScales, scale_) - kScales.begin());
        return kScales[static_cast<std::size_t>(
            std::clamp(at + by, 0, static_cast<int>(kScales.size()) - 1))];
    };
    const auto add = [&](const char* id, const char* title, std::vector<ImGuiKeyChord> keys, int by) {
        actions_.add({.id = id,
                      .title = title,
                      .tooltip = "The next of the scales 100 to 200 %",
                      .keys = std::move(keys),
                      .route = KeyRoute::always,
                      .why_not =
                          [this, why_not, next, by] {
                              return next(by) == scale_ ? std::string("It is at its limit")
                                                        : why_not(next(by));
                          },
                      .run = [this, next, by] { scale_ = next(by); }});
    };
    add("larger", "Larger text and panels", {kCtrl | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd}, 1);
    add("smaller", "Smaller text and panels", {kCtrl | ImGuiKey_Minus, kCtrl | ImGuiKey_KeypadSubtract}, -1);
}

} // namespace kg::ui
