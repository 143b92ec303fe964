// Overlays on the image: labels, facts, messages.

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/view/chip_row.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg::ui {

namespace {

constexpr double kToastShown = 5, kToastFade = 0.12; ///< seconds
/// Seconds until a blocked presentation is tried again.
constexpr double kInFlight = 0.02;
constexpr int kGainStep = 4, kMostGain = 64;
constexpr double kComputingShown = 0.3; ///< seconds; a faster result shows no label

Rgb ink_of(Message::Kind kind) {
    switch (kind) {
    case Message::Kind::info: return look().theme.text;
    case Message::Kind::warning: return look().theme.warn;
    case Message::Kind::error: return look().theme.error;
    }
    return look().theme.text;
}

void tag(ImVec2 at, bool from_right, const std::string& text, Rgb ink) {
    const auto size = ImGui::CalcTextSize(text.c_str());
    const float pad = look().px(8), low = look().px(4);
    if (from_right) at.x -= size.x + 2 * pad;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + size.x + 2 * pad, at.y + size.y + 2 * low},
                        colour_u32(look().theme.panel, 0.85f), look().px(6));
    draw->AddText({at.x + pad, at.y + low}, colour_u32(ink), text.c_str());
}

/// "38 %"; "under 1 %" instead of "0 %", "over 99 %" instead of "100 %" of an incomplete share.
std::string share_text(std::int64_t part, std::int64_t all) {
    const auto percent = std::lround(100.0 * static_cast<double>(part) / static_cast<double>(all));
    if (percent == 100 && part < all) return "over 99 %";
    return percent > 0 ? std::to_string(percent) + " %" : "under 1 %";
}

/// "Preview 1:6": every sixth pixel of every sixth row. "Preview, 12 % done": all pixels of a region.
std::string preview_text(const Result& result) {
    const auto& [every, region, changed] = *result.preview;
    const auto& size = result.job.request.size;
    if (every > 1) return "Preview 1:" + std::to_string(every);
    return "Preview, " + share_text(region.width * region.height, size.width * size.height) + " done";
}

/// The page of a file with several; a click shows the next one, and after the last the first.
void draw_page_chip(ChipRow& row, Document& document) {
    const auto& image = *document.result()->job.image;
    if (image.pages < 2) return;
    const bool last = image.page == image.pages;
    if (row.place("page",
                  "Page " + std::to_string(image.page) + " of " + std::to_string(image.pages) + " \xC2\xB7 " +
                      (last ? "First" : "Next"),
                  Tone::plain,
                  "The file has several pages. Click for another one (File > Page, Ctrl+Page Down and Up)",
                  true))
        document.show_page(last ? 1 : image.page + 1);
}

/// Size and format of the image, and what its file holds.
void draw_facts_chip(ChipRow& row, const Result& result) {
    const auto facts = facts_text(*result.job.image);
    std::string losses;
    for (const auto& note : result.job.image->notes)
        if (is_loss_note(note)) losses += "\n" + note;
    row.place("facts", facts, Tone::plain, facts + losses, false);
}

/// What the result is not: a preview is not the whole, and a damaged file is not the image.
void draw_result_chips(ChipRow& row, const Result& result) {
    if (result.preview)
        row.place("preview", preview_text(result), Tone::plain,
                  "Exact pixels of a result that takes longer than a frame; the rest follows. Hatched areas "
                  "are not computed yet; samples for a GPU come from the CPU. Times and counts refer to "
                  "whole results, and files are always computed in full",
                  false);
    if (const auto& damage = result.job.image->damage; !damage.empty())
        row.place("damage", damage, Tone::warning, damage.c_str(), false);
}

/// Offers the batch's file of this image.
void draw_made_chip(ChipRow& row, Document& document) {
    const auto& film = document.film();
    const auto* made = document.film_place() < film.size() ? &film[document.film_place()] : nullptr;
    if (!made || made->made.empty()) return;
    const auto tooltip = (made->made_with == document.recipe()
                              ? "The image shown is computed again by the batch's recipe. Click to open the "
                                "file that it wrote: "
                              : "The batch made a file of this image. Click to open it: ") +
                         safe_name(made->made);
    if (row.place("made", "Made by the batch \xC2\xB7 Open the file", Tone::plain, tooltip.c_str(), true))
        document.open_made();
}

/// Offers to divide a kernel that was just pasted by its sum, without which it changes the brightness.
void draw_pasted_chip(ChipRow& row, Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage || stage->kernels.size() != 1 || !document.history().undo_name().starts_with("Paste a "))
        return;
    const auto& kernel = stage->kernels.front();
    const double sum = std::fabs(weight_sum(kernel)), gain = sum / static_cast<double>(kernel.divisor);
    constexpr double kNone = 1e-6, kSame = 1e-3;
    if (sum < kNone || std::fabs(gain - 1) < kSame) return;
    if (row.place("pasted", "Brightness \xC3\x97 " + short_number(gain, 3) + " \xC2\xB7 Divisor = |sum|",
                  Tone::warning,
                  "The weights of the pasted kernel sum to " + short_number(weight_sum(kernel)) +
                      ". Click to divide by the sum, so that the mean brightness stays",
                  true))
        document.set_kernel(with_sum_divisor(kernel), Gesture::whole, "Divide by the sum");
}

/// A and B differ, but by less than the screen shows at this gain.
bool is_unseen(Document& document) {
    constexpr double kSeen = 32.0 / 255;
    const auto measured = document.comparison().difference();
    return measured.latest && measured.current && measured.latest->largest > 0 &&
           measured.latest->largest * document.view.gain < kSeen && document.view.gain < kMostGain;
}

/// The next larger gain, or the least of them that shows the difference; 1 after the largest.
void raise_gain(Document& document) {
    auto& gain = document.view.gain;
    gain = gain < kMostGain ? gain * kGainStep : 1;
    while (is_unseen(document)) gain *= kGainStep;
}

/// What the image does to negative results, and a click that clamps them.
void draw_sign_chip(ChipRow& row, Document& document) {
    const auto sign = document.result()->job.request.sign;
    const bool half = sign == SignedMode::half;
    if (document.view.show_original || (!half && sign != SignedMode::absolute)) return;
    const std::string what = half ? "Negative values around grey" : "Negative values as positive";
    if (row.place(
            "sign", what + "  " + icon::kClose, Tone::plain,
            std::string(half ? "One half of full scale is added to every result, so that 0 is middle grey"
                             : "The absolute value of every result is shown") +
                " (Output: Signed). Click to clamp negative results to 0 instead",
            true))
        document.change([](Recipe& recipe) { recipe.sign = SignedMode::clamp; });
}

/// A file with a recipe is itself a result.
const char* original_text(const Document& document) {
    return document.image_recipe() ? "As in the file" : "Original";
}

} // namespace

/// Reports that the original stays shown, and ends that.
void ViewPanel::draw_original_chip(Document& document, ImVec2 corner) {
    if (!document.result() || !document.view.original_stays) return;
    ImGui::SetCursorScreenPos({corner.x + look().px(8), corner.y + look().px(8)});
    if (chip("original stays", std::string(original_text(document)) + "  " + icon::kClose, Tone::warning,
             "The image is shown without the recipe. Click, or tap O, to show the result again", true))
        document.view.original_stays = document.view.show_original = false;
}

void ViewPanel::draw_overlay(const Document& document, ImVec2 corner, ImVec2 size,
                             float to_framebuffer) const {
    const auto& result = document.result();
    if (!result) return;
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    const float inset = look().px(8);
    ScopedText small(TextStyle::secondary);
    const bool original = document.view.show_original;
    if (original && !document.view.original_stays)
        tag({corner.x + inset, corner.y + inset}, false, original_text(document), theme.text);
    if (ImGui::GetTime() - computing_since_ > kComputingShown)
        tag({corner.x + size.x - inset, corner.y + inset + look().px(32)}, true, "Computing...", theme.text);
    if (document.view.mode == ViewState::Mode::split && !original) { // a handle shows that it can be dragged
        const float x = corner.x + static_cast<float>(document.view.divider) * size.x,
                    y = corner.y + size.y / 2;
        draw->AddCircleFilled({x, y}, look().px(9), colour_u32(theme.panel, 0.9f));
        draw->AddCircle({x, y}, look().px(9), colour_u32(theme.text), 0, look().px(1.5f));
        for (const float side : {-1.0f, 1.0f})
            draw->AddLine({x + side * look().px(2.5f), y - look().px(4)},
                          {x + side * look().px(2.5f), y + look().px(4)}, colour_u32(theme.text),
                          look().px(1.5f));
    }
    draw_figure(document, corner, to_framebuffer);
    const auto& marked = pinned_ ? pinned_ : cursor_;
    if (marked)
        draw_pixel_mark(document, corner, to_framebuffer, *marked, pinned_ ? theme.accent : theme.text);
}

void ViewPanel::draw_pixel_mark(const Document& document, ImVec2 corner, float to_framebuffer, Pixel pixel,
                                Rgb ink) const {
    auto* draw = ImGui::GetWindowDrawList();
    const auto zoom = static_cast<float>(transform_.zoom) / to_framebuffer;
    const float grow = std::max(0.0f, look().px(4) - zoom / 2), side = zoom + 2 * grow;
    const bool both = document.view.mode == ViewState::Mode::side;
    for (int half = 0; half < (both ? 2 : 1); ++half) {
        const auto at = on_screen(pixel, half == 1, corner, to_framebuffer);
        const ImVec2 low{at.x - grow, at.y - grow};
        draw->AddRect({low.x - 1, low.y - 1}, {low.x + side + 1, low.y + side + 1},
                      colour_u32(look().theme.ink));
        draw->AddRect(low, {low.x + side, low.y + side}, colour_u32(ink));
    }
}

/// At the lower left, wrapping upwards where the width is too small for all of them.
void ViewPanel::draw_chips(Document& document, ImVec2 corner, ImVec2 size, bool presented) {
    if (!document.result()) return;
    ChipRow row(corner, size);
    if (!presented) draw_facts_chip(row, *document.result());
    draw_result_chips(row, *document.result());
    draw_page_chip(row, document);
    if (document.lost_its_sign()) {
        const auto* clipping = document.clipping();
        if (row.place("signed",
                      share_text(clipping->below, clipping->pixels) + " below 0 \xC2\xB7 Show signed",
                      Tone::warning,
                      "Numbers below 0 became 0. Click to add one half, so that 0 is middle grey "
                      "(Output: Signed, Half)",
                      true))
            document.change([](Recipe& recipe) { recipe.sign = SignedMode::half; });
    }
    draw_sign_chip(row, document);
    draw_pasted_chip(row, document);
    if (const auto steps = document.shown_steps();
        !steps.empty() && row.place("steps", steps + "  " + icon::kClose, Tone::plain,
                                    "The result ends at the selected step. Click to show all steps; files "
                                    "are always of all steps",
                                    true))
        document.show_to_selected(false);
    draw_view_chips(row, settings_, padding(document));
    if (document.view.mode == ViewState::Mode::difference && !document.view.show_original) {
        const bool unseen = is_unseen(document);
        if (row.place("gain",
                      "Difference \xC3\x97 " + std::to_string(document.view.gain) +
                          (unseen ? " \xC2\xB7 too small to see" : ""),
                      unseen ? Tone::warning : Tone::plain,
                      "Difference of A and B, magnified. Click for a larger factor; view only, never saved",
                      true))
            raise_gain(document);
        draw_difference_chip(row, settings_);
        draw_difference_numbers(row, document);
    }
    draw_made_chip(row, document);
    if (document.file.changed() &&
        row.place("changed", "Changed on disk \xC2\xB7 Reload", Tone::warning,
                  "Another program has written this file. Click to read it again (F5); the recipe stays",
                  true))
        document.show(document.film_place());
    if (const auto& failure = document.failure())
        row.place("failure", capitalised(failure->what()), Tone::error, capitalised(failure->what()), false);
}

void ViewPanel::draw_toast(const Document& document, ImVec2 corner, ImVec2 size) {
    const auto& messages = document.messages();
    if (!messages_seen_) messages_seen_ = messages.size();
    const double now = ImGui::GetTime();
    if (messages.size() > *messages_seen_) toast_until_ = now + kToastShown;
    messages_seen_ = messages.size();
    if (!messages.empty() && messages.back().kind != Message::Kind::info && document.is_last_message_past())
        toast_until_ = now; // an edit has answered it
    const double left = toast_until_ - now;
    if (left <= 0) return;
    const auto& theme = look().theme;
    const auto& last = messages.back();
    const float inset = look().px(12), pad = look().px(12);
    const float wrap = std::max(1.0f, size.x - 2 * inset - 2 * pad);
    const ImVec2 words = ImGui::CalcTextSize(last.text.c_str(), nullptr, false, wrap);
    const ImVec2 low{std::floor(corner.x + (size.x - words.x) / 2 - pad), corner.y + look().px(44)};
    const auto alpha = static_cast<float>(std::min(1.0, left / kToastFade));
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, {low.x + words.x + 2 * pad, low.y + words.y + pad},
                        colour_u32(theme.field, alpha), look().px(6));
    draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {low.x + pad, low.y + pad / 2},
                  colour_u32(ink_of(last.kind), alpha), last.text.c_str(), nullptr, wrap);
}

double ViewPanel::next_change(const Document& document) const {
    const double now = ImGui::GetTime();
    double next = std::numeric_limits<double>::infinity();
    if (const double sign = computing_since_ + kComputingShown - now; document.filtering() && sign > 0)
        next = sign;
    if (!settled()) next = std::min(next, kInFlight);
    next = std::min(next, document.pixel.crawl.seconds_left(now));
    if (const double left = toast_until_ - now; left > 0)
        next = std::min(next, std::max(0.0, left - kToastFade));
    return next;
}

} // namespace kg::ui
