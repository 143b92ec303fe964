#include "measure/report/tables.hpp"

#include "core/support/text.hpp"
#include "measure/report/formats.hpp"
#include "measure/report/json_document.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cstdio>

namespace kg::measure {

namespace {

// --- CSV

std::string cell_text(const nlohmann::ordered_json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return to_text(value.get<double>());
    if (!value.is_array()) return value.dump();
    std::string all;
    for (const auto& item : value) all += (all.empty() ? "" : ";") + cell_text(item);
    return all;
}

std::string quoted_cell(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

// --- Markdown

/// Text escaped for Markdown, on one line.
std::string plain(std::string_view text) {
    std::string all;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) {
            all += ' ';
            continue;
        }
        if (std::string_view("\\`*_[]<>|&~#").find(c) != std::string_view::npos) all += '\\';
        all += c;
    }
    return all;
}

using Cells = std::vector<std::string>;

/// Cells contain Markdown; columns named with a leading blank are right-aligned.
class Table {
public:
    explicit Table(const Cells& columns) {
        add(columns);
        text_ += "|";
        for (const auto& column : columns) text_ += column.starts_with(' ') ? "---:|" : "---|";
        text_ += "\n";
    }
    void add(const Cells& cells) {
        for (const auto& cell : cells) text_ += "| " + cell.substr(cell.starts_with(' ') ? 1 : 0) + " ";
        text_ += "|\n";
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string verification_of(const ReportRow& row) {
    auto text = difference_text(row.differing, row.checked, samples_of(row));
    if (row.differing == 0) return text;
    char errors[96];
    std::snprintf(errors, sizeof errors, ", by up to %.3g (bound %.3g)", row.max_error, row.error_bound);
    return text + errors;
}

std::string machine(const BenchReport& report) {
    std::string text;
    for (const auto& device : report.devices)
        text += "- " + plain(device.engine) + ": " + plain(device_text(device)) + "\n";
    for (const auto& absent : report.absent) text += "- absent: " + plain(absent) + "\n";
    Cells run{report.date, "version " + report.version, report.host, report.title};
    std::erase(run, "");
    std::erase(run, "version ");
    return text.empty() && report.title.empty() ? "" : text + "- " + plain(joined(run, "; ")) + "\n\n";
}

std::string by_kernel_size(const std::vector<Standing>& standings) {
    std::string text;
    for (const auto& family : families(standings)) {
        if (family.requests.size() < 2) continue;
        Table table({"kernel", "fastest", " median", "95 % interval", "ahead"});
        for (const auto* standing : family.requests) {
            if (standing->timed.empty()) {
                table.add({kernel_text(standing->any()), "no algorithm has a time", "", "", ""});
                continue;
            }
            const auto& best = *standing->timed.front();
            const auto time = time_text(best.times->run);
            table.add({kernel_text(best), plain(standing->label(best)), time.median, time.interval,
                       plain(lead_text(*standing))});
        }
        text += "## Fastest by " + std::string(words_for(family.kind()).kernel_size) + ": " +
                plain(family.name) + "\n\n" + table.text() + "\n";
    }
    return text;
}

/// The last column is a number.
std::string section_of(const TextTable& content) {
    if (content.rows.empty()) return {};
    auto columns = content.columns;
    columns.back().insert(0, " ");
    Table table(columns);
    for (auto row : content.rows) {
        for (auto& cell : row) cell = plain(cell);
        table.add(row);
    }
    return "## " + content.title + "\n\n" + table.text() + "\n";
}

std::string table_of(const Standing& standing) {
    // The column without conversions appears only where a library converts.
    const bool alone = std::ranges::any_of(standing.timed, [](const auto* row) { return row->alone_us > 0; });
    const auto with_alone = [&](Cells cells, const std::string& text) {
        if (alone) cells.insert(cells.begin() + 3, text);
        return cells;
    };
    Table table(with_alone({"algorithm", " median", "95 % interval", " of limit", "right?", "remarks"},
                           " without conversions"));
    for (const auto* row : standing.timed) {
        const auto time = time_text(row->times->run);
        table.add(with_alone({plain(standing.label(*row)) + (row->peer.empty() ? "" : " (peer)"), time.median,
                              time.interval, percent(row->of_limit), verification_of(*row),
                              plain(joined(remarks(*row, standing.ties(*row)), ", "))},
                             row->alone_us > 0 ? short_time(row->alone_us) : ""));
    }
    for (const auto* row : standing.untimed) {
        const auto state = row->verdict == Verdict::wrong ? "**wrong**" : state_text(*row);
        table.add(with_alone({plain(standing.label(*row)), "", "", "", state, plain(row->reason)}, ""));
    }
    return "## " + plain(standing.request) + "\n\n" + table.text() + "\n";
}

} // namespace

TextTable ahead_table(const std::vector<Standing>& standings) {
    TextTable table{"Where another library is ahead",
                    {"request", "other library", "its time", "ours", "our time", "ours takes"},
                    {}};
    for (const auto& one : peers_ahead(standings))
        table.rows.push_back(
            {one.request->request, algorithm_name(*one.peer), time_text(one.peer->times->run).text(),
             one.ours ? algorithm_name(*one.ours) : "none",
             one.ours ? time_text(one.ours->times->run).text() : "", one.ours ? ratio_text(one.ratio) : ""});
    return table;
}

TextTable slower_choices_table(const std::vector<Standing>& standings) {
    TextTable table{"Where auto takes a slower algorithm",
                    {"request", "auto takes", "its time", "faster", "its time", "times as long"},
                    {}};
    for (const auto& one : mischosen(standings))
        table.rows.push_back({one.request->request, algorithm_name(*one.taken),
                              time_text(one.taken->times->run).text(), algorithm_name(*one.best),
                              time_text(one.best->times->run).text(), ratio_text(one.ratio)});
    return table;
}

std::string to_csv(const BenchReport& report) {
    // A row without values gives the header also where there are no rows.
    auto with_row = report;
    with_row.rows.insert(with_row.rows.begin(), ReportRow{});
    const auto document = json_document(with_row);
    std::string text;
    for (const auto& row : document.at("rows")) {
        const bool is_header = text.empty();
        for (const auto& [key, value] : row.items())
            text += quoted_cell(is_header ? key : cell_text(value)) + ',';
        text.back() = '\r';
        text += '\n';
    }
    return text;
}

std::string to_markdown(const BenchReport& report) {
    const auto all = standings(report);
    auto text = "# " + plain(verdict(report, all)) + "\n\n" + machine(report) + by_kernel_size(all) +
                section_of(ahead_table(all)) + section_of(slower_choices_table(all));
    for (const auto& standing : all) text += table_of(standing);
    text.pop_back();
    return text;
}

} // namespace kg::measure
