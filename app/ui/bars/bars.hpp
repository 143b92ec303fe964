#pragma once
// The bar at the top (files, undo, way of computing) and the line at the bottom (values, messages).

#include "app/editor/document/document.hpp"
#include "app/window.hpp"

#include <functional>

namespace kg::ui {

/// What buttons and keys do alike and a document cannot do by itself.
struct Actions {
    std::function<void()> open, save, copy_command, fit, actual_size, toggle_theme, first_steps, toggle_lock,
        reset_layout;
    std::function<void(Workspace)> go_to;
};

/// What the bar and its View menu say of the window.
struct WindowState {
    bool dark = true, locked = true;
    Workspace workspace = Workspace::play;
    bool has_job = false; ///< in Batch: something that a command can do as well
    std::string inputs{}; ///< in Batch, in a few words
};

void draw_top_bar(Document& document, const Actions& actions, const WindowState& window);

/// The chip "CPU, direct, 12.3 ms" and the list of all ways behind it.
void draw_engine_chip(Document& document);
/// What it would like to have.
float engine_chip_width(const Document& document);

struct StatusInfo {
    bool picture = true; ///< there is one to speak of: not in Batch
    double zoom = 1;
    std::string badge, badge_help; ///< how pictures get to the screen
    bool badge_warns = false;
};
void draw_status_bar(Document& document, const StatusInfo& info);

} // namespace kg::ui
