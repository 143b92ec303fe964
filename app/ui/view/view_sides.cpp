// A and B: their textures, and the chips that choose what they show.

#include "app/editor/comparison/comparison.hpp"
#include "app/ui/view/chip_row.hpp"
#include "app/ui/view/view_panel.hpp"
#include "core/support/capital.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <exception>

namespace kg::ui {

namespace {

/// Serials of sides never equal those of results and originals.
constexpr std::uint64_t kFirstSerial = std::uint64_t{1} << 40;

constexpr std::array kIds{"source a", "source b"}, kPopups{"sources a", "sources b"};

/// Text after the name of A or B while its image is not computed yet.
std::string pending_text(const Document& document, const std::optional<ReferenceProgress>& progress) {
    if (document.held()) return ": after the measurement";
    if (!progress || progress->seconds_left < Comparison::kAnnouncedSeconds) return ": computing...";
    return ": " + about_seconds(progress->seconds_left);
}

/// The share that is done, and how to stop.
std::string progress_text(const ReferenceProgress& progress) {
    return std::to_string(static_cast<int>(100 * progress.done)) + " % of the reference computed, " +
           about_seconds(progress.seconds_left) + " left. Click to stop it or to choose another image";
}

} // namespace

/// Presents what A and B show beside the result, and frees what they do not show any more.
void ViewPanel::poll_sides(Document& document) {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        auto& side = sides_[i];
        if (!document.comparison().computes(i)) {
            side = {};
            continue;
        }
        const auto wanted = document.comparison().image(i).result;
        if (wanted != side.sent) side.failure.clear(); // it was about another result
        if (!wanted) side.sent.reset();
        try {
            if (wanted && wanted != side.sent) {
                if (!side.image) side.image.emplace(route_, display::DisplayOptions{wake_, 0});
                side.sent = wanted;
                side.serial = kFirstSerial + ++originals_;
                side.image->present({wanted->home, wanted->pixels, wanted->ready, side.serial});
            }
            if (!side.image) continue;
            side.image->poll();
            while (side.image->take_times() || side.image->take_gl_time()) {
            } // A and B have no timing row
        } catch (const std::exception& error) {
            side.failure = error.what();
            side.image.reset();
            document.report(as_error(error));
        }
    }
}

bool ViewPanel::sides_settled() const {
    return std::ranges::none_of(sides_, [](const auto& side) { return side.image && side.image->busy(); });
}

/// The texture of A or B that belongs to the result on the screen; none while it is computed.
display::PassImage ViewPanel::side_image(Document& document, std::size_t i,
                                         const display::PassImage& original,
                                         const display::PassImage& result) const {
    const auto kind = document.view.sources[i].kind;
    if (kind == ViewSource::Kind::original) return original;
    if (kind == ViewSource::Kind::result) return result;
    const auto& side = sides_[i];
    const bool is_there = side.sent && side.sent == document.comparison().image(i).result && side.image &&
                          side.image->shown().serial == side.serial;
    return is_there ? pass_image(*side.image) : display::PassImage{};
}

/// One entry for each source; those that cannot be shown have the reason as their tooltip.
void ViewPanel::draw_source_list(Document& document, std::size_t i) {
    if (!ImGui::BeginPopup(kPopups[i])) return;
    heading(i == 0 ? "A shows" : "B shows");
    auto& source = document.view.sources[i];
    if (document.comparison().progress(i)) {
        if (ImGui::Selectable("Stop computing"))
            source = {i == 0 ? ViewSource::Kind::original : ViewSource::Kind::result, {}, {}};
        help(i == 0 ? "A shows the original again" : "B shows the result again");
        ImGui::Separator();
    }
    auto last = ViewSource::Kind::original;
    for (const auto& choice : document.comparison().choices()) {
        if (choice.source.is_computed() && choice.source.kind != last) ImGui::Separator();
        last = choice.source.kind;
        ImGui::BeginDisabled(!choice.why_not.empty());
        if (ImGui::Selectable(choice.title.c_str(), choice.source == source)) source = choice.source;
        if (const auto announced = document.comparison().announcement(choice.source); !announced.empty()) {
            ImGui::SameLine(0, look().px(12));
            ImGui::TextDisabled("%s", announced.c_str());
        }
        ImGui::EndDisabled();
        if (!choice.why_not.empty()) help(capitalised(choice.why_not));
    }
    ImGui::EndPopup();
}

/// The names of A and B at their corners. A click opens the list of what they may show.
void ViewPanel::draw_source_chips(Document& document, ImVec2 corner, ImVec2 size) {
    const auto mode = document.view.mode;
    if (!document.result() || document.view.show_original) return;
    const bool alone = mode == ViewState::Mode::result;
    if (alone && document.view.sources[1].kind == ViewSource::Kind::result) return;
    const float inset = look().px(8), half = (size.x - 3 * inset) / 2;
    for (std::size_t i = alone ? 1 : 0; i < kSides; ++i) {
        const auto& failure = sides_[i].failure;
        const auto why_not = failure.empty() ? document.comparison().why_not(i) : failure;
        auto text = title(document.view.sources[i]);
        const bool missing = document.view.sources[i].is_computed() &&
                             (!failure.empty() || !document.comparison().image(i));
        const auto progress = document.comparison().progress(i);
        if (missing) text += why_not.empty() ? pending_text(document, progress) : ": none";
        text = shortened(text, half - look().px(40)) + "  " + icon::kDown;
        const float width = chip_width(text);
        ImGui::SetCursorScreenPos(
            {i == 0 ? corner.x + inset : corner.x + size.x - inset - width, corner.y + inset});
        const std::string what = i == 0 ? "A: what is left of the divider, or subtracted"
                                        : "B: what is right of the divider, or what A is subtracted from";
        if (chip(kIds[i], text, missing && !why_not.empty() ? Tone::warning : Tone::plain,
                 !why_not.empty() ? capitalised(why_not) + ". Click to choose another image"
                 : progress       ? progress_text(*progress)
                                  : what + ". Click to choose another image",
                 true))
            ImGui::OpenPopup(kPopups[i]);
        const float below = ImGui::GetItemRectMax().y + look().px(4);
        const float pivot = i == 0 ? 0.0f : 1.0f;
        ImGui::SetNextWindowPos({i == 0 ? ImGui::GetItemRectMin().x : ImGui::GetItemRectMax().x, below},
                                ImGuiCond_Always, {pivot, 0});
        const float room = ImGui::GetIO().DisplaySize.y - below - look().px(28); // above the status bar
        ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(room, look().px(100))});
        draw_source_list(document, i);
    }
}

/// How much A and B differ, in numbers.
void ViewPanel::draw_difference_numbers(ChipRow& row, Document& document) const {
    const auto measured = document.comparison().difference();
    if (!measured.latest || !measured.current) {
        auto why_not = measured.why_not;
        for (const auto& side : sides_)
            if (why_not.empty()) why_not = side.failure;
        row.place("numbers",
                  !why_not.empty()  ? "Not compared: " + why_not
                  : document.held() ? "Compared after the measurement"
                                    : "Comparing...",
                  why_not.empty() ? Tone::plain : Tone::warning,
                  why_not.empty() ? "The largest and the mean difference, PSNR and SSIM of the whole images"
                                  : capitalised(why_not),
                  false);
        return;
    }
    row.place("numbers", difference_text(*measured.latest, document.result()->pixels.format), Tone::plain,
              "Of all samples of the whole images, alpha included, as they are stored. PSNR refers to full "
              "scale. SSIM (Wang et al. 2004), with windows of 11 x 11: the lower of that of the luminance "
              "and of alpha",
              false);
}

} // namespace kg::ui
