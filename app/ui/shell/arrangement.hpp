#pragma once
// Where the panels are: in the two fixed columns, or where a person has put them. Unlocked, every panel is a window with
// a title bar that can be moved, resized and docked; locked again, they stay there without title bars.

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
    /// False while everything is in its first place.
    bool is_own() const { return own_; }
    void toggle_lock();
    void reset();
    /// From an earlier start: the places themselves are in ImGui's ini file.
    void restore(bool own) { own_ = own; }

    /// Of the panels that share the right column, shows this one.
    void bring_to_front(std::string_view panel) { front_ = panel, raise_ = true; }
    const std::string& front() const { return front_; }

    /// The names of ImGui's windows that the panels are in, from the picture outwards.
    std::vector<std::string> windows(std::span<const std::unique_ptr<Panel>> panels) const;

    /// Draws the panels. Returns what is left between them for the view bar, the picture and the film, in `layout`.
    LayoutRects draw(Document& document, std::span<const std::unique_ptr<Panel>> panels, LayoutRects layout);

private:
    void draw_columns(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                      const LayoutRects& layout);
    LayoutRects draw_docked(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                            LayoutRects layout);
    void build(ImGuiID space, std::span<const std::unique_ptr<Panel>> panels, const LayoutRects& layout);

    std::string front_ = "presets"; ///< the right column's open tab: at first something to click on
    bool raise_ = true;             ///< front_ is not open yet
    bool locked_ = true, own_ = false, fresh_ = false; ///< fresh_: to be built anew
};

} // namespace kg::ui
