#pragma once
// The bar at the top (files, undo, algorithm) and the bar at the bottom (values, messages).

#include "app/editor/document/document.hpp"
#include "app/window.hpp"

#include <functional>

namespace kg::ui {

/// Actions shared by buttons and keys that need more than a document.
struct Actions {
    std::function<void()> open, save, copy_command, fit, actual_size, toggle_theme, first_steps, toggle_lock,
        reset_layout;
    std::function<void(Workspace)> go_to;
};

/// State of the window shown by the bar and its View menu.
struct WindowState {
    bool dark = true, locked = true;
    Workspace workspace = Workspace::play;
    bool has_job = false;    ///< in Batch: there is a job that a command can run
    std::string inputs{};    ///< in Batch: a short description
    std::string measuring{}; ///< "Measuring 3 of 18"; empty while no benchmark is running
};

void draw_top_bar(Document& document, const Actions& actions, const WindowState& window);

/// The chip "CPU, direct, 12.3 ms" and the list of all algorithms behind it; while a benchmark is running the
/// chip `measuring`, which leads to it.
void draw_engine_chip(Document& document, const Actions& actions, const std::string& measuring);
/// Preferred width.
float engine_chip_width(const Document& document, const std::string& measuring);

struct StatusInfo {
    bool image = true; ///< an image is shown: not in Batch
    double zoom = 1;
    std::string badge, badge_help; ///< the presentation path
    bool badge_warns = false;
};
void draw_status_bar(Document& document, const StatusInfo& info);

} // namespace kg::ui
