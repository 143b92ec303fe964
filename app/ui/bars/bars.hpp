#pragma once
// The bar at the top (files, undo, algorithm) and the bar at the bottom (values, messages).

#include "app/editor/document/document.hpp"
#include "app/ui/actions/action.hpp"
#include "app/window.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace kg::ui {

/// State of the window shown by the top bar.
struct WindowState {
    Workspace workspace = Workspace::play;
    std::string inputs{};    ///< in Batch, Signal and Bank: a short description
    std::string running{};   ///< "Batch 34 of 300"; empty while none is running
    std::string measuring{}; ///< "Measuring 3 of 18"; empty while no benchmark is running
    std::span<const std::filesystem::path> recent_files{};
    std::function<void(const std::filesystem::path&)> open_recent{};
    std::string engine_notice{};             ///< a remark on the choice of the engine; may be empty
    std::string own_chip{}, own_chip_help{}; ///< in Signal and Bank (OwnDesk::chip)
};

void draw_top_bar(Document& document, const ActionTable& actions, const WindowState& window);

/// The chip "CPU, direct, 12.3 ms" and the list of all algorithms behind it; while a benchmark is running the
/// chip `measuring`, which leads to it. `notice` is a remark on the choice of the engine.
void draw_engine_chip(Document& document, const ActionTable& actions, const std::string& measuring,
                      const std::string& notice);
/// The text of a chip with engine, algorithm and time in `width`: without ", first runs", without the
/// algorithm, or the time alone; where that is not enough, with an ellipsis. `longest` is the text with the
/// longest time, by which it is chosen what is left out, so that it stays while the time changes.
std::string fitting_chip_text(const std::string& text, float width, const std::string& longest = {});
/// Preferred width.
float engine_chip_width(const Document& document, const std::string& measuring);

struct StatusInfo {
    bool image = true; ///< an image is shown: neither in Bench nor in Batch
    double zoom = 1;
    std::string badge, badge_help; ///< the presentation path
    bool badge_warns = false;
    bool opens_log = false; ///< as by a click on the message
};
void draw_status_bar(Document& document, const StatusInfo& info);

} // namespace kg::ui
