#include "app/ui/panels/kernel_plots.hpp"

#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/plot.hpp"
#include "filters/kernel/response_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace kg::ui {

namespace {

constexpr float kSquarePlot = 116, kLow = 76; ///< heights of the rows

struct Range {
    double low = 0, high = 1;
};
/// With a margin, and never empty.
Range range_of(const std::vector<double>& values, Range at_least = {0, 0}) {
    auto r = at_least;
    for (const double v : values) r.low = std::min(r.low, v), r.high = std::max(r.high, v);
    if (r.high <= r.low) r.high = r.low + 1;
    const double margin = (r.high - r.low) / 12;
    return {r.low - (r.low < 0 ? margin : 0), r.high + margin};
}

void frequency_map(const Response& r, float width) {
    const CaptionedPlot plot("frequencies", "Cycles per pixel",
                             detail_text(r) +
                                 " White is the strongest frequency; the middle is the mean brightness.",
                             width, kSquarePlot);
    if (!plot) return;
    constexpr double kBegin = -0.5 - 0.5 / Response::kSize, kEnd = 0.5 - 0.5 / Response::kSize;
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis | ImPlotAxisFlags_NoGridLines,
                      kPlotAxis | ImPlotAxisFlags_NoGridLines | ImPlotAxisFlags_Invert);
    ImPlot::SetupAxesLimits(kBegin, kEnd, kBegin, kEnd, ImPlotCond_Always);
    for (const auto axis : {ImAxis_X1, ImAxis_Y1}) plot_ticks(axis, {-0.4, 0, 0.4}, {"-.4", "0", ".4"});
    ImPlot::PushColormap(ImPlotColormap_Greys); // from white to black
    const double most = std::max(r.largest(), 1e-300);
    ImPlot::PlotHeatmap("##map", r.magnitude.data(), Response::kSize, Response::kSize, most, 0, nullptr,
                        {kBegin, kBegin}, {kEnd, kEnd});
    ImPlot::PopColormap();
}

void radial_curve(const Response& r, float width) {
    const CaptionedPlot plot("radial", "Radial response", radial_text(r), width, kSquarePlot);
    if (!plot) return;
    const std::vector<double> values(r.radial.begin(), r.radial.end());
    const auto range = range_of(values);
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis, kPlotAxis);
    ImPlot::SetupAxesLimits(0, 0.52, 0, range.high, ImPlotCond_Always);
    plot_ticks(ImAxis_X1, {0, 0.25, 0.5}, {"0", ".25", ".5"});
    const double top = std::ranges::max(values);
    const auto text = format_number(top, top < 10 ? 2 : 0);
    plot_ticks(ImAxis_Y1, {0, top}, {"0", text.c_str()});
    ImPlot::PlotLine("##line", values.data(), static_cast<int>(values.size()), 1.0 / Response::kSize, 0,
                     plot_line(look().theme.data_b));
}

/// A profile with the sequence before it, both as stairs: one step a pixel.
void profile_plot(const char* id, const char* caption, const std::string& tooltip,
                  const Response::Profile& profile, bool is_edge, float width) {
    const CaptionedPlot plot(id, caption, tooltip, width, kLow);
    if (!plot) return;
    const auto count = static_cast<long>(profile.values.size());
    const auto last = profile.first + (count - 1) * profile.every;
    const double from = static_cast<double>(std::min(profile.first, -2L)) - 0.5,
                 to = static_cast<double>(std::max(last, 2L)) + 0.5;
    const auto range = range_of(profile.values, {0, is_edge ? 1.0 : 0.0});
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis | ImPlotAxisFlags_NoGridLines, kPlotAxis);
    ImPlot::SetupAxesLimits(from, to, range.low, range.high, ImPlotCond_Always);
    const auto left = std::to_string(std::min(profile.first, -2L)),
               right = std::to_string(std::max(last, 2L));
    plot_ticks(ImAxis_X1, {from + 0.5, 0, to - 0.5}, {left.c_str(), "0", right.c_str()});
    plot_ticks(ImAxis_Y1, {0}, {"0"});
    std::vector<double> x{from}, y{0}; // before the profile, and after it
    for (long i = 0; i < count; ++i) {
        x.push_back(static_cast<double>(profile.first + i * profile.every) - 0.5);
        y.push_back(profile.values[static_cast<std::size_t>(i)]);
    }
    x.push_back(static_cast<double>(last) + 0.5);
    y.push_back(is_edge ? y.back() : 0);
    x.push_back(to);
    y.push_back(y.back());
    if (is_edge) {
        const double edge_x[]{from, -0.5, to}, edge_y[]{0, 1, 1};
        ImPlot::PlotStairs("##edge", edge_x, edge_y, 3, plot_line(look().theme.disabled, 1));
    }
    ImPlot::PlotStairs("##line", x.data(), y.data(), static_cast<int>(x.size()),
                       plot_line(look().theme.data_b));
}

std::string singular_text(const SingularValues& s) {
    char text[160];
    if (s.share() > 1 - 1e-9)
        return "One value alone: the kernel is a column times a row, and can be computed in two passes.";
    std::snprintf(text, sizeof text,
                  "How much each product of a column and a row adds. The first has %.3g %% of the energy.",
                  100 * s.share());
    return text;
}

void singular_bars(const SingularValues& s, float width) {
    const CaptionedPlot plot("singular", "Singular values", singular_text(s), width, kLow);
    if (!plot) return;
    const auto is_some = [&](double value) { return value > 1e-6 * s.values.front(); };
    const auto count = std::max<std::size_t>(
        static_cast<std::size_t>(std::ranges::count_if(s.values, is_some)), 3);
    const auto range = range_of(s.values);
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis | ImPlotAxisFlags_NoGridLines, kPlotAxis);
    ImPlot::SetupAxesLimits(0.3, static_cast<double>(count) + 0.7, 0, range.high, ImPlotCond_Always);
    const auto most = std::to_string(count);
    plot_ticks(ImAxis_X1, {1, static_cast<double>(count)}, {"1", most.c_str()});
    const auto text = format_number(s.values.front(), s.values.front() < 10 ? 2 : 0);
    plot_ticks(ImAxis_Y1, {0, s.values.front()}, {"0", s.values.front() > 0 ? text.c_str() : ""});
    ImPlot::PlotBars("##bars", s.values.data(), static_cast<int>(std::min(count, s.values.size())), 0.67, 1,
                     plot_line(look().theme.data_b));
}

/// Both profiles on one axis, centred. The names stand at the ends of the lines.
void factor_lines(const SingularValues& s, float width) {
    const CaptionedPlot plot("factors", "Column (thick), row",
                             "The column and the row whose product is the kernel, or comes closest to it.",
                             width, kLow);
    if (!plot) return;
    auto both = s.column;
    both.insert(both.end(), s.row.begin(), s.row.end());
    const auto range = range_of(both);
    const double reach = static_cast<double>(std::max(s.column.size(), s.row.size())) / 2;
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis | ImPlotAxisFlags_NoGridLines, kPlotAxis);
    ImPlot::SetupAxesLimits(-reach - 0.5, reach + 0.5, range.low, range.high, ImPlotCond_Always);
    plot_ticks(ImAxis_X1, {0}, {"0"});
    plot_ticks(ImAxis_Y1, {0}, {"0"});
    const auto draw = [](const char* id, const std::vector<double>& values, Rgb c, float weight) {
        auto spec = plot_line(c, weight);
        if (values.size() <= 31) {
            spec.Marker = ImPlotMarker_Circle;
            spec.MarkerSize = look().px(2);
            spec.MarkerFillColor = spec.MarkerLineColor = colour(c);
        }
        ImPlot::PlotLine(id, values.data(), static_cast<int>(values.size()), 1,
                         -static_cast<double>(values.size() - 1) / 2, spec);
    };
    draw("##column", s.column, look().theme.data_a, 3); // wider, so that it shows behind an equal row
    draw("##row", s.row, look().theme.data_b, 1.5f);
}

} // namespace

void kernel_plots(const KernelNumbers& numbers) {
    const auto& r = numbers.response;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float half = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
    frequency_map(r, half);
    ImGui::SameLine();
    radial_curve(r, half);
    profile_plot("impulse", "Impulse response", impulse_text(r) + " " + noise_text(r), r.impulse, false,
                 half);
    ImGui::SameLine();
    profile_plot("step", "Step response", edge_text(r), r.step, true, half);
    if (!numbers.singular) {
        note("Singular values are computed up to 31 x 31, and for larger kernels that are a column times a "
             "row.");
        return;
    }
    singular_bars(*numbers.singular, half);
    ImGui::SameLine();
    factor_lines(*numbers.singular, half);
}

} // namespace kg::ui
