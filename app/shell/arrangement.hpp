#pragma once
// Where the panels are: in the two fixed columns, or where a person has put them. Unlocked, every panel is a window with
// a title bar that can be moved, resized and docked; locked again, they stay there without title bars.

#include "app/document/document.hpp"
#include "app/panels/panel.hpp"
#include "app/shell/layout.hpp"

#include <imgui.h>

#include <memory>
#include <span>

namespace kg::ui {

class Arrangement {
public:
    bool locked() const { return locked_; }
    /// False while everything is in its first place.
    bool is_own() const { return own_; }
    void toggle_lock();
    void reset();
    /// From an earlier start: the places themselves are in ImGui's ini file.
    void restore(bool own) { own_ = own; }

    /// Draws the panels. Returns what is left between them for the view bar, the picture and the film, in `layout`.
    LayoutRects draw(Document& document, std::span<const std::unique_ptr<Panel>> panels, LayoutRects layout);

private:
    LayoutRects draw_docked(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                            LayoutRects layout);
    void build(ImGuiID space, std::span<const std::unique_ptr<Panel>> panels, const LayoutRects& layout);

    bool locked_ = true, own_ = false, fresh_ = false; ///< fresh_: to be built anew
};

} // namespace kg::ui
