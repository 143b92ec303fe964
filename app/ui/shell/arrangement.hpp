#pragma once
// Placement of the panels: in the two fixed columns, or moved by the person. Unlocked, every panel is a
// window with a title bar that can be moved, resized and docked; locked again, panels stay there without
// title bars.

#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/layout.hpp"

#include <imgui.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg::ui {

class Arrangement {
public:
    bool locked() const { return locked_; }
    /// False while the layout is the default.
    bool is_own() const { return own_; }
    void toggle_lock();
    void reset();
    /// Restores the state of an earlier start; the positions themselves are in ImGui's ini file.
    void restore(bool own) { own_ = own; }

    /// Selects a panel's tab in the right column.
    void bring_to_front(std::string_view panel) { front_ = panel, raise_ = true; }
    const std::string& front() const { return front_; }

    /// Names of the ImGui windows that hold the panels, from the image outwards.
    std::vector<std::string> windows(std::span<const std::unique_ptr<Panel>> panels) const;

    /// Draws the panels. Returns `layout` with the remaining space for the view bar, the image and the film
    /// strip.
    LayoutRects draw(Document& document, std::span<const std::unique_ptr<Panel>> panels, LayoutRects layout);

private:
    void draw_columns(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                      const LayoutRects& layout);
    void draw_tabs(Document& document, std::span<const std::unique_ptr<Panel>> panels);
    LayoutRects draw_docked(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                            LayoutRects layout);
    void build(ImGuiID space, std::span<const std::unique_ptr<Panel>> panels, const LayoutRects& layout);

    std::string front_ = "presets";                    ///< the right column's open tab
    bool raise_ = true;                                ///< front_ is not open yet
    bool locked_ = true, own_ = false, fresh_ = false; ///< fresh_: rebuild the layout
};

} // namespace kg::ui
