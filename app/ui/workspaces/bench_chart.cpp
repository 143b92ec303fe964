// Time over kernel size, both logarithmic. Own algorithms are solid lines with dots, in the colour of their
// engine where they are fastest somewhere; those of other libraries are dashed grey lines with markers. A
// band is the interval of the median, a cross a wrong result.

#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/plot.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "measure/report/crossover.hpp"
#include "measure/report/html/svg.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace kg::ui {

namespace {

using measure::Crossover;
using measure::CrossoverPoint;
using measure::CrossoverSeries;

constexpr std::array kPeerMarkers{ImPlotMarker_Diamond, ImPlotMarker_Square, ImPlotMarker_Up,
                                  ImPlotMarker_Down,    ImPlotMarker_Left,   ImPlotMarker_Right};

double x_of(int size) { return std::log2(size); }
double y_of(double microseconds) { return std::log10(microseconds); }

struct Style {
    Rgb ink;
    float weight;
};

Style style_of(const Crossover& data, const CrossoverSeries& series, bool chosen) {
    const auto& theme = look().theme;
    if (series.peer) return {theme.second, chosen ? 2.0f : 1.0f};
    const auto hue = series.engine == *data.engines.begin() ? theme.data_a : theme.data_b;
    return {series.wins || chosen ? hue : theme.disabled, chosen ? 3.0f : series.wins ? 2.0f : 1.0f};
}

void draw_dashes(const std::vector<double>& x, const std::vector<double>& y, const Style& style) {
    const float dash = look().px(6), gap = look().px(4);
    auto* draw = ImPlot::GetPlotDrawList();
    for (std::size_t i = 1; i < x.size(); ++i) {
        const auto from = ImPlot::PlotToPixels(x[i - 1], y[i - 1]), to = ImPlot::PlotToPixels(x[i], y[i]);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const auto at = [&](float along) {
            const float share = std::min(along, length) / length;
            return ImVec2{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        };
        for (float along = 0; along < length; along += dash + gap)
            draw->AddLine(at(along), at(along + dash), colour_u32(style.ink), look().px(style.weight));
    }
}

void draw_run(const CrossoverSeries& series, const std::vector<CrossoverPoint>& run, const Style& style) {
    std::vector<double> x, y, low, high;
    for (const auto& point : run) {
        const auto& time = point.row->times->run;
        x.push_back(x_of(point.size));
        y.push_back(y_of(time.median));
        low.push_back(y_of(time.ci_low));
        high.push_back(y_of(time.ci_high));
    }
    const auto count = static_cast<int>(x.size());
    auto band = plot_line(style.ink);
    band.FillAlpha = 0.25f;
    ImPlot::PlotShaded("##band", x.data(), low.data(), high.data(), count, band);
    if (series.peer) draw_dashes(x, y, style);
    else ImPlot::PlotLine("##line", x.data(), y.data(), count, plot_line(style.ink, style.weight));
    auto marks = plot_line(style.ink, 1);
    marks.MarkerLineColor = colour(style.ink);
    marks.MarkerSize = look().px(3);
    marks.Marker = series.peer ? kPeerMarkers[series.shape % kPeerMarkers.size()] : ImPlotMarker_Circle;
    marks.MarkerFillColor = colour(series.peer ? look().theme.panel : style.ink);
    ImPlot::PlotScatter("##marks", x.data(), y.data(), count, marks);
}

/// Kernel sizes below, and powers of ten of time at the left.
void set_up_axes(const Crossover& data, double right, double low, double high) {
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis, kPlotAxis);
    ImPlot::SetupAxesLimits(x_of(*data.sizes.begin()) - 0.1, right, low, high, ImPlotCond_Always);
    std::vector<double> x, y;
    std::vector<std::string> x_text, y_text;
    for (const int size : data.sizes) x.push_back(x_of(size)), x_text.push_back(std::to_string(size));
    for (double power = std::ceil(low); power <= high; ++power) {
        y.push_back(power);
        y_text.push_back(measure::short_time(std::pow(10, power)));
    }
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<const char*> all;
        for (const auto& text : texts) all.push_back(text.c_str());
        return all;
    };
    plot_ticks(ImAxis_X1, x, pointers(x_text));
    if (y.size() > 1) plot_ticks(ImAxis_Y1, y, pointers(y_text));
}

/// The names at the ends of the lines, moved apart where they would overlap.
void draw_names(const Crossover& data, const std::vector<Style>& styles) {
    const float line = ImGui::GetTextLineHeight();
    const auto corner = ImPlot::GetPlotPos();
    const auto size = ImPlot::GetPlotSize();
    std::vector<double> wanted;
    std::vector<ImVec2> ends;
    for (const auto& series : data.series) {
        const auto& last = series.last();
        ends.push_back(ImPlot::PlotToPixels(x_of(last.size), y_of(last.row->times->run.median)));
        wanted.push_back(ends.back().y);
    }
    const auto placed = measure::spread(wanted, line, corner.y + line / 2, corner.y + size.y - line / 2);
    const float x = ImPlot::PlotToPixels(x_of(*data.sizes.rbegin()), 0).x + look().px(12);
    auto* draw = ImPlot::GetPlotDrawList();
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto y = static_cast<float>(placed[i]);
        draw->AddLine({ends[i].x + look().px(4), ends[i].y}, {x - look().px(2), y},
                      colour_u32(look().theme.line));
        draw->AddText({x, y - line / 2}, colour_u32(styles[i].ink), data.series[i].label.c_str());
    }
}

void draw_wrong(const Crossover& data) {
    const float size = look().px(4), y = ImPlot::GetPlotPos().y + look().px(8);
    const auto ink = colour_u32(look().theme.error);
    auto* draw = ImPlot::GetPlotDrawList();
    for (const auto& [kernel, rows] : data.wrong) {
        const float x = ImPlot::PlotToPixels(x_of(kernel), 0).x;
        draw->AddLine({x - size, y - size}, {x + size, y + size}, ink, look().px(1.5f));
        draw->AddLine({x - size, y + size}, {x + size, y - size}, ink, look().px(1.5f));
        const auto text = measure::algorithm_name(*rows.front()) + " wrong";
        draw->AddText({x + 2 * size, y - ImGui::GetTextLineHeight() / 2}, ink, text.c_str());
    }
}

std::string tooltip_of(const Crossover& data) {
    std::string text = "Time over kernel size, both logarithmic. Own algorithms are solid, those of other "
                       "libraries dashed; a band is the interval of the median, a cross a wrong result.";
    for (const auto& [size, rows] : data.wrong)
        for (const auto* row : rows)
            text += "\n" + measure::algorithm_name(*row) + " is wrong at " + std::to_string(size) + ": " +
                    row->reason;
    return text;
}

} // namespace

void draw_bench_chart(const BenchReports& reports, float height) {
    const auto* family = reports.family();
    const auto data = measure::crossover(*family);
    if (data.timed_sizes < 2) return;
    const float width = ImGui::GetContentRegionAvail().x;
    const float caption = ImGui::GetTextLineHeightWithSpacing();
    const auto text = "Fastest over k, the longer side of the kernel: " + measure::crossover_text(*family);
    const CaptionedPlot plot("crossover", text.c_str(), tooltip_of(data), width,
                             (height - caption) / look().scale);
    if (!plot) return;
    float longest = 0;
    for (const auto& series : data.series)
        longest = std::max(longest, ImGui::CalcTextSize(series.label.c_str()).x);
    const double share = std::min(0.4f, (longest + look().px(20)) / (width - look().px(60)));
    const double first = x_of(*data.sizes.begin()) - 0.1, last = x_of(*data.sizes.rbegin());
    const double margin = data.wrong.empty() ? 0.06 : 0.2;
    const double low = y_of(data.low), high = y_of(data.high), range = std::max(high - low, 0.1);
    set_up_axes(data, first + (last - first) / (1 - share), low - 0.06 * range, high + margin * range);
    std::vector<Style> styles;
    const auto* chosen = reports.row();
    for (const auto& series : data.series) {
        const bool is_chosen = chosen &&
                               measure::algorithm_name(*chosen) ==
                                   measure::algorithm_name(*series.last().row) &&
                               chosen->engine == series.engine;
        styles.push_back(style_of(data, series, is_chosen));
        ImGui::PushID(static_cast<int>(styles.size()));
        for (const auto& run : series.runs) draw_run(series, run, styles.back());
        ImGui::PopID();
    }
    draw_names(data, styles);
    draw_wrong(data);
}

} // namespace kg::ui
