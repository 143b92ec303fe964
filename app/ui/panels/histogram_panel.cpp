// How often each value occurs, in the original and in the result, channel by channel.

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace kg::ui {

namespace {

constexpr float kPlotHeight = 64;

/// One channel of both images, and the place where it is drawn.
struct Plot {
    const Histograms& histograms;
    const ChannelHistogram &original, &result;
    bool logarithmic, faded;
    ImVec2 corner, size;

    double height_of(std::int64_t count) const {
        const auto number = static_cast<double>(count);
        return logarithmic ? std::log1p(number) : number;
    }
    /// Without the outer bins, where clamped samples would leave no height for the others.
    double highest() const {
        std::int64_t most = 1;
        for (const auto* channel : {&original, &result})
            most = std::max(most, *std::max_element(channel->bins.begin() + 1, channel->bins.end() - 1));
        return height_of(most);
    }
    float left_of(int bin) const {
        return corner.x + size.x * static_cast<float>(bin) / static_cast<float>(kHistogramBins);
    }
    int bin_at(float x) const {
        const int bin = static_cast<int>((x - corner.x) / size.x * static_cast<float>(kHistogramBins));
        return std::clamp(bin, 0, kHistogramBins - 1);
    }
};

/// The original filled, the result as a line over it.
void draw_plot(const Plot& plot) {
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    const ImVec2 end{plot.corner.x + plot.size.x, plot.corner.y + plot.size.y};
    draw->AddRectFilled(plot.corner, end, colour_u32(theme.field), look().px(4));
    const double highest = plot.highest();
    const float alpha = plot.faded ? 0.4f : 1.0f, room = plot.size.y - look().px(4);
    const auto top = [&](std::int64_t count) {
        return end.y - static_cast<float>(std::min(plot.height_of(count) / highest, 1.0)) * room;
    };
    std::vector<ImVec2> line;
    for (int bin = 0; bin < kHistogramBins; ++bin) {
        const auto i = static_cast<std::size_t>(bin);
        const float left = plot.left_of(bin), right = plot.left_of(bin + 1);
        if (plot.original.bins[i] > 0)
            draw->AddRectFilled({left, top(plot.original.bins[i])}, {right, end.y},
                                colour_u32(theme.data_a, 0.55f * alpha));
        for (const float x : {left, right}) line.push_back({x, top(plot.result.bins[i])});
    }
    draw->AddPolyline(line.data(), static_cast<int>(line.size()), colour_u32(theme.data_b, alpha),
                      look().px(1.5f));
}

/// A line through the plot at a value relative to full scale, with a mark at its lower or upper end.
void draw_mark(const Plot& plot, double value, Rgb ink, bool above) {
    if (!std::isfinite(value)) return;
    const int bin = histogram_bin(plot.histograms, value);
    const float x = std::floor((plot.left_of(bin) + plot.left_of(bin + 1)) / 2), mark = look().px(4);
    const float top = plot.corner.y, bottom = plot.corner.y + plot.size.y;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddLine({x, top}, {x, bottom}, colour_u32(ink), look().px(1));
    const float at = above ? top : bottom, inward = above ? mark : -mark;
    draw->AddTriangleFilled({x - mark, at}, {x + mark, at}, {x, at + inward}, colour_u32(ink));
}

/// A number relative to full scale as the format stores it.
std::string stored_text(double value, const PixelFormat& format) {
    return is_integer(format.depth) ? std::to_string(std::lround(value * full_scale(format)))
                                    : short_number(value, 3);
}

std::string bin_text(const Plot& plot, int bin, const PixelFormat& format) {
    const double width = (plot.histograms.high - plot.histograms.low) / (kHistogramBins - 1);
    const auto i = static_cast<std::size_t>(bin);
    return "At " + stored_text(plot.histograms.low + bin * width, format) + ": " +
           std::to_string(plot.original.bins[i]) + " samples of the original, " +
           std::to_string(plot.result.bins[i]) + " of the result";
}

/// The name of the channel, and how much of the result lies below 0 and above white: what was clamped of
/// integers, what is stored of floats.
void draw_caption(const Document& document, const ChannelHistogram& result, int channel) {
    const ScopedText style(TextStyle::secondary);
    const auto& format = document.result()->pixels.format;
    const auto* clipping = document.clipping();
    std::string text;
    if (!is_integer(format.depth)) text = outside_text(result.below, result.above, format);
    else if (clipping && channel != format.alpha) {
        const auto& [below, above] = clipping->channels[static_cast<std::size_t>(channel)];
        text = outside_text(below, above, format);
    }
    fact(channel_name(format, channel), text);
}

class HistogramPanel final : public Panel {
public:
    std::string_view id() const override { return "histogram"; }
    std::string_view title() const override { return "Histogram"; }
    std::string_view tooltip() const override {
        return "How often each value occurs in the original and in the result";
    }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;

private:
    void draw_channel(const Document& document, const Measured<Histograms>& measured, int channel) const;

    int scale_ = 0; ///< 0 linear, 1 logarithmic
};

void HistogramPanel::draw_channel(const Document& document, const Measured<Histograms>& measured,
                                  int channel) const {
    const auto& result = *document.result();
    const auto& format = result.pixels.format;
    const auto i = static_cast<std::size_t>(channel);
    draw_caption(document, measured.latest->result[i], channel);
    const Plot plot{*measured.latest,
                    measured.latest->original[i],
                    measured.latest->result[i],
                    scale_ == 1,
                    !measured.current,
                    ImGui::GetCursorScreenPos(),
                    {ImGui::GetContentRegionAvail().x, look().px(kPlotHeight)}};
    ImGui::InvisibleButton(channel_name(format, channel), plot.size, ImGuiButtonFlags_EnableNav);
    help(bin_text(plot, plot.bin_at(ImGui::GetIO().MousePos.x), format));
    draw_plot(plot);
    const auto& reading = document.reading();
    if (!reading) return;
    const auto& theme = look().theme;
    if (i < reading->before.size())
        draw_mark(plot, reading->before[i] / full_scale(result.job.request.in), theme.data_a, true);
    if (i < reading->after.size())
        draw_mark(plot, reading->after[i] / full_scale(format), theme.data_b, false);
}

/// The colours of the two images.
void draw_legend() {
    const auto& theme = look().theme;
    const ScopedText style(TextStyle::secondary);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(theme.data_a));
    ImGui::TextUnformatted("Original, filled");
    ImGui::PopStyleColor();
    ImGui::SameLine(0, look().px(16));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(theme.data_b));
    ImGui::TextUnformatted("Result, line");
    ImGui::PopStyleColor();
}

/// One line, always drawn, so that nothing below it moves.
std::string state_text(const Result& result, const Measured<Histograms>& measured) {
    if (result.preview) return "A preview is shown; the whole result follows";
    if (!measured.why_not.empty()) return "Not counted: " + measured.why_not;
    if (!measured.current) return "Counting...";
    const auto& size = result.job.request.size;
    return "All " + short_count(size.width * size.height) +
           (is_integer(result.pixels.format.depth)
                ? " pixels. Beside a channel: its samples that were clamped"
                : " pixels. Beside a channel: its samples outside 0 to 1");
}

void HistogramPanel::draw(Document& document) {
    const auto& result = document.result();
    if (!result) return note("A histogram appears with the first result.");
    constexpr std::array kScales{"Linear", "Logarithmic"};
    choice("scale", kScales, scale_,
           "Heights in proportion to the count, or to its logarithm. The outermost values may be cut off at "
           "the top");
    draw_legend();
    const auto measured = document.comparison().histograms();
    note(state_text(*result, measured));
    if (!measured.latest) return;
    const auto channels = std::min(measured.latest->original.size(), measured.latest->result.size());
    const auto& format = result->pixels.format;
    if (channels != static_cast<std::size_t>(format.channels)) return; // counts of an earlier image
    for (int c = 0; c < format.channels; ++c) draw_channel(document, measured, c);
    const ScopedText style(TextStyle::secondary);
    fact(stored_text(measured.latest->low, format).c_str(), stored_text(measured.latest->high, format));
}

} // namespace

std::unique_ptr<Panel> make_histogram_panel() { return std::make_unique<HistogramPanel>(); }

} // namespace kg::ui
