#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/plot.hpp"
#include "app/ui/workspaces/bench_panels.hpp"
#include "core/support/capital.hpp"
#include "measure/report/roofline.hpp"
#include "measure/report/row_text.hpp"
#include "measure/report/with_transfers.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace kg::ui {

namespace {

using measure::ReportRow;
using measure::Standing;

struct Span {
    const char* name;
    double us;
    Rgb ink;
    const char* tooltip;
};

/// Upload, filter and download of the row; the presentation is that of the image shown, if the row's
/// algorithm computed it.
std::vector<Span> spans_of(const Document& document, const ReportRow& row) {
    const auto& theme = look().theme;
    std::vector<Span> spans{
        {"Upload", row.times->upload.median, theme.disabled, "From host memory to the engine"},
        {"Filter", row.times->run.median, theme.accent, "The algorithm itself"},
        {"Download", row.times->download.median, theme.second, "From the engine to host memory"}};
    const auto& timings = document.timings();
    const auto& subject = timings.subject();
    const double shown = timings[TimingRow::presentation].typical();
    if (shown > 0 && subject.engine && subject.engine->device().id == row.engine &&
        subject.algorithm == row.algorithm)
        spans.push_back({"Presentation", shown, theme.line,
                         "From the engine to the screen's texture, as the Timing tab measured it"});
    return spans;
}

/// One bar for all of it, and a line for each part.
void draw_spans(const std::vector<Span>& spans) {
    double all = 0;
    for (const auto& span : spans) all += span.us;
    if (all <= 0) return;
    const auto at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = look().px(12);
    auto* draw = ImGui::GetWindowDrawList();
    float x = at.x;
    for (const auto& span : spans) {
        const float end = x + width * static_cast<float>(span.us / all);
        draw->AddRectFilled({x, at.y}, {std::max(end - look().px(1), x), at.y + height},
                            colour_u32(span.ink));
        x = end;
    }
    ImGui::Dummy({width, height});
    help("The parts of one result, one after the other");
    for (const auto& span : spans) {
        const auto corner = ImGui::GetCursorScreenPos();
        const float middle = corner.y + ImGui::GetTextLineHeight() / 2, size = look().px(4);
        draw->AddRectFilled({corner.x, middle - size}, {corner.x + 2 * size, middle + size},
                            colour_u32(span.ink));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(14));
        fact(span.name, measure::short_time(span.us) + ", " + measure::percent(span.us / all));
        help(span.tooltip);
    }
}

void draw_row(const Document& document, const Standing& standing, const ReportRow& row) {
    heading(standing.label(row), row.peer.empty() ? "ours" : "another library");
    if (!row.times) {
        notice(row.verdict == measure::Verdict::refused ? Tone::plain : Tone::warning,
               capitalised(measure::state_text(row)) + ": " + row.reason);
        return;
    }
    const auto& times = *row.times;
    fact("Without transfers", measure::time_text(times.run).text());
    fact("With transfers", measure::time_text(measure::with_transfers(times)).text());
    fact("5 to 95 %", measure::short_time(times.run.p5) + " to " + measure::short_time(times.run.p95));
    fact("Samples", std::to_string(times.run.samples) + ", each of " +
                        measure::counted(static_cast<std::size_t>(times.runs_per_sample), "run"));
    fact("First result", measure::short_time(times.first.plan_us + times.first.run_us));
    help("Planning and the first run, which loads modules and allocates memory");
    if (row.alone_us > 0) fact("Without conversions", measure::short_time(row.alone_us));
    if (row.processor_us > 0) fact("Processor time", measure::short_time(row.processor_us));
    if (const auto limit = measure::percent(row.of_limit); !limit.empty()) {
        fact("Of the limit", limit);
        help("The least time by copying or multiply-adds, whichever is longer, as a fraction of the median");
    }
    fact("Differ", measure::difference_text(row.differing, row.checked, measure::samples_of(row)));
    fact("Largest error",
         compact_number(row.max_error, 8) + ", allowed " + compact_number(row.error_bound, 8));
    help("In units of the result");
    space();
    heading("Where the time goes");
    draw_spans(spans_of(document, row));
}

void draw_roof(const measure::ReportLimits& limits, const measure::RooflineBounds& bounds) {
    const double ridge = limits.multiply_adds_g_per_s / limits.copy_gb_per_s;
    const double x[]{std::log10(bounds.left), std::log10(ridge), std::log10(bounds.right)};
    const double top = std::log10(limits.multiply_adds_g_per_s);
    const double y[]{std::log10(bounds.left * limits.copy_gb_per_s), top, top};
    ImPlot::PlotLine("##roof", x, y, 3, plot_line(look().theme.disabled, 1.5f));
}

std::string roofline_tooltip(const measure::ReportDevice& device) {
    return "Multiply-adds a second over multiply-adds for each byte read or written. The line is the roof of "
           "this device, measured: a copy moves " +
           std::to_string(std::lround(device.limits.copy_gb_per_s)) + " GB/s, and it does " +
           std::to_string(std::lround(device.limits.multiply_adds_g_per_s)) +
           " G multiply-adds a second. Above it are algorithms that need fewer products.";
}

/// The requests of the report on the row's device; the chosen row is the large dot.
void draw_roofline(const RankedReport& shown, const ReportRow& row) {
    const auto* device = measure::device_of(shown.report, row.engine);
    if (!device) return;
    const auto points = measure::roofline_points(*device, shown.standings);
    if (points.empty()) {
        space();
        note("Roofline: not measured, because " + measure::why_no_roofline(device->limits) + ".");
        return;
    }
    const double ridge = device->limits.multiply_adds_g_per_s / device->limits.copy_gb_per_s;
    const auto bounds = measure::roofline_bounds(device->limits, points);
    space();
    const CaptionedPlot plot("roofline", "Roofline: G multiply-adds a second", roofline_tooltip(*device),
                             ImGui::GetContentRegionAvail().x, 132);
    if (!plot) return;
    ImPlot::SetupAxes(nullptr, nullptr, kPlotAxis, kPlotAxis);
    ImPlot::SetupAxesLimits(std::log10(bounds.left), std::log10(bounds.right), std::log10(bounds.low),
                            std::log10(bounds.high), ImPlotCond_Always);
    const auto ridge_text = compact_number(ridge, 4);
    const auto roof_text = compact_number(std::round(device->limits.multiply_adds_g_per_s), 5);
    plot_ticks(ImAxis_X1, {std::log10(ridge)}, {ridge_text.c_str()});
    plot_ticks(ImAxis_Y1, {std::log10(device->limits.multiply_adds_g_per_s)}, {roof_text.c_str()});
    draw_roof(device->limits, bounds);
    const auto& theme = look().theme;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& point = points[i];
        const bool chosen = point.row == &row;
        auto spec = plot_line(chosen ? theme.accent : point.row->peer.empty() ? theme.data_a : theme.second);
        spec.Marker = point.row->peer.empty() ? ImPlotMarker_Circle : ImPlotMarker_Diamond;
        spec.MarkerSize = look().px(chosen ? 5 : 3);
        spec.MarkerLineColor = spec.LineColor;
        spec.MarkerFillColor = point.row->peer.empty() ? spec.LineColor : colour(theme.panel);
        const double x = std::log10(point.intensity), y = std::log10(point.rate);
        ImGui::PushID(static_cast<int>(i));
        ImPlot::PlotScatter("##point", &x, &y, 1, spec);
        ImGui::PopID();
    }
}

void draw_machine(const RankedReport& shown) {
    const auto& report = shown.report;
    heading("Machine");
    for (const auto& device : report.devices)
        note(upper_case(device.engine) + ": " + measure::device_text(device));
    note(report.host);
    note("Kernelglass " + report.version + ", " + report.date);
    for (const auto& absent : report.absent) note("Absent: " + absent);
}

} // namespace

void draw_bench_details(const Document& document, const BenchReports& reports, const BenchState& state,
                        BenchDifference& difference, const BenchActions& actions) {
    const auto* row = reports.row();
    if (!row) {
        heading("Details");
        note("The times of the chosen algorithm and the limits of the machine appear here.");
        return;
    }
    draw_row(document, *reports.standing(), *row);
    space();
    difference.draw(document, reports, state, actions);
    draw_roofline(*reports.shown(), *row);
    space();
    draw_machine(*reports.shown());
}

} // namespace kg::ui
