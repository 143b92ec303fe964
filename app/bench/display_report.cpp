#include "app/bench/display_report.hpp"

#include "app/bench/sweep.hpp"
#include "measure/report/json_document.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

using Json = nlohmann::ordered_json;

std::string format_text(const PixelFormat& format) {
    return std::string(name(format.depth)) + "x" + std::to_string(format.channels) +
           (format.alpha >= 0 ? "a" : "");
}

Json known(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json json_of(const DisplayFigure& figure) {
    const auto& us = figure.us;
    return {{"name", figure.name},    {"median_us", us.median},   {"p5_us", us.p5},       {"p95_us", us.p95},
            {"ci_low_us", us.ci_low}, {"ci_high_us", us.ci_high}, {"samples", us.samples}};
}

Json json_of(const DisplayRow& row) {
    const bool drag = row.what == DisplayRow::What::drag;
    auto figures = Json::array();
    for (const auto& figure : row.figures) figures.push_back(json_of(figure));
    return {{"name", name(row)},
            {"what", name(row.what)},
            {"path", row.path},
            {"mode", row.mode},
            {"width", row.size.width},
            {"height", row.size.height},
            {"depth", name(row.format.depth)},
            {"channels", row.format.channels},
            {"alpha", row.format.alpha >= 0},
            {"kernel_width", drag ? Json(row.kernel.width) : Json(nullptr)},
            {"kernel_height", drag ? Json(row.kernel.height) : Json(nullptr)},
            {"algorithm", row.algorithm},
            {"stopped", row.stopped},
            {"reason", row.reason},
            {"clock_mhz", known(row.clock_mhz)},
            {"throttled", row.throttled},
            {"within_frame", drag && row.reason.empty() ? Json(row.within_frame) : Json(nullptr)},
            {"figures", figures}};
}

const DisplayFigure* find(const DisplayRow& row, std::string_view figure) {
    const auto found = std::ranges::find(row.figures, figure, &DisplayFigure::name);
    return found == row.figures.end() ? nullptr : &*found;
}

std::string line_of(const DisplayRow& row) {
    std::string text = name(row) + ":";
    if (!row.reason.empty()) return text + " " + row.reason;
    for (const auto& figure : row.figures)
        text += (&figure == &row.figures.front() ? " " : ", ") + figure.name + " " +
                measure::short_time(figure.us.median) + " (p95 " + measure::short_time(figure.us.p95) + ")";
    if (row.what == DisplayRow::What::drag)
        text += ", " + std::to_string(std::lround(100 * row.within_frame)) + " % within a frame";
    return text;
}

/// The largest kernel with which the image follows a slider, on the window's presentation path.
std::string verdict_of(const DisplayReport& report) {
    const DisplayRow *follows = nullptr, *lags = nullptr;
    for (const auto& row : report.rows) {
        const auto* pixels = find(row, "pixels");
        const bool usual = row.path == (report.no_interop.empty() ? "interop" : "host upload");
        if (row.what != DisplayRow::What::drag || !pixels || !usual) continue;
        auto& which = pixels->us.p95 <= kFrameMicroseconds ? follows : lags;
        const bool better = !which || (&which == &follows ? row.kernel.width > which->kernel.width
                                                          : row.kernel.width < which->kernel.width);
        if (better) which = &row;
    }
    if (!follows && !lags) return "No verdict on dragging a slider: no such row has figures.";
    const auto row_text = [](const DisplayRow& row) {
        return extent_text(row.size) + " at " + extent_text(row.kernel) + " (p95 " +
               measure::short_time(find(row, "pixels")->us.p95) + ")";
    };
    if (!follows) return "A slider is not followed at 60 frames a second even by " + row_text(*lags) + ".";
    return "A slider is followed at 60 frames a second by " + row_text(*follows) +
           (lags ? "; not by " + row_text(*lags) : "") + ".";
}

} // namespace

std::string_view name(DisplayRow::What what) {
    switch (what) {
    case DisplayRow::What::presentation: return "presentation";
    case DisplayRow::What::write: return "write";
    case DisplayRow::What::draw: return "draw";
    case DisplayRow::What::drag: return "drag";
    }
    return "";
}

std::string name(const DisplayRow& row) {
    std::string text(name(row.what));
    if (!row.path.empty()) text += "/" + (row.path == "host upload" ? "host" : row.path);
    text += "/" + extent_text(row.size) + "/" + format_text(row.format);
    if (row.what == DisplayRow::What::drag) text += "/k" + extent_text(row.kernel);
    return text + "/" + row.mode;
}

std::vector<FigureMeaning> figure_meanings() {
    return {
        {"map",
         "GPU time from the event before cudaGraphicsMapResources to the one after it, on the presentation's "
         "stream; holds its wait for OpenGL's earlier work"},
        {"pack", "GPU time of the kernel that writes the pixels into the texture"},
        {"unmap", "GPU time from the event before cudaGraphicsUnmapResources to the one after it"},
        {"presentation",
         "interop: map, pack (or write) and unmap together; host upload: the download into pinned "
         "memory; on the engine's clock"},
        {"register_submit", "the drawing thread's time to make a texture and register it with CUDA; only for "
                            "presentations that need a new one"},
        {"map_submit", "the drawing thread's time to enqueue the mapping, including the event before it"},
        {"pack_submit", "the same for the surface and the kernel"},
        {"write_submit", "the same for the write of the pixels"},
        {"unmap_submit", "the same for the end of the mapping"},
        {"presentation_submit",
         "the drawing thread's time. Interop: until all of the presentation is queued; host upload: "
         "copying rows, and glTextureSubImage2D"},
        {"presentation_gl",
         "OpenGL's clock. Interop: the time it is blocked, from before the mapping until after the "
         "unmapping: the switch to CUDA, presentation meanwhile, and the switch back, but not the wait for "
         "earlier drawing; host upload: from the first command of the upload to the end of the last"},
        {"first_draw", "OpenGL's clock: drawing 16 x 16 pixels of the new texture, the first use of it"},
        {"take_over", "OpenGL's clock: from the pixel buffer into the texture; holds its wait for CUDA"},
        {"take_over_submit", "the drawing thread's time to enqueue it"},
        {"step",
         "steady clock, from the start of one write to the start of the next, where each waits only for the "
         "third write before it"},
        {"shown",
         "steady clock, from presenting a finished result until OpenGL is idle, which includes first_draw in "
         "a presentation; the thread polls, for the first 10 ms without sleeping"},
        {"busy", "OpenGL's clock: the competing drawing that was queued before the presentation"},
        {"draw", "OpenGL's clock: the image pass into the view, including halved sizes of the new image "
                 "where it is minified"},
        {"draw_submit", "the drawing thread's time for it"},
        {"drawn", "steady clock, from the beginning of drawing until OpenGL is done"},
        {"plan",
         "steady clock, from the changed weights to a plan: the request is checked and an algorithm chosen"},
        {"filter_submit", "the thread's time to queue the filter"},
        {"filter", "the filter on the engine's clock, conversions included"},
        {"queued", "steady clock, from the changed weights until the new texture is used by all drawing that "
                   "follows"},
        {"gpu", "filter and presentation together, where both are on the GPU's clock"},
        {"pixels",
         "steady clock, from the changed weights until the view is drawn and OpenGL is done: plan, filter, "
         "presentation, draw; weights and output buffers exist before"},
    };
}

std::string to_json(const DisplayReport& report) {
    auto meanings = Json::array(), rows = Json::array();
    for (const auto& meaning : figure_meanings())
        meanings.push_back({{"name", meaning.name}, {"is", meaning.is}});
    for (const auto& row : report.rows) rows.push_back(json_of(row));
    const Json device{
        {"engine", report.device.engine},
        {"name", report.device.name},
        {"description", report.device.description},
        {"driver", report.device.driver},
        {"clocks",
         {{"now_mhz", known(report.device.clock_mhz)}, {"most_mhz", known(report.device.most_mhz)}}}};
    const Json opengl{{"context", report.context},
                      {"vendor", report.vendor},
                      {"renderer", report.renderer},
                      {"view_width", report.view.width},
                      {"view_height", report.view.height}};
    return measure::json_lines({
        {"schema", "kernelglass-display/" + std::to_string(DisplayReport::kSchema)},
        {"version", report.version},
        {"date", report.date},
        {"host", report.host},
        {"complete", report.complete},
        {"seconds", report.seconds},
        {"frame_us", kFrameMicroseconds},
        {"device", device},
        {"opengl", opengl},
        {"no_interop", report.no_interop},
        {"meanings", meanings},
        {"rows", rows},
    });
}

std::string to_text(const DisplayReport& report) {
    std::string text = verdict_of(report) + "\n" + measure::device_text(report.device) + "\n" +
                       "OpenGL: " + report.context + " (" + report.vendor + "), into a view of " +
                       extent_text(report.view) + "\n";
    if (!report.no_interop.empty()) text += "No interop: " + report.no_interop + "\n";
    for (const auto& row : report.rows) text += line_of(row) + "\n";
    return text + (report.complete ? "" : "Stopped before the end.\n");
}

} // namespace kg
