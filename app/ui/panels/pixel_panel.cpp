// Why a pixel has its value: the fact that explains it, its taps, their sum and what becomes of it.

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/document/document.hpp"
#include "app/editor/pixel/pixel_lines.hpp"
#include "app/editor/pixel/reading_text.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/tap_grid.hpp"

#include <imgui.h>

#include <utility>

namespace kg::ui {

namespace {

constexpr int kExplanationLines = 3; ///< height that is kept free, so that nothing jumps

/// The explanation in a fixed number of lines; a longer one takes more.
void draw_explanation(const std::string& text) {
    const float top = ImGui::GetCursorPosY();
    paragraph(text);
    const float bottom = top + static_cast<float>(kExplanationLines) * ImGui::GetTextLineHeightWithSpacing();
    if (ImGui::GetCursorPosY() < bottom) ImGui::Dummy({0, bottom - ImGui::GetCursorPosY()});
}

void draw_lines(const std::vector<PixelLine>& lines) {
    for (const auto& [name, value, explained] : lines) {
        ImGui::BeginGroup();
        const float left = ImGui::GetContentRegionAvail().x - number_width(value) -
                           ImGui::GetStyle().ItemSpacing.x;
        ImGui::TextColored(colour(look().theme.second), "%s", shortened(name, left).c_str());
        ImGui::SameLine();
        number_cell(value);
        ImGui::EndGroup();
        help(explained);
    }
}

void draw_values(const PixelReading& reading, const Result& result) {
    const auto &in = result.job.request.in, &out = result.pixels.format;
    if (!ImGui::BeginTable("values", 4, ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, look().px(16));
    table_head({"", "Before", "After", "Change"});
    const bool same_units = full_scale(in) == full_scale(out);
    for (int c = 0; c < in.channels; ++c) {
        const auto i = static_cast<std::size_t>(c);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        label_cell(channel_name(in, c));
        ImGui::TableNextColumn();
        number_cell(value_text(reading.before[i], in));
        const bool known = i < reading.after.size();
        ImGui::TableNextColumn();
        number_cell(known ? value_text(reading.after[i], out) : "");
        ImGui::TableNextColumn();
        if (same_units)
            number_cell(known ? change_text(reading.before[i], reading.after[i],
                                            is_integer(in.depth) && is_integer(out.depth))
                              : "");
    }
    ImGui::EndTable();
    note(is_integer(out.depth) ? "Stored numbers; " + value_text(full_scale(out), out) + " is white."
                               : "Stored numbers; 1 is white.");
}

class PixelPanel final : public Panel {
public:
    std::string_view id() const override { return "pixel"; }
    std::string_view title() const override { return "Pixel"; }
    std::string_view tooltip() const override {
        return "Why a pixel has its value: point at it, or click it";
    }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;

private:
    void draw_choices(PixelState& state, const PixelFormat& format, const PixelTerms& terms);
    void draw_taps(Document& document, const PixelTerms& terms);
    void draw_steps(PixelCrawl& crawl, const KernelTerms& kernel);
    void draw_others(Document& document, const PixelTerms& terms);

    int shown_ = 0;           ///< TapValue
    std::size_t results_ = 0; ///< of other algorithms, as drawn last
    bool pauses_ = false;     ///< the press of the button began while it played
};

void PixelPanel::draw(Document& document) {
    const auto& reading = document.reading();
    const auto& result = document.result();
    if (!reading || !result) {
        note("Point at the image to read a pixel; click to pin it.");
        return;
    }
    fact("Pixel", std::to_string(reading->x) + ", " + std::to_string(reading->y));
    const auto& found = document.pixel_explanation();
    if (found.terms) {
        const auto& terms = *found.terms;
        draw_explanation(explanation(terms));
        draw_choices(document.pixel, result->job.request.in, terms);
        draw_taps(document, terms);
    } else {
        draw_explanation(found.why_not);
    }
    space();
    draw_values(*reading, *result);
    if (found.terms && found.terms->is_last()) draw_others(document, *found.terms);
}

void PixelPanel::draw_choices(PixelState& state, const PixelFormat& format, const PixelTerms& terms) {
    std::vector<const char*> names;
    for (int c = 0; c < format.channels; ++c) names.push_back(channel_name(format, c));
    state.channel = std::min(state.channel, format.channels - 1);
    if (names.size() > 1) choice("channel", names, state.channel, "The channel that is explained");
    constexpr const char* kKernels[] = {"Gx", "Gy"};
    auto kernel = static_cast<int>(state.kernel);
    if (terms.kernels.size() == std::size(kKernels) &&
        choice("kernel", kKernels, kernel, "The kernel whose taps are shown"))
        state.kernel = static_cast<std::size_t>(kernel);
}

void PixelPanel::draw_taps(Document& document, const PixelTerms& terms) {
    auto& state = document.pixel;
    if (!terms.kernels.empty()) {
        state.kernel = std::min(state.kernel, terms.kernels.size() - 1);
        const auto& kernel = terms.kernels[state.kernel];
        const bool fits = kernel.width <= kLargestTapGrid && kernel.height <= kLargestTapGrid;
        const auto taps = state.crawl.taps();
        const char* const values[] = {"Weight", sample_title(terms.weighted), "Product"};
        if (fits)
            choice("value", values, shown_,
                   "What the cells show: the weight, the number that it reads, or both "
                   "multiplied. Hatched cells lie outside the image");
        const auto clicked = fits ? tap_grid(kernel, static_cast<TapValue>(shown_), taps, terms.weighted)
                                  : tap_list(kernel, taps, terms.weighted);
        if (clicked) state.crawl.show_taps(*clicked + 1, kernel.taps.size());
        draw_steps(state.crawl, kernel);
    }
    space();
    const auto channel = static_cast<std::size_t>(terms.channel);
    const auto& reading = *document.reading();
    const auto& result = *document.result();
    PixelLineOptions options{state.kernel,
                             state.crawl.taps(),
                             result.job.choice.engine->device().host_memory ? "CPU" : "CUDA",
                             {}};
    if (channel < reading.after.size()) options.computed = reading.after[channel];
    draw_lines(pixel_lines(terms, options));
}

/// Step adds a tap to the visible sum, Play moves the pin.
void PixelPanel::draw_steps(PixelCrawl& crawl, const KernelTerms& kernel) {
    space();
    const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (button("step", icon::kPlus, "Step",
               "Adds one tap to the sum, which begins again after the last one. A click on a tap adds those "
               "up to it",
               width))
        crawl.show_taps(with_next_tap(kernel, crawl.taps().value_or(0)), kernel.taps.size());
    ImGui::SameLine();
    // The id is the same for both labels, so that the button keeps the focus.
    const bool playing = crawl.playing();
    const bool pressed = button("#play", playing ? icon::kPause : icon::kPlay, playing ? "Pause" : "Play",
                                "Moves the pinned pixel along the rows of the image. Any key, click or turn "
                                "of the wheel pauses",
                                width);
    if (ImGui::IsItemActivated()) pauses_ = playing;
    if (pressed && !pauses_) crawl.play(ImGui::GetTime());
    double speed = crawl.speed();
    if (slider("speed",
               {.label = "Speed",
                .minimum = PixelCrawl::kSlowest,
                .maximum = PixelCrawl::kFastest,
                .step = 1,
                .decimals = 0,
                .logarithmic = true,
                .unit = "px/s",
                .tooltip = "Pixels a second of Play"},
               speed)
            .changed)
        crawl.set_speed(speed);
}

/// The same pixel by every algorithm and library, once it is asked for.
void PixelPanel::draw_others(Document& document, const PixelTerms& terms) {
    auto& comparison = document.comparison();
    space();
    const float width = ImGui::GetContentRegionAvail().x;
    const auto known = comparison.pixel_results(terms.x, terms.y);
    // The id is the same for both labels, so that the button keeps the focus.
    if (!known.is_complete()) {
        if (button("#others", icon::kStop, "Stop", "Forgets what is computed so far", width))
            comparison.stop_pixel();
    } else {
        const auto why_not = comparison.why_not_now();
        ImGui::BeginDisabled(!why_not.empty());
        if (button("#others", icon::kDifference, "Compute by every algorithm",
                   why_not.empty() ? "Filters the image by every algorithm that takes a few seconds at most, "
                                     "and by every other library, and compares this pixel with the reference"
                                   : why_not,
                   width))
            comparison.compute_pixel(terms.x, terms.y), results_ = 0;
        ImGui::EndDisabled();
    }
    if (known.sources == 0) return;
    const auto channel = static_cast<std::size_t>(terms.channel);
    std::vector<PixelLine> lines;
    for (const auto& [title, samples, why_not] : known.results) {
        const bool has_value = channel < samples.size();
        lines.push_back(
            {title, has_value ? computed_text(samples[channel], terms.stored, terms.out.depth) : "none",
             title + ": " +
                 (has_value ? "its value of this pixel, and how far it is from the reference" : why_not)});
    }
    draw_lines(lines);
    if (std::exchange(results_, lines.size()) < lines.size()) ImGui::SetScrollHereY(1); // the newest
    if (!known.is_complete())
        note((std::to_string(known.results.size()) + " of " + std::to_string(known.sources) + " computed")
                 .c_str());
}

} // namespace

std::unique_ptr<Panel> make_pixel_panel() { return std::make_unique<PixelPanel>(); }

} // namespace kg::ui
