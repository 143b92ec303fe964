#pragma once
// The image and the bar above it: result, original, or both; zoom, pan, divider, and the pixel under the
// cursor. Mouse and keys are handled in view_input.cpp, overlays in view_overlay.cpp, view_values.cpp and
// view_figure.cpp, A and B in view_sides.cpp.

#include "app/editor/document/document.hpp"
#include "app/editor/lesson/figure.hpp"
#include "app/ui/view/view_settings.hpp"
#include "app/ui/widgets/layout.hpp"
#include "display/display_image.hpp"
#include "display/draw_timer.hpp"
#include "display/pass/image_pass.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kg::ui {

class ViewPanel {
public:
    /// `wake` as in DisplayOptions; `timer` times the drawing of images. Throws what the image pass throws.
    ViewPanel(std::shared_ptr<display::DisplayRoute> route, std::function<void()> wake,
              display::DrawTimer& timer);

    /// Presents a result (Document::Setup::present), with its original where that is another image.
    void present(const std::shared_ptr<const Result>& result);
    /// Once per frame, before anything is drawn: reports to the document what has arrived on the screen, and
    /// its times. True if this frame is the first to show another result.
    bool poll(Document& document);

    /// `covered` of its width at the right is reserved for something else.
    void draw_bar(Document& document, float covered);
    /// Fills the current region. `covered` of its width at the right lies below another region. In a
    /// presentation the chip with the image's facts is left out: it would cover pixels that are explained.
    void draw_image(Document& document, float covered, bool presented);
    /// Marks the messages so far as seen: they need no toast.
    void mark_seen(const Document& document) { messages_seen_ = document.messages().size(); }
    /// Shows the newest message over the current window at this position, for some seconds.
    void draw_toast(const Document& document, ImVec2 corner, ImVec2 size);
    bool shows_toast() const { return toast_until_ > ImGui::GetTime(); }

    void fit() { fit_ = true; }
    /// Half a view is another shape than the whole: the images fit in it when they come side by side.
    void show_mode(Document& document, ViewState::Mode mode);
    void actual_size();
    /// Pins a pixel of the next image that is shown; a pixel outside it becomes a message.
    void pin(std::pair<std::int64_t, std::int64_t> pixel) { wanted_pin_ = pixel; }
    void unpin() { pinned_.reset(), cursor_.reset(); }
    /// Draws a lesson's figure over the image, around the pinned pixel; empty = none.
    void show_figure(std::optional<LessonFigure> figure) { figure_ = figure; }
    /// The figure at the pinned pixel; empty without a figure, a pin inside the image, or a result.
    std::optional<FigureAtPixel> figure(const Document& document) const;
    const auto& pinned() const { return pinned_; }
    bool is_fit() const { return fit_; }
    double zoom() const { return transform_.zoom; }
    /// Stamp of the result whose pixels are shown.
    std::uint64_t shown_stamp() const { return result_.shown().serial; }
    /// True where the original on the screen is the source of this result.
    bool has_original_of(const Result& result) const;
    /// No newer image is in flight to the screen.
    bool settled() const { return !original_.busy() && !result_.busy() && sides_settled(); }
    /// Seconds until an overlay appears or disappears by itself, or a presentation in flight may proceed;
    /// else infinite.
    double next_change(const Document& document) const;
    display::Badge badge() const { return result_.badge(); }
    ViewSettings& settings() { return settings_; }

private:
    static display::PassImage pass_image(const display::DisplayImage& image);
    using Pixel = std::pair<std::int64_t, std::int64_t>;

    void pin_wanted(Document& document);
    void forget_in_flight();
    void not_shown(Document& document, const Error& why);
    void place(const Document& document, Extent view);
    void follow_profile(const Document& document);
    void react_to_mouse(Document& document, ImVec2 corner, float to_framebuffer);
    void react_to_keys(Document& document);
    void crawl(Document& document);
    void follow_pixel(Document& document);
    void update_focus(Document& document) const;
    void bring_into_view(Pixel pixel);
    std::optional<Pixel> inside(Pixel pixel) const;
    void draw_overlay(const Document& document, ImVec2 corner, ImVec2 size, float to_framebuffer) const;
    void draw_pixel_mark(const Document& document, ImVec2 corner, float to_framebuffer, Pixel pixel,
                         Rgb ink) const;
    void draw_values(Document& document, ImVec2 corner, float to_framebuffer) const;
    void draw_taps(const Document& document, ImVec2 corner, float to_framebuffer) const;
    void draw_figure(const Document& document, ImVec2 corner, float to_framebuffer) const;
    void draw_division(bool right_half, ImVec2 corner, float to_framebuffer, ImVec2 end) const;
    Rect visible(double left, double rim) const;
    ImVec2 on_screen(Pixel pixel, bool right_half, ImVec2 corner, float to_framebuffer) const;
    void draw_chips(Document& document, ImVec2 corner, ImVec2 size, bool presented);
    void poll_sides(Document& document);
    bool sides_settled() const;
    display::PassImage side_image(Document& document, std::size_t side, const display::PassImage& original,
                                  const display::PassImage& result) const;
    void draw_source_list(Document& document, std::size_t side);
    void draw_source_chips(Document& document, ImVec2 corner, ImVec2 size);
    static void draw_original_chip(Document& document, ImVec2 corner);
    void draw_difference_numbers(ChipRow& row, Document& document) const;
    display::PassPadding padding(const Document& document) const;
    display::PassSettings pass_settings(const Document& document) const;
    display::Point in_part(const Document& document, display::Point cursor) const;

    std::shared_ptr<display::DisplayRoute> route_;
    std::function<void()> wake_;
    display::DisplayImage original_, result_;
    /// What A or B show beside original and result.
    struct Side {
        std::optional<display::DisplayImage> image;
        std::shared_ptr<const Result> sent;
        std::uint64_t serial = 0; ///< serial number of `sent`
        std::string failure;      ///< why `sent` could not be presented
    };
    std::array<Side, 2> sides_;
    ViewSettings settings_;
    display::ImagePass pass_;
    display::DrawTimer& timer_;
    struct Original {
        std::shared_ptr<const LoadedImage> image;
        std::uint64_t serial = 0;
    };
    Original sent_, there_; ///< in flight; on the screen
    std::uint64_t originals_ = 0;
    std::weak_ptr<const LoadedImage> profiled_; ///< the image that lut_ is of
    std::shared_ptr<const display::ColourLut> lut_;

    /// What the drawing time depends on.
    struct DrawnAs {
        Extent view;
        display::PassMode mode = display::PassMode::result;
        double zoom = 1;
        bool operator==(const DrawnAs&) const = default;
    };
    display::ViewTransform transform_;
    Extent view_, part_, image_; ///< part_: area of the view for one image
    std::optional<DrawnAs> drawn_as_;
    bool arrived_ = false; ///< this frame is the first to show its result
    bool fit_ = true;
    bool dragging_divider_ = false;
    std::optional<Pixel> pinned_, hovered_, cursor_; ///< cursor_: pixel cursor of the arrow keys
    std::optional<Pixel> wanted_pin_;
    std::optional<LessonFigure> figure_;
    double computing_since_ = 0, toast_until_ = 0; ///< ImGui's clock
    std::optional<std::size_t> messages_seen_;     ///< messages from before the window are not news
};

} // namespace kg::ui
