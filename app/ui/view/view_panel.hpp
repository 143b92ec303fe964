#pragma once
// The picture and the bar above it: result, original, or both; zoom, pan, divider, and the pixel under the cursor.
// What the mouse and the keys do is in view_input.cpp, what is written over the picture in view_overlay.cpp.

#include "app/editor/document/document.hpp"
#include "app/ui/widgets/layout.hpp"
#include "display/display_pair.hpp"
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

    /// Sends a result on its way to the screen (Document::Setup::present), with its original where that is another one.
    void present(const std::shared_ptr<const Result>& result);
    /// Once per frame, before anything is drawn: tells the document what has arrived on the screen, and how long it
    /// took. True if this frame is the first to show another result.
    bool poll(Document& document);

    /// At its right, `covered` of its width is for something else.
    void draw_bar(Document& document, float covered);
    /// Fills the current region. At its right, `covered` of its width lies below another one.
    void draw_picture(Document& document, float covered);
    /// The newest message, over what the current window has in this place, for some seconds.
    /// What has been said by now needs no toast.
    void pass_over(const Document& document) { messages_seen_ = document.messages().size(); }
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
    std::uint64_t shown_stamp() const { return pictures_.result().shown().serial; }
    /// The original that is shown is the one that this result was made of.
    bool has_original_of(const Result& result) const;
    /// What is on the screen arrived, and nothing newer is coming.
    bool settled() const { return !pictures_.busy(); }
    /// Seconds until a sign over the picture comes or goes by itself, or a result on its way may go on; else infinite.
    double next_change(const Document& document) const;
    display::Badge badge() const { return pictures_.result().badge(); }

private:
    using Pixel = std::pair<std::int64_t, std::int64_t>;

    void pin_wanted(Document& document);
    void take_back();
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
    display::DisplayPair pictures_;
    display::ImagePass pass_;
    display::DrawTimer& timer_;
    struct Original {
        std::shared_ptr<const Picture> picture;
        std::uint64_t serial = 0;
    };
    Original sent_, there_; ///< the one on its way, the one on the screen
    std::uint64_t originals_ = 0;

    /// What drawing costs depends on it.
    struct DrawnAs {
        Extent view;
        display::PassMode mode = display::PassMode::result;
        double zoom = 1;
        bool operator==(const DrawnAs&) const = default;
    };
    display::ViewTransform transform_;
    Extent view_, part_, picture_; ///< part_: of the view, what one picture has
    std::optional<DrawnAs> drawn_as_;
    bool arrived_ = false; ///< this frame is the first to show its result
    bool fit_ = true;
    bool dragging_divider_ = false;
    std::optional<Pixel> pinned_, hovered_, cursor_; ///< cursor_: where the arrow keys are
    std::optional<Pixel> wanted_pin_;
    double computing_since_ = 0, toast_until_ = 0; ///< ImGui's clock
    std::optional<std::size_t> messages_seen_;     ///< what was said before the window was there is no news
};

} // namespace kg::ui
