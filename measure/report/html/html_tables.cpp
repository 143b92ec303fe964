#include "measure/report/html/html_parts.hpp"

#include "measure/report/html/svg.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kg::measure {

namespace {

using KernelSize = std::pair<int, int>;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::string cell(const char* style, const std::string& text) {
    return std::string("<td") + (*style ? std::string(" class=\"") + style + "\"" : "") + ">" +
           html_escaped(text) + "</td>";
}

/// Text with the number that it is sorted by.
std::string cell(const char* style, const std::string& text, double value) {
    return std::string("<td class=\"") + style + "\" data-v=\"" + number(value) + "\">" + html_escaped(text) +
           "</td>";
}

std::string head(const std::vector<std::string>& columns, std::size_t first_number, std::size_t last_number) {
    std::string text = "<thead><tr>";
    for (std::size_t i = 0; i < columns.size(); ++i)
        text += std::string(i >= first_number && i <= last_number ? "<th class=\"n\">" : "<th>") +
                html_escaped(columns[i]) + "</th>";
    return text + "</tr></thead>\n<tbody>\n";
}

/// Lines under a head in a box that scrolls; lines beyond `most` are folded below.
std::string table_of(const char* style, const std::string& head, const std::vector<std::string>& lines,
                     std::size_t most) {
    const auto box = [&](std::size_t begin, std::size_t end) {
        auto text = "<div class=\"scroll\"><table" + std::string(style) + ">" + head;
        for (auto i = begin; i < end; ++i) text += lines[i];
        return text + "</tbody></table></div>\n";
    };
    const auto shown = std::min(most, lines.size());
    if (shown == lines.size()) return box(0, shown);
    return box(0, shown) + "<details><summary>" + std::to_string(lines.size() - shown) + " more</summary>\n" +
           box(shown, lines.size()) + "</details>\n";
}

std::string winner(const Standing& standing) {
    if (standing.timed.empty()) return "<td class=\"bad\">none has a time</td>";
    const auto& best = *standing.timed.front();
    const auto time = time_text(best.times->run);
    const bool ours = std::ranges::any_of(
        standing.timed, [&](const ReportRow* row) { return row->peer.empty() && standing.leads(*row); });
    std::string text = ours ? "<td>" : "<td class=\"peer\">";
    text += "<b>" + html_escaped(standing.label(best)) + "</b><span class=\"time\">" + time.text() +
            "</span>";
    text += "<span class=\"note\">" + html_escaped(lead_text(standing)) + "</span>";
    return text + "</td>";
}

std::string verification_of(const ReportRow& row) {
    if (!row.times) return state_text(row);
    if (row.differing == 0) return "0 of " + count_text(row.checked) + " differ";
    char error[64];
    std::snprintf(error, sizeof error, ", by %.3g of %.3g", row.max_error, row.error_bound);
    return count_text(row.differing) + " of " + count_text(row.checked) + " differ" + error;
}

/// Includes a cell for the time without conversions where the table has that column.
std::string line_of(const Standing& standing, const ReportRow& row, bool alone) {
    std::string style = row.verdict == Verdict::wrong || row.verdict == Verdict::failed ? "wrong"
                        : standing.leads(row)                                           ? "best"
                                                                                        : "";
    if (!row.peer.empty()) style += style.empty() ? "peer" : " peer";
    auto text = (style.empty() ? "<tr>" : "<tr class=\"" + style + "\">") + cell("w", algorithm_name(row)) +
                cell("", row.engine) +
                cell("n", kernel_text(row), static_cast<double>(row.kernel_width) * row.kernel_height);
    if (row.times) {
        const auto& times = *row.times;
        const auto time = time_text(times.run);
        const auto slowest = standing.timed.back()->times->run.median;
        const auto percentage = slowest > 0 ? 100 * times.run.median / slowest : 100;
        text += cell("n", time.median, times.run.median) + cell("n", time.interval, times.run.ci_low) +
                (!alone             ? ""
                 : row.alone_us > 0 ? cell("n", short_time(row.alone_us), row.alone_us)
                                    : cell("n", "")) +
                "<td class=\"bar\" data-v=\"" + number(times.run.median) +
                "\"><i style=\"width:" + coordinate(percentage) + "%\"></i></td>" +
                (row.of_limit > 0 ? cell("n", percent(row.of_limit), row.of_limit) : cell("n", "")) +
                cell("n", short_time(times.first.plan_us + times.first.run_us),
                     times.first.plan_us + times.first.run_us) +
                cell("n", short_time(times.upload.median), times.upload.median) +
                cell("n", short_time(times.download.median), times.download.median);
        text += cell("v", verification_of(row)) + cell("t", joined(remarks(row, standing.ties(row)), ", "));
    } else { // the reason spans the columns of the missing numbers
        text += "<td class=\"why\" colspan=\"" + std::to_string(alone ? 10 : 9) + "\"><span>" +
                html_escaped(verification_of(row)) + "</span>" +
                (row.reason.empty() ? "" : ": " + html_escaped(row.reason)) + "</td>";
    }
    text += cell("n", size_text(row), static_cast<double>(point_count(row))) + cell("w", values_text(row)) +
            cell("", row.border) + cell("t", row.filter) +
            cell("", row.cold              ? "cold"
                     : is_partly_warm(row) ? "partly warm"
                                           : "warm");
    return text + "</tr>\n";
}

} // namespace

std::string winners_table(const std::vector<Standing>& standings) {
    if (standings.size() < 2) return {};
    const auto all = families(standings);
    std::set<std::tuple<int, KernelSize, std::string>> sizes; // by their longer extent
    for (const auto& standing : standings) {
        const auto& row = standing.any();
        sizes.insert({kernel_size(row), {row.kernel_width, row.kernel_height}, kernel_text(row)});
    }
    std::vector<std::string> columns;
    for (const auto& [extent, size, text] : sizes) columns.push_back(text);
    std::vector<std::string> lines;
    for (const auto& family : all) {
        std::map<std::string, const Standing*> found;
        for (const auto* request : family.requests) found.emplace(kernel_text(request->any()), request);
        auto& text = lines.emplace_back("<tr><th colspan=\"" + std::to_string(sizes.size()) + "\"><span>" +
                                        html_escaped(family.name) + "</span></th></tr>\n<tr>");
        for (const auto& column : columns)
            text += found.contains(column) ? winner(*found.at(column)) : "<td></td>";
        text += "</tr>\n";
    }
    return table_of(" class=\"wins\"", head(columns, columns.size(), 0), lines, 8);
}

std::string summary_table(const TextTable& table) {
    if (table.rows.empty()) return {};
    // The number that the rows are sorted by comes first, the long name of the request last.
    auto columns = table.columns;
    std::swap(columns.front(), columns.back());
    std::vector<std::string> lines;
    for (auto row : table.rows) {
        std::swap(row.front(), row.back());
        auto& line = lines.emplace_back("<tr>" + cell("n", row.front()));
        for (std::size_t i = 1; i < row.size(); ++i)
            line += cell(columns[i].ends_with(" time") ? "w time" : "w", row[i]);
        line += "</tr>\n";
    }
    return table_of("", head(columns, 0, 0), lines, 10);
}

std::string rows_table(const std::vector<Standing>& standings) {
    if (standings.empty()) return {};
    const bool alone = std::ranges::any_of(standings, [](const Standing& standing) {
        return std::ranges::any_of(standing.timed, [](const auto* row) { return row->alone_us > 0; });
    });
    std::vector<std::string> lines;
    for (const auto& standing : standings) {
        for (const auto* row : standing.timed) lines.push_back(line_of(standing, *row, alone));
        for (const auto* row : standing.untimed) lines.push_back(line_of(standing, *row, alone));
    }
    std::vector<std::string> columns{"algorithm", "engine", "kernel", "median", "95 % interval"};
    if (alone) columns.emplace_back("without conversions");
    columns.insert(columns.end(),
                   {"", "of limit", "first result", "upload", "download", "right?", "remarks"});
    const auto words = words_for(kind_of(standings.front().any()));
    columns.insert(columns.end(),
                   {std::string(words.input), std::string(words.values), "border", "filter", "buffers"});
    return table_of(" id=\"rows\"", head(columns, 2, alone ? 10 : 9), lines, lines.size());
}

} // namespace kg::measure
