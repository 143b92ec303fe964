#pragma once
// The Explain workspace: a lesson at the left, its image in the middle, and the panel that the page is about
// at the right.

#include "app/editor/document/document.hpp"
#include "app/editor/lesson/lesson.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/layout.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

class ExplainDesk {
public:
    /// `lesson`: the id of one of the program's, or the path of a file; empty = the first. Throws Error if it
    /// cannot be read.
    ExplainDesk(Document& document, ViewPanel& view, const std::string& lesson);

    /// Shows the current page. What the document holds is kept for leave().
    void enter();
    /// Brings back the images and the recipe of before.
    void leave();
    void go_to(std::size_t lesson, std::size_t page);

    /// The window's layout with wider columns.
    LayoutRects layout(LayoutRects window) const;
    /// Once per frame while it is shown: pins the page's pixel once its image is on the screen.
    void follow();
    /// The page, and below it the recipe, the border and the kernel to experiment with. `present` shows image
    /// and panel alone.
    void draw_lesson(std::span<const std::unique_ptr<Panel>> panels, const std::function<void()>& present);
    /// The buttons that turn pages, and the page's title: below the image while a lesson is presented.
    void draw_caption();
    void draw_panel(std::span<const std::unique_ptr<Panel>> panels);
    /// Width of the panel beside the image alone, in a window of this width.
    float panel_width(float window) const;
    /// The next page for 1, the one before for -1, across lessons.
    bool can_turn(int by) const { return page_after(by).has_value(); }
    void turn(int by);

    const Lesson& lesson() const { return all_[lesson_]; }
    std::size_t page() const { return page_; }
    const std::string& panel() const { return panel_; } ///< id of the panel at the right

private:
    /// What Play showed before.
    struct Before {
        std::vector<std::filesystem::path> paths;
        std::size_t place = 0;
        std::shared_ptr<const LoadedImage> image;
        std::string title;
        ViewState view;
    };
    /// Lesson and page that turn() goes to; empty if there is none.
    std::optional<std::pair<std::size_t, std::size_t>> page_after(int by) const;
    void set_up();
    void check_promise();
    void draw_choice(const std::function<void()>& present);
    void draw_page(float most);
    void draw_controls(std::span<const std::unique_ptr<Panel>> panels, float below);
    void draw_steps();

    Document& document_;
    ViewPanel& view_;
    std::vector<Lesson> all_;
    std::size_t lesson_ = 0, page_ = 0;
    std::string panel_ = "pixel";
    std::optional<Before> before_;             ///< set while the workspace is shown
    std::shared_ptr<const LoadedImage> image_; ///< the page's image; null once its pixel is pinned
    bool promises_ = false;                    ///< the page's `expect` has not been compared yet
    bool turned_ = false;                      ///< the page's text is to begin at its top
};

} // namespace kg::ui
