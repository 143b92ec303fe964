#include "app/ui/view/view_panel.hpp"

#include "app/io/metadata/colour.hpp"
#include "app/ui/view/pass_image.hpp"
#include "app/ui/widgets/look.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/thread.hpp"
#include "display/pass/colour_lut.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>

namespace kg::ui {

namespace {

constexpr const char* kModes[] = {"Result", "Split", "Side", "Difference"};
constexpr const char *kFit = "Fit", *kActual = "100 %";

display::PassColour pass_colour(Rgb c) {
    return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
}

display::PassMode pass_mode(const ViewState& view) {
    if (view.show_original && view.mode != ViewState::Mode::side) return display::PassMode::result;
    switch (view.mode) {
    case ViewState::Mode::result: return display::PassMode::result;
    case ViewState::Mode::split: return display::PassMode::split;
    case ViewState::Mode::side: return display::PassMode::side;
    case ViewState::Mode::difference: return display::PassMode::difference;
    }
    return display::PassMode::result;
}

/// Segmented buttons, or a combo box where their texts do not fit. True when `mode` changed; -1 is none of
/// them, while the original stays.
bool choose_mode(int& mode, float width) {
    constexpr const char* kHelp = "The result alone, A and B with a divider or side by side, or their "
                                  "difference. The labels on the image choose A and B";
    float needed = 0;
    for (const auto* words : kModes) needed += ImGui::CalcTextSize(words).x + look().px(8);
    if (width >= needed) return choice("mode", kModes, mode, kHelp, width);
    ImGui::SetNextItemWidth(std::max(width, look().px(28)));
    if (!ImGui::BeginCombo("##mode", mode < 0 ? "Original" : kModes[mode])) {
        help(kHelp);
        return false;
    }
    const int before = mode;
    for (int i = 0; i < static_cast<int>(std::size(kModes)); ++i)
        if (ImGui::Selectable(kModes[i], i == mode)) mode = i;
    ImGui::EndCombo();
    return mode != before;
}

/// The focus ring of the image, inside it: around it, it would be covered by the other regions.
void draw_focus(ImGuiID pixels, ImVec2 corner, ImVec2 size) {
    ImRect box{corner, {corner.x + size.x, corner.y + size.y}};
    box.Expand(-look().px(1));
    ImGui::RenderNavCursor(box, pixels, ImGuiNavRenderCursorFlags_Compact, 0);
}

} // namespace

ViewPanel::ViewPanel(std::shared_ptr<display::DisplayRoute> route, std::function<void()> wake,
                     display::DrawTimer& timer)
    : route_(std::move(route)), wake_(std::move(wake)), original_(route_, {wake_, 0}),
      result_(route_, {wake_, 0}), timer_(timer) {}

display::PassImage ViewPanel::pass_image(const display::DisplayImage& image) {
    const auto shown = image.shown();
    return {image.texture(), shown.serial, shown.size, shown.texture_size, shown.reduction, shown.format};
}

void ViewPanel::present(const std::shared_ptr<const Result>& result) {
    const auto& job = result->job;
    display::Frame frame{result->home, result->pixels, result->ready, result->stamp};
    if (const auto& preview = result->preview) {
        frame.changed = preview->changed;
        frame.every = preview->every;
        frame.size = job.request.size;
    }
    std::optional<display::Frame> original;
    if (sent_.image != job.image) {
        sent_ = {job.image, ++originals_};
        original = display::Frame{result->home, result->source, result->ready, sent_.serial};
    }
    try {
        display::present_together(original_, result_, std::move(frame), std::move(original));
    } catch (...) {
        forget_in_flight();
        throw;
    }
}

/// Forgets an original in flight that will not arrive.
void ViewPanel::forget_in_flight() {
    sent_ = original_.shown().serial == there_.serial ? there_ : Original{};
}

bool ViewPanel::has_original_of(const Result& result) const {
    return there_.image == result.job.image && original_.shown().serial == there_.serial;
}

bool ViewPanel::poll(Document& document) {
    auto &image = result_, &original = original_;
    arrived_ = false;
    if (!document.filtering()) computing_since_ = ImGui::GetTime();
    try {
        arrived_ = display::poll_together(original, image);
        if (original.shown().serial == sent_.serial) there_ = sent_;
        if (arrived_) // a frame's serial is its result's stamp
            document.shown(image.shown().serial,
                           image.is_interop() ? PresentationPath::interop : PresentationPath::host);
    } catch (const std::bad_alloc&) {
        not_shown(document, {"out-of-memory", "There is not enough memory to show this image."});
    } catch (const std::exception& error) { // the old image stays on the screen
        not_shown(document, as_error(error));
    }
    if (const auto news = route_->take_news()) document.report(Message::Kind::warning, *news);
    auto& timings = document.timings();
    while (const auto times = image.take_times()) {
        timings.add(TimingRow::presentation, times->serial, times->device_us);
        timings.add(TimingRow::submit, times->serial, times->submit_us);
    }
    while (const auto time = image.take_gl_time())
        timings.add(TimingRow::presentation_gl, time->serial, time->microseconds);
    while (original.take_times() || original.take_gl_time()) {
    } // originals have no timing row
    if (const auto& result = document.result(); result && result->job.request.size != image_) {
        image_ = result->job.request.size; // another image: discard the view of the old one
        fit_ = true;
        pinned_.reset();
        cursor_.reset();
        document.point_nowhere();
    }
    if (image_.width > 0 && wanted_pin_) pin_wanted(document);
    poll_sides(document);
    return arrived_;
}

void ViewPanel::not_shown(Document& document, const Error& why) {
    forget_in_flight();
    document.not_shown(why);
}

void ViewPanel::pin_wanted(Document& document) {
    pinned_ = inside(*wanted_pin_);
    if (!pinned_)
        document.report(Message::Kind::warning,
                        Error("outside-image", "There is no pixel {},{} in this image, which is {}x{}",
                              wanted_pin_->first, wanted_pin_->second, image_.width, image_.height));
    wanted_pin_.reset();
}

void ViewPanel::actual_size() {
    if (part_.width <= 0) return;
    const display::Point middle{static_cast<double>(part_.width) / 2, static_cast<double>(part_.height) / 2};
    transform_ = display::ViewTransform::actual(transform_.to_image(middle), part_).snapped();
    fit_ = false;
}

display::Point ViewPanel::in_part(const Document& document, display::Point cursor) const {
    const auto half_columns = view_.width / 2;
    const auto half = static_cast<double>(half_columns);
    if (document.view.mode == ViewState::Mode::side && cursor.x >= half) cursor.x -= half;
    return cursor;
}

void ViewPanel::place(const Document& document, Extent view) {
    const bool side = document.view.mode == ViewState::Mode::side;
    const Extent part = side ? Extent{view.width / 2, view.height} : view;
    if (const auto around = padding(document); fit_) {
        const Extent all{image_.width + around.left + around.right, image_.height + around.up + around.down};
        transform_ = display::ViewTransform::fit(all, part);
        transform_ = transform_.panned(around.left * transform_.zoom, around.up * transform_.zoom);
    } else if (part != part_) {
        transform_ = transform_.resized(part_, part);
    }
    transform_ = transform_.kept_in_view(image_, part);
    view_ = view;
    part_ = part;
}

/// The pixels of the image right of column `left` of the view, and in `rim` columns and rows around it.
Rect ViewPanel::visible(double left, double rim) const {
    const auto low = transform_.to_image({left, -rim}),
               high = transform_.to_image(
                   {static_cast<double>(part_.width) + rim, static_cast<double>(part_.height) + rim});
    const auto x = static_cast<std::int64_t>(std::floor(low.x)),
               y = static_cast<std::int64_t>(std::floor(low.y));
    return intersect(whole(image_), {x, y, static_cast<std::int64_t>(std::ceil(high.x)) - x,
                                     static_cast<std::int64_t>(std::ceil(high.y)) - y});
}

/// Reports the visible region and the focused pixel to the document.
void ViewPanel::update_focus(Document& document) const {
    kg::Focus focus{image_, view_, {}, 0, 0, transform_.zoom};
    // Left of the divider is A: the result is needed there only if A shows it.
    const auto& view = document.view;
    const bool split = view.mode == ViewState::Mode::split &&
                       view.sources[0].kind != ViewSource::Kind::result;
    const double left = split ? document.view.divider * static_cast<double>(part_.width) : 0;
    // Not needed at 100 % and above: the rim of a finished region is not hatched.
    const double rim = transform_.zoom < 1 ? display::kPartRim : 0;
    focus.visible = visible(left - rim, rim);
    if (focus.visible.empty()) focus.visible = whole(image_);
    const auto& pixel = pinned_ ? pinned_ : cursor_ ? cursor_ : hovered_;
    focus.x = pixel ? pixel->first : focus.visible.x + focus.visible.width / 2;
    focus.y = pixel ? pixel->second : focus.visible.y + focus.visible.height / 2;
    document.focus_on(focus);
}

void ViewPanel::show_mode(Document& document, ViewState::Mode mode) {
    document.view.mode = mode;
    document.view.original_stays = document.view.show_original = false;
    fit_ = fit_ || mode == ViewState::Mode::side;
}

void ViewPanel::draw_bar(Document& document, float covered) {
    int mode = document.view.original_stays ? -1 : static_cast<int>(document.view.mode);
    const auto& style = ImGui::GetStyle();
    float others = covered + ImGui::GetFrameHeight() + 4 * style.ItemSpacing.x;
    for (const auto* words : {kFit, kActual, kViewSettings})
        others += ImGui::CalcTextSize(words).x + 2 * style.FramePadding.x;
    if (choose_mode(mode, std::min(look().px(340), ImGui::GetContentRegionAvail().x - others)))
        show_mode(document, static_cast<ViewState::Mode>(mode));
    ImGui::SameLine();
    if (button("fit", nullptr, kFit, "Show the whole image (Ctrl+0)")) fit();
    ImGui::SameLine();
    if (button("actual", nullptr, kActual, "One image pixel per screen pixel (Ctrl+1)")) actual_size();
    ImGui::SameLine();
    button("original", icon::kEye, {}, "Hold to see the original (O; a tap on the key keeps it)");
    if (ImGui::IsItemActive()) document.view.show_original = true;
    ImGui::SameLine();
    draw_view_settings(settings_);
}

/// What is drawn around the image: not where A is another image than the one that the first step reads.
display::PassPadding ViewPanel::padding(const Document& document) const {
    const auto& result = document.result();
    const auto& view = document.view;
    const bool alone = view.mode == ViewState::Mode::result || view.show_original;
    const bool has_source = alone || view.sources[0].kind == ViewSource::Kind::original;
    if (!settings_.outside || !result || !has_source) return {};
    if (view.mode == ViewState::Mode::difference && !view.show_original) return {};
    return padding_of(*result);
}

/// Linear light is that of sRGB already.
void ViewPanel::follow_profile(const Document& document) {
    const auto& result = document.result();
    if (!result || profiled_.lock() == result->job.image) return;
    const auto& image = *result->job.image;
    profiled_ = result->job.image;
    lut_.reset();
    if (image.pixels.format().linear) return;
    if (auto colours = srgb_lut(image, display::ColourLut::kSide); !colours.empty())
        lut_ = std::make_shared<const display::ColourLut>(display::ColourLut{std::move(colours)});
}

display::PassSettings ViewPanel::pass_settings(const Document& document) const {
    const auto& theme = look().theme;
    const auto& view = document.view;
    display::PassSettings settings;
    settings.mode = pass_mode(view);
    settings.view = transform_;
    settings.divider = view.show_original ? 1 : view.divider;
    settings.surround = pass_colour(theme.surround);
    settings.line = pass_colour(theme.text);
    settings.hatch = pass_colour(theme.disabled);
    settings.zebra_low = pass_colour(theme.data_a);
    settings.zebra_high = pass_colour(theme.data_b);
    settings.difference_gain = static_cast<float>(view.gain);
    settings.difference = settings_.difference;
    settings.view_only = settings_.colours;
    settings.lut = lut_;
    const auto& result = document.result();
    // The middle of the signed map is 0, which SignedMode::half moves to one half.
    const bool half = result && result->job.request.sign == SignedMode::half;
    if (settings.view_only.map == display::PassMap::diverging && !half) settings.view_only.map_low = -1;
    settings.padding = padding(document);
    if (result && result->preview)
        settings.pixel_grid = result->preview->every == 1; // a sample's square is not a pixel
    return settings;
}

void ViewPanel::draw_image(Document& document, float covered, bool presented) {
    const auto corner = ImGui::GetCursorScreenPos();
    const auto size = ImGui::GetContentRegionAvail();
    if (size.x < 1 || size.y < 1) return;
    const float to_framebuffer = ImGui::GetIO().DisplayFramebufferScale.x;
    place(document, {std::lround(size.x * to_framebuffer), std::lround(size.y * to_framebuffer)});

    follow_profile(document);
    const auto settings = pass_settings(document);
    const auto* shown = document.result().get();
    auto result = shown ? pass_image(result_) : display::PassImage{};
    if (shown && shown->preview) result.part = shown->preview->region;
    const auto original = shown && has_original_of(*shown) ? pass_image(original_) : display::PassImage{};
    const bool alone = settings.mode == display::PassMode::result || document.view.show_original;
    auto a = alone ? original : side_image(document, 0, original, result);
    auto b = document.view.show_original ? original : side_image(document, 1, original, result);
    // A difference needs both: until then the image is hatched.
    if (settings.mode == display::PassMode::difference) {
        constexpr Rect kNoPixels{-1, -1, 1, 1};
        if (a.texture == 0) b.part = kNoPixels;
        else if (b.texture == 0) a.part = kNoPixels;
    }
    if (const DrawnAs drawn_as{view_, settings.mode, transform_.zoom}; drawn_as_ != drawn_as) {
        if (drawn_as_) document.timings().view_changed(shown_stamp() + (arrived_ ? 0 : 1));
        drawn_as_ = drawn_as;
    }
    {
        const display::DrawTimer::Span drawing(timer_);
        pass_.draw(view_, a, b, settings);
    }
    add_pass_image(*ImGui::GetWindowDrawList(), pass_, corner, {corner.x + size.x, corner.y + size.y});

    ImGui::SetNextItemAllowOverlap();             // chips lie on it
    ImGui::PushStyleColor(ImGuiCol_NavCursor, 0); // draw_focus() draws it
    ImGui::InvisibleButton("pixels", size, ImGuiButtonFlags_EnableNav);
    ImGui::PopStyleColor();
    const auto pixels = ImGui::GetItemID();
    react_to_mouse(document, corner, to_framebuffer);
    if (ImGui::IsItemFocused()) react_to_keys(document);
    crawl(document);
    follow_pixel(document);
    update_focus(document);
    draw_values(document, corner, to_framebuffer);
    draw_taps(document, corner, to_framebuffer);
    draw_overlay(document, corner, size, to_framebuffer);
    const ImVec2 seen{size.x - covered, size.y};
    draw_focus(pixels, corner, seen);
    draw_source_chips(document, corner, seen);
    draw_original_chip(document, corner);
    draw_chips(document, corner, seen, presented);
    draw_toast(document, corner, seen);
}

} // namespace kg::ui
