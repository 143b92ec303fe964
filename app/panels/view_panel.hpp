#pragma once
// The picture and the bar above it: result, original, or both; zoom, pan, divider, and the pixel under the cursor.
// What the mouse and the keys do is in view_input.cpp, what is written over the picture in view_overlay.cpp.

#include "app/document/document.hpp"
#include "app/shell/layout.hpp"
#include "display/display_image.hpp"
#include "display/draw_timer.hpp"
#include "display/image_pass.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kg::ui {

class ViewPanel {
public:
    /// `wake` as in DisplayOptions; what the pictures cost to draw is told to `timer`. Throws what the image pass throws.
    ViewPanel(std::shared_ptr<display::DisplayRoute> route, std::function<void()> wake,
              display::DrawTimer& timer);

    /// Sends a result on its way to the screen (Document::Setup::present).
    void present(const std::shared_ptr<const Result>& result);
    /// Once per frame, before anything is drawn: tells the document what has arrived on the screen, and how long it
    /// took. True if this frame is the first to show another result.
    bool poll(Document& document);

    void draw_bar(Document& document);
    /// Fills the current region. At its right, `covered` of its width lies below another one.
    void draw_picture(Document& document, float covered);
    /// The newest message, over what the current window has in this place, for some seconds.
    void draw_toast(const Document& document, ImVec2 corner, ImVec2 size);

    void fit() { fit_ = true; }
    void actual_size();
    /// From the next picture on that is shown; a pixel it does not have becomes a message.
    void pin(std::pair<std::int64_t, std::int64_t> pixel) { wanted_pin_ = pixel; }
    void unpin() { pinned_.reset(), cursor_.reset(); }
    const auto& pinned() const { return pinned_; }
    bool is_fit() const { return fit_; }
    double zoom() const { return transform_.zoom; }
    /// Of the result whose pixels are shown.
    std::uint64_t shown_stamp() const { return result_.shown().serial; }
    /// What is on the screen arrived, and nothing newer is coming.
    bool settled() const { return !result_.busy() && !original_.busy(); }
    /// Seconds until a sign over the picture comes or goes by itself, or a result on its way may go on; else infinite.
    double next_change(const Document& document) const;
    display::Badge badge() const { return result_.badge(); }

private:
    using Pixel = std::pair<std::int64_t, std::int64_t>;

    void pin_wanted(Document& document);
    void not_shown(Document& document, const std::string& why);
    void place(const Document& document, Extent view);
    void react_to_mouse(Document& document, ImVec2 corner, float to_framebuffer);
    void react_to_keys(Document& document);
    void follow_pixel(Document& document);
    void look_there(Document& document) const;
    void bring_into_view(Pixel pixel);
    std::optional<Pixel> inside(Pixel pixel) const;
    void draw_overlay(const Document& document, ImVec2 corner, ImVec2 size, float to_framebuffer) const;
    void draw_pixel_mark(const Document& document, ImVec2 corner, float to_framebuffer, Pixel pixel,
                         Rgb ink) const;
    void draw_chips(Document& document, ImVec2 corner, ImVec2 size) const;
    display::Point in_part(const Document& document, display::Point cursor) const;

    std::shared_ptr<display::DisplayRoute> route_;
    display::DisplayImage original_, result_;
    display::ImagePass pass_;
    display::DrawTimer& timer_;
    std::shared_ptr<const Picture> original_of_;
    std::uint64_t original_serial_ = 0;

    display::ViewTransform transform_;
    Extent view_, part_, picture_;                               ///< part_: of the view, what one picture has
    std::optional<std::pair<Extent, ViewState::Mode>> drawn_as_; ///< what drawing costs depends on it
    bool fit_ = true;
    bool dragging_divider_ = false;
    std::optional<Pixel> pinned_, hovered_, cursor_; ///< cursor_: where the arrow keys are
    std::optional<Pixel> wanted_pin_;
    double computing_since_ = 0, toast_until_ = 0; ///< ImGui's clock
    std::optional<std::size_t> messages_seen_;     ///< what was said before the window was there is no news
};

} // namespace kg::ui
