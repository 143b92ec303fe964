#include "app/ui/workspaces/signal_plots.hpp"

#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/plot.hpp"
#include "core/support/capital.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

namespace {

constexpr auto kMoves =
    "Drag pans and the wheel zooms both waveforms, double-click shows all. Keys: left and right "
    "pan, + and - zoom, Home shows all";
constexpr double kFewestSamples = 8; ///< of the closest zoom

/// With a margin, and never empty. It contains 0.
Stretch stretch_of(const Extremes& extremes) {
    double low = std::min(extremes.low, 0.0), high = std::max(extremes.high, 0.0);
    if (low == high) low = -1, high = 1;
    const double margin = (high - low) / 20;
    return {low - margin, high + margin};
}

/// One range would flatten one of the waveforms.
bool scales_differ(const SignalResult& result) {
    constexpr double kAlike = 8;
    const double a = stretch_of(result.signal.envelope.all()).length(),
                 b = stretch_of(result.filtered.envelope.all()).length();
    return a > kAlike * b || b > kAlike * a;
}

/// Both waveforms have one range, unless it would flatten one of them.
Stretch stretch_of(const SignalResult& result, bool after) {
    const auto &a = result.signal.envelope.all(), &b = result.filtered.envelope.all();
    const auto own = stretch_of(after ? b : a), other = stretch_of(after ? a : b);
    if (scales_differ(result)) return own;
    return {std::min(own.from, other.from), std::max(own.to, other.to)};
}

void set_up_range(const Stretch& x, const Stretch& y) {
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis, kPlotAxis);
    ImPlot::SetupAxesLimits(x.from, x.to, y.from, y.to, ImPlotCond_Always);
}

/// Keys of the item with the focus: they do not move the focus. Repeats while held.
bool pressed(ImGuiID item, ImGuiKey key) {
    ImGui::SetKeyOwner(key, item);
    return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, item);
}

/// `x` of a point is in samples.
void draw_points(const Waveform& wave, double shift, double rate, Rgb ink) {
    constexpr float kRoom = 8; // a dot at each sample where they are this far apart
    std::vector<double> x = wave.x;
    for (auto& place : x) place = (place + shift) / rate;
    auto spec = plot_line(ink);
    spec.Flags = ImPlotLineFlags_SkipNaN;
    if (static_cast<float>(x.size()) * look().px(kRoom) < ImPlot::GetPlotSize().x) {
        spec.Marker = ImPlotMarker_Circle;
        spec.MarkerSize = look().px(2);
        spec.MarkerFillColor = spec.MarkerLineColor = colour(ink);
    }
    ImPlot::PlotLine("##line", x.data(), wave.low.data(), static_cast<int>(x.size()), spec);
}

/// A bar for each column, joined to its neighbour's.
void draw_columns(const Waveform& wave, double shift, double rate, Rgb ink) {
    auto* draw = ImPlot::GetPlotDrawList();
    ImPlot::PushPlotClipRect();
    const auto c = colour_u32(ink);
    const float width = look().px(1);
    double low_before = 0, high_before = 0;
    bool joined = false;
    for (std::size_t i = 0; i < wave.x.size(); ++i) {
        double low = wave.low[i], high = wave.high[i];
        if (!(low <= high)) {
            joined = false;
            continue;
        }
        if (joined) low = std::min(low, high_before), high = std::max(high, low_before);
        const double x = (wave.x[i] + shift) / rate;
        const auto top = ImPlot::PlotToPixels(x, high), bottom = ImPlot::PlotToPixels(x, low);
        const float left = std::floor(top.x), upper = std::floor(top.y);
        draw->AddRectFilled({left, upper}, {left + width, std::max(bottom.y, upper + width)}, c);
        low_before = wave.low[i], high_before = wave.high[i];
        joined = true;
    }
    ImPlot::PopPlotClipRect();
}

/// A number of Hz, or of periods per sample.
std::string frequency_text(double frequency, bool known) {
    if (!known) return short_number(frequency, 3);
    return frequency >= 1000 ? short_number(frequency / 1000, 4) + " kHz"
                             : short_number(frequency, 4) + " Hz";
}

/// Logarithmic frequencies below, decibels at the left.
void set_up_levels(double rate, bool known, double low, double high) {
    constexpr double kLowest = 0.0005; // of the rate: 22 Hz of 44.1 kHz
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis, kPlotAxis);
    ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    ImPlot::SetupAxesLimits(kLowest * rate, rate / 2, low, high, ImPlotCond_Always);
    std::vector<double> x, y;
    std::vector<std::string> texts;
    for (double decade = std::pow(10, std::ceil(std::log10(kLowest * rate))); decade < rate / 2;
         decade *= 10) {
        x.push_back(decade);
        texts.push_back(frequency_text(decade, known));
    }
    std::vector<const char*> x_names, y_names;
    for (const auto& text : texts) x_names.push_back(text.c_str());
    constexpr double kStep = 40;
    std::vector<std::string> y_texts;
    for (double level = kStep * std::ceil(low / kStep); level <= high; level += kStep) {
        y.push_back(level);
        y_texts.push_back(format_number(level, 0) + " dB");
    }
    for (const auto& text : y_texts) y_names.push_back(text.c_str());
    plot_ticks(ImAxis_X1, x, x_names);
    plot_ticks(ImAxis_Y1, y, y_names);
}

void draw_levels(const char* id, const Spectrum& spectrum, double rate, Rgb ink) {
    std::vector<double> x, y, low;
    for (std::size_t i = 1; i < spectrum.levels.size(); ++i) { // a logarithmic axis has no 0
        x.push_back(spectrum.frequency(i) * rate);
        y.push_back(spectrum.levels[i]);
        if (!spectrum.lowest.empty()) low.push_back(spectrum.lowest[i]);
    }
    if (!low.empty()) {
        auto band = plot_line(ink);
        band.FillAlpha = 0.4f;
        ImPlot::PlotShaded(id, x.data(), low.data(), y.data(), static_cast<int>(x.size()), band);
    }
    if (!x.empty()) ImPlot::PlotLine(id, x.data(), y.data(), static_cast<int>(x.size()), plot_line(ink));
}

/// Names of lines in their colours, in the lower left corner: the levels of most signals are above it.
void draw_line_names(std::initializer_list<std::pair<const char*, Rgb>> names) {
    const auto corner = ImPlot::GetPlotPos();
    float x = corner.x + look().px(8);
    const float y = corner.y + ImPlot::GetPlotSize().y - ImGui::GetTextLineHeight() - look().px(4);
    for (const auto& [name, ink] : names) {
        ImPlot::GetPlotDrawList()->AddText({x, y}, colour_u32(ink), name);
        x += ImGui::CalcTextSize(name).x + look().px(12);
    }
}

double highest_of(const Spectrum& spectrum) {
    return spectrum.levels.empty() ? kSilence : *std::ranges::max_element(spectrum.levels);
}

/// 110 dB below a multiple of ten.
Stretch levels_of(double highest) {
    constexpr double kBelow = 110, kStep = 10;
    const double top = kStep * std::ceil((std::max(highest, kSilence + kBelow) + 2) / kStep);
    return {top - kBelow, top};
}

void draw_spectra(const SignalResult& result, float width, float height) {
    const CaptionedPlot plot(
        "spectrum", "Spectrum before and after",
        "Mean power of frames of up to 4096 samples under a Hann window (Welch). A sine of "
        "amplitude 1 has 0 dB",
        width, height);
    if (!plot) return;
    const auto &a = result.signal.spectrum, &b = result.filtered.spectrum;
    const auto range = levels_of(std::max(highest_of(a), highest_of(b)));
    set_up_levels(result.rate(), result.before->rate != 0, range.from, range.to);
    const auto& theme = look().theme;
    draw_levels("##before", a, result.rate(), theme.data_a);
    draw_levels("##after", b, result.rate() / result.stride, theme.data_b);
    draw_line_names({{"before", theme.data_a}, {"after", theme.data_b}});
}

void draw_gain(const SignalResult& result, float width, float height) {
    const CaptionedPlot plot(
        "gain", "Gain of the taps",
        result.gain.levels.empty()
            ? "There are too many taps to compute their gain for display"
            : "What the taps do to each frequency: 0 dB leaves it as it is, -6 dB halves it",
        width, height);
    if (!plot) return;
    const auto range = levels_of(highest_of(result.gain));
    set_up_levels(result.rate(), result.before->rate != 0, range.from, range.to);
    draw_levels("##gain", result.gain, result.rate(), look().theme.data_b);
}

std::string after_text(const SignalResult& result) {
    const auto& done = *result.outcome;
    return "After: " + std::string(find_signal_filter(result.edit.filter).title) +
           (result.edit.taps ? ", edited" : "") + ", " + done.algorithm + " on " + upper_case(done.engine);
}

/// Rounded, so that a dragged number is short.
double rounded_in(double value, const Stretch& range) {
    const double unit = std::pow(10, std::floor(std::log10(range.length() / 200)));
    return std::round(value / unit) * unit;
}

/// Taps that are drawn and dragged.
std::vector<std::size_t> drawn_taps(std::span<const double> taps) {
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < taps.size(); ++i)
        if (taps.size() <= kMostTapsDragged || taps[i] != 0) drawn.push_back(i);
    return drawn;
}

/// At most ten whole numbers below the taps.
void set_up_places(std::size_t taps) {
    constexpr std::size_t kMost = 10, kSteps[] = {2, 5, 10};
    std::size_t step = 1;
    for (std::size_t unit = 1; taps > kMost * step; unit *= 10)
        for (const auto factor : kSteps)
            if (taps > kMost * step) step = factor * unit;
    std::vector<double> places;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < taps; i += step)
        places.push_back(static_cast<double>(i)), texts.push_back(std::to_string(i));
    std::vector<const char*> names;
    for (const auto& text : texts) names.push_back(text.c_str());
    plot_ticks(ImAxis_X1, places, names);
}

Stretch stretch_of(std::span<const double> taps) {
    Extremes all;
    for (const double tap : taps) all.add(tap);
    return stretch_of(all);
}

} // namespace

/// Another signal, or another rate, is shown as a whole; a whole one stays whole when its result grows.
void SignalPlots::follow(const SignalResult& result) {
    const double rate = result.rate();
    const bool shows_all = shown_ == all_;
    const auto end = [&](const Envelope& envelope, double shift, double stride) {
        return (static_cast<double>(envelope.samples() - 1) * stride + shift) / rate;
    };
    all_ = {std::min(0.0, result.shift / rate),
            std::max(end(result.signal.envelope, 0, 1),
                     end(result.filtered.envelope, result.shift, result.stride))};
    if (all_.length() <= 0) all_.to = all_.from + 1 / rate;
    if (!shows_all && source_.lock() == result.source && rate_ == result.before->rate) return;
    source_ = result.source;
    rate_ = result.before->rate;
    shown_ = all_;
}

void SignalPlots::update_waveforms(const std::shared_ptr<const SignalResult>& result, int columns) {
    if (drawn_.result.lock() == result && drawn_.shown == shown_ && drawn_.columns == columns) return;
    const double rate = result->rate(), from = shown_.from * rate, to = shown_.to * rate;
    drawn_ = {result, shown_, columns, waveform(result->signal.envelope, from - 1, to + 1, columns),
              waveform(result->filtered.envelope, (from - result->shift) / result->stride - 1,
                       (to - result->shift) / result->stride + 1, columns)};
}

/// Pans and zooms by the mouse over the item, or by keys while it has the focus. In the plot of the item.
void SignalPlots::move(ImGuiID item, float width) {
    constexpr double kWheel = 1.25, kPan = 0.1;
    const auto& io = ImGui::GetIO();
    double centre = shown_.from + shown_.length() / 2, zoom = 1, pan = 0;
    if (ImGui::GetHoveredID() == item) {
        if (io.MouseWheel != 0) {
            const double share = (io.MousePos.x - ImPlot::GetPlotPos().x) / width;
            centre = shown_.from + shown_.length() * std::clamp(share, 0.0, 1.0);
            zoom = std::pow(kWheel, -static_cast<double>(io.MouseWheel));
        }
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return void(shown_ = all_);
    }
    if (ImGui::GetActiveID() == item && ImGui::IsMouseDown(ImGuiMouseButton_Left))
        pan = -static_cast<double>(io.MouseDelta.x / width) * shown_.length();
    if (ImGui::GetFocusID() == item && !io.KeyCtrl && !io.KeyAlt) {
        pan += kPan * shown_.length() *
               (pressed(item, ImGuiKey_RightArrow) - pressed(item, ImGuiKey_LeftArrow));
        if (pressed(item, ImGuiKey_Equal) || pressed(item, ImGuiKey_KeypadAdd)) zoom /= kWheel;
        if (pressed(item, ImGuiKey_Minus) || pressed(item, ImGuiKey_KeypadSubtract)) zoom *= kWheel;
        if (pressed(item, ImGuiKey_Home)) return void(shown_ = all_);
    }
    const double least = std::min(kFewestSamples / (rate_ == 0 ? 1.0 : rate_), all_.length());
    const double length = std::clamp(shown_.length() * zoom, least, all_.length());
    const double from = centre - (centre - shown_.from) * length / shown_.length() + pan;
    shown_.from = std::clamp(from, all_.from, all_.to - length);
    shown_.to = shown_.from + length;
}

void SignalPlots::draw_waveform(const SignalResult& result, bool after, float width, float height) {
    const auto* id = after ? "after" : "before";
    const auto item = ImGui::GetID(id);
    const bool known = result.before->rate != 0;
    const auto scale = scales_differ(result) ? std::string(", on a scale of its own") : std::string();
    const auto caption = (after ? after_text(result)
                                : "Before: " + result.source->title +
                                      (result.before->signals > 1
                                           ? ", channel " + std::to_string(result.channel + 1) + " of " +
                                                 std::to_string(result.before->signals)
                                           : "")) +
                         scale;
    const CaptionedPlot plot(id, caption.c_str(), caption + ".\n" + kMoves, width, height);
    if (!plot) return;
    set_up_range(shown_, stretch_of(result, after));
    ImPlot::SetupAxisFormat(ImAxis_X1, known ? "%g s" : "%g");
    ImPlot::SetupAxisFormat(ImAxis_Y1, "%g");
    const auto& theme = look().theme;
    const auto& wave = after ? drawn_.after : drawn_.before;
    const double stride = after ? result.stride : 1, shift = after ? result.shift / stride : 0,
                 rate = result.rate() / stride; // of the samples that are drawn
    const auto ink = after ? theme.data_b : theme.data_a;
    if (wave.points) draw_points(wave, shift, rate, ink);
    else draw_columns(wave, shift, rate, ink);
    move(item, ImPlot::GetPlotSize().x);
}

/// The drag of a stem: the tap nearest to the pointer, and its value at the pointer's height.
void SignalPlots::take_tap(SignalDocument& document, std::span<const double> taps, const Stretch& range) {
    const auto at = ImPlot::PixelsToPlot(ImGui::GetIO().MousePos);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        const auto drawn = drawn_taps(taps);
        const auto distance = [&](std::size_t i) { return std::fabs(static_cast<double>(i) - at.x); };
        if (drawn.empty()) return;
        tap_ = *std::ranges::min_element(drawn, {}, distance);
        held_ = range;
    } else if (held_ && (dragging_ || ImGui::IsMouseDragging(ImGuiMouseButton_Left, look().px(2)))) {
        drag_tap(document);
    }
}

void SignalPlots::drag_tap(SignalDocument& document) {
    dragging_ = true;
    document.set_tap(tap_, rounded_in(ImPlot::PixelsToPlot(ImGui::GetIO().MousePos).y, *held_), true);
}

void SignalPlots::tap_keys(SignalDocument& document, ImGuiID item, std::span<const double> taps,
                           const Stretch& range) {
    constexpr double kFine = 0.01, kCoarse = 0.1;
    const auto drawn = drawn_taps(taps);
    const auto here = std::ranges::lower_bound(drawn, tap_);
    if (pressed(item, ImGuiKey_LeftArrow) && here != drawn.begin()) tap_ = *std::prev(here);
    if (pressed(item, ImGuiKey_RightArrow) && here != drawn.end() && std::next(here) != drawn.end())
        tap_ = *std::next(here);
    const int up = pressed(item, ImGuiKey_UpArrow) - pressed(item, ImGuiKey_DownArrow);
    if (up != 0 && tap_ < taps.size()) {
        const double step = (ImGui::GetIO().KeyShift ? kCoarse : kFine) * range.length();
        document.set_tap(tap_, rounded_in(taps[tap_] + up * step, range), true);
    }
    for (const auto key : {ImGuiKey_UpArrow, ImGuiKey_DownArrow})
        if (ImGui::IsKeyReleased(key, item)) document.finish_gesture();
}

void SignalPlots::draw_taps(SignalDocument& document, float width, float height) {
    const auto item = ImGui::GetID("taps");
    const auto taps = document.taps();
    tap_ = std::min(tap_, taps.empty() ? 0 : taps.size() - 1);
    const bool any = !taps.empty() && taps.size() <= kMostEditedTaps;
    const auto caption = std::to_string(taps.size()) + " taps" +
                         (any            ? ", tap " + std::to_string(tap_) + ": " + short_number(taps[tap_])
                          : taps.empty() ? std::string()
                                         : std::string(", too many to draw"));
    const CaptionedPlot plot(
        "taps", caption.c_str(),
        "Drag a tap up or down. Keys: left and right choose a tap, up and down change it, with "
        "Shift coarsely",
        width, height);
    if (!plot || !any) return;
    const auto range = held_.value_or(stretch_of(taps));
    const auto last = static_cast<double>(taps.size() - 1);
    const double margin = std::max(1.0, last / 100);
    set_up_range({-margin, last + margin}, range);
    set_up_places(taps.size());
    ImPlot::SetupAxisFormat(ImAxis_Y1, "%g");
    auto* draw = ImPlot::GetPlotDrawList();
    ImPlot::PushPlotClipRect();
    const auto& theme = look().theme;
    const float radius = look().px(taps.size() > kMostTapsDragged / 4 ? 2 : 3);
    for (const auto i : drawn_taps(taps)) {
        const auto foot = ImPlot::PlotToPixels(static_cast<double>(i), 0),
                   tip = ImPlot::PlotToPixels(static_cast<double>(i), taps[i]);
        const auto ink = colour_u32(i == tap_ ? theme.accent : theme.data_b);
        draw->AddLine(foot, tip, ink, look().px(i == tap_ ? 2 : 1));
        draw->AddCircleFilled(tip, i == tap_ ? radius + look().px(1) : radius, ink);
    }
    ImPlot::PopPlotClipRect();
    if (ImGui::GetActiveID() == item &&
        ImGui::GetCurrentContext()->ActiveIdSource == ImGuiInputSource_Mouse) {
        take_tap(document, taps, range);
    } else if (held_) {
        // In a slow frame the last movement arrives together with the release.
        const float moved = ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left];
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && moved >= look().px(2) * look().px(2))
            drag_tap(document);
        held_.reset();
        dragging_ = false;
        document.finish_gesture();
    }
    if (ImGui::GetFocusID() == item && ImGui::GetActiveID() != item)
        tap_keys(document, item, document.taps(), range);
}

void SignalPlots::draw(SignalDocument& document) {
    const auto& result = document.result();
    if (!result) return note(document.busy() ? "Computing..." : "Open a signal: a WAV, NumPy or CSV file.");
    follow(*result);
    const auto room = ImGui::GetContentRegionAvail();
    const auto& style = ImGui::GetStyle();
    float line = 0;
    {
        const ScopedText secondary(TextStyle::secondary);
        line = ImGui::GetTextLineHeight();
    }
    constexpr int kRows = 4;
    // A row is a caption and a plot; the height of a plot is in lengths of scale 1.
    const float left = room.y - kRows * line - (2 * kRows - 1) * style.ItemSpacing.y;
    const auto row = [&](float share) { return std::floor(share * left / look().scale); };
    const float half = std::floor((room.x - style.ItemSpacing.x) / 2);
    update_waveforms(result, std::max(1, static_cast<int>(room.x / look().scale)));
    draw_waveform(*result, false, room.x, row(0.25f));
    draw_waveform(*result, true, room.x, row(0.25f));
    draw_spectra(*result, half, row(0.28f));
    ImGui::SameLine();
    draw_gain(*result, half, row(0.28f));
    draw_taps(document, room.x, row(0.22f));
}

} // namespace kg::ui
