#include "app/bench/slider_report.hpp"

#include "measure/report/json_document.hpp"
#include "measure/report/row_text.hpp"

namespace kg {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SliderFigure& figure) {
    const auto& us = figure.us;
    return {{"name", figure.name}, {"median_us", us.median},          {"p5_us", us.p5},
            {"p95_us", us.p95},    {"longest_us", figure.longest_us}, {"samples", us.samples}};
}

Json json_of(const SliderRow& row) {
    auto figures = Json::array();
    for (const auto& figure : row.figures) figures.push_back(json_of(figure));
    return {{"name", row.name},
            {"reason", row.reason},
            {"algorithm", row.algorithm},
            {"predicted_us", row.predicted_us > 0 ? Json(row.predicted_us) : Json(nullptr)},
            {"edits", row.edits},
            {"shown", row.shown},
            {"previews", row.previews},
            {"proved", row.verified},
            {"finest", row.finest},
            {"coarsest", row.coarsest},
            {"figures", figures}};
}

std::string line_of(const SliderRow& row) {
    std::string text = row.name + ":";
    if (!row.reason.empty()) return text + " " + row.reason;
    for (const auto& figure : row.figures)
        text += (&figure == &row.figures.front() ? " " : ", ") + figure.name + " " +
                measure::short_time(figure.us.median) + " (p95 " + measure::short_time(figure.us.p95) +
                ", at most " + measure::short_time(figure.longest_us) + ")";
    text += "; " + std::to_string(row.shown) + " images for " + std::to_string(row.edits) + " edits, " +
            std::to_string(row.verified) + " of them read back and compared";
    if (row.previews == 0) return text;
    text += ", " + std::to_string(row.previews) + " previews";
    if (row.coarsest > 1)
        text += " 1:" + std::to_string(row.finest) +
                (row.finest == row.coarsest ? "" : " to 1:" + std::to_string(row.coarsest));
    return text;
}

} // namespace

std::vector<SliderMeaning> slider_meanings() {
    return {
        {"first",
         "steady clock, from the due time of an edit (which a busy drawing thread may delay) until OpenGL "
         "has the first pixels of its result, or of a newer edit's, in the texture, from a preview or the "
         "whole result; every edit counts, also those without an image of their own"},
        {"drawn", "steady clock, the same until OpenGL has drawn them into a view of the image's size; "
                  "only where a GPU draws"},
        {"computed", "steady clock, from the edit of an image until its pixels are in the engine's memory"},
        {"to_texture",
         "steady clock, from the arrival of the pixels at the drawing thread until the texture holds them: "
         "download, upload and OpenGL's own work"},
        {"whole",
         "steady clock, from the time of the drag's last edit until the texture holds its whole result"},
        {"draw", "steady clock, measured separately: the image pass alone, of the last image into a view of "
                 "its size, until OpenGL is done"},
    };
}

std::string to_json(const SliderReport& report) {
    auto meanings = Json::array(), rows = Json::array();
    for (const auto& meaning : slider_meanings())
        meanings.push_back({{"name", meaning.name}, {"is", meaning.is}});
    for (const auto& row : report.rows) rows.push_back(json_of(row));
    return measure::json_lines({
        {"schema", "kernelglass-slider/" + std::to_string(SliderReport::kSchema)},
        {"version", report.version},
        {"date", report.date},
        {"host", report.host},
        {"complete", report.complete},
        {"seconds", report.seconds},
        {"period_us", SliderReport::kPeriodMicroseconds},
        {"width", report.size.width},
        {"height", report.size.height},
        {"depth", name(report.format.depth)},
        {"channels", report.format.channels},
        {"engine", report.device.engine},
        {"device", report.device.name},
        {"description", report.device.description},
        {"context", report.context},
        {"renderer", report.renderer},
        {"path", report.path},
        {"meanings", meanings},
        {"rows", rows},
    });
}

std::string to_text(const SliderReport& report) {
    std::string text = measure::device_text(report.device) + "\n" + std::to_string(report.size.width) +
                       " x " + std::to_string(report.size.height) + ", an edit every " +
                       measure::short_time(SliderReport::kPeriodMicroseconds) + ", shown by " + report.path +
                       " (" + report.context + ")\n";
    for (const auto& row : report.rows) text += line_of(row) + "\n";
    return text + (report.complete ? "" : "Stopped before the end.\n");
}

} // namespace kg
