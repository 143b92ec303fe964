#include "measure/report/formats.hpp"
#include "measure/report/html/charts.hpp"
#include "measure/report/html/html_parts.hpp"
#include "measure/report/html/svg.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

/// The policy prevents the page from loading anything, whatever its content.
const std::string kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>)";

/// Widths in pixels: two drawings, each legible on its kind of screen.
constexpr double kWide = 900, kNarrow = 350;

std::string section(const std::string& title, const std::string& note, const std::string& content) {
    if (content.empty()) return {};
    return "<section>\n<h2>" + title + "</h2>\n" +
           (note.empty() ? "" : "<p class=\"note\">" + html_escaped(note) + "</p>\n") + content +
           "</section>\n";
}

std::string summary(const TextTable& table) { return section(table.title, "", summary_table(table)); }

std::string chips(const BenchReport& report) {
    const auto count = [&](auto&& which) {
        return static_cast<std::size_t>(std::ranges::count_if(report.rows, which));
    };
    const auto has = [](Verdict verdict) {
        return [=](const ReportRow& row) { return row.verdict == verdict; };
    };
    std::string text;
    const auto chip = [&](const char* style, std::size_t number, const std::string& label) {
        if (number > 0)
            text += std::string("<li class=\"") + style + "\">" + std::to_string(number) + " " + label +
                    "</li>\n";
    };
    chip("good", count([](const ReportRow& row) { return row.times.has_value(); }),
         "verified right and timed");
    chip("bad", count(has(Verdict::wrong)), "wrong");
    chip("bad", count(has(Verdict::failed)), "failed");
    chip("note", count(has(Verdict::refused)), "refused");
    chip("warn", count(has(Verdict::stopped)), "not measured");
    chip("warn", count([](const ReportRow& row) { return !row.throttled.empty(); }), "throttled");
    chip("warn", count([](const ReportRow& row) { return row.times && row.times->run.drift != 0; }),
         "changed while measured");
    chip("warn", count([](const ReportRow& row) { return row.times && row.times->run.too_few; }),
         "with too few samples");
    if (!report.complete) text += "<li class=\"warn\">not complete</li>\n";
    return text.empty() ? "" : "<ul class=\"chips\">\n" + text + "</ul>\n";
}

std::string machine(const BenchReport& report) {
    std::string text;
    const auto entry = [&](const std::string& what, const std::string& text_of_entry) {
        if (!text_of_entry.empty())
            text += "<dt>" + html_escaped(what) + "</dt><dd>" + html_escaped(text_of_entry) + "</dd>\n";
    };
    for (const auto& device : report.devices) entry(device.engine, device_text(device));
    for (const auto& absent : report.absent) entry("absent", absent);
    entry("host", report.host);
    entry("measured", report.date + (report.seconds > 0 ? ", in " + short_time(report.seconds * 1e6) : ""));
    entry("version", report.version);
    entry("work", report.title);
    return text.empty() ? "" : "<dl>\n" + text + "</dl>\n";
}

/// The first family is open, the others folded: a sweep has dozens.
std::string crossovers(const std::vector<Standing>& standings, FamilyAxis axis) {
    std::string text;
    for (const auto& family : families(standings, axis)) {
        const auto wide = crossover_chart(family, kWide, "wide");
        if (wide.empty()) continue;
        text += std::string(text.empty() ? "<details open>" : "<details>") + "<summary>" +
                html_escaped(family.name) + "</summary>\n" + wide +
                crossover_chart(family, kNarrow, "narrow") + "</details>\n";
    }
    return text;
}

std::string rooflines(const BenchReport& report, const std::vector<Standing>& standings) {
    std::string text;
    for (const auto& device : report.devices) {
        const auto wide = roofline_chart(device, standings, kWide, "wide");
        if (!wide.empty())
            text += "<details open><summary>" + html_escaped(device.engine + ": " + device.name) +
                    "</summary>\n" + wide + roofline_chart(device, standings, kNarrow, "narrow") +
                    "</details>\n";
    }
    return text;
}

} // namespace

std::string to_html(const BenchReport& report) {
    const auto all = standings(report);
    const auto words = words_for(all.empty() ? RowKind::image : kind_of(all.front().any()));
    const std::string kernel_size(words.kernel_size), input_size(words.input_size);
    const auto headline = html_escaped(verdict(report, all));
    const auto rows = section("All rows",
                              "Bars show the time relative to the slowest algorithm of the same request; "
                              "those of other libraries are "
                              "hatched.",
                              rows_table(all));
    const auto charts =
        section("Time over " + kernel_size,
                "Both axes are logarithmic. Ours are solid, those of other libraries dashed; the band is the "
                "interval of the median.",
                crossovers(all, FamilyAxis::kernel_size)) +
        section("Time over " + input_size,
                "Likewise, of requests that differ in the " + input_size + " alone.",
                crossovers(all, FamilyAxis::image_size)) +
        section(
            "How near to the limit",
            "The sloped line is what copying allows, the flat one what multiply-adds allow. Above them are "
            "algorithms that need fewer products than the request has. The fastest algorithm of each request "
            "is named.",
            rooflines(report, all));
    // For a single request the table comes first, for a sweep the charts.
    return kHead + headline + "</title>\n<style>\n" + html_style() +
           "</style>\n</head>\n<body>\n<main>\n<header><span>Kernelglass, every algorithm, verified "
           "and then "
           "timed</span></header>\n<h1>" +
           headline + "</h1>\n" + chips(report) + machine(report) +
           section("Fastest by " + kernel_size,
                   "The median of one run, and the interval that holds the true median with 95 %.",
                   winners_table(all)) +
           summary(ahead_table(all)) + summary(slower_choices_table(all)) +
           (all.size() == 1 ? rows + charts : charts + rows) + "</main>\n<script>" + html_script() +
           "</script>\n</body>\n</html>\n";
}

} // namespace kg::measure
