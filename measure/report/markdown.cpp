#include "measure/report/markdown.hpp"

#include "measure/report/standing.hpp"
#include "measure/report/words.hpp"

#include <algorithm>
#include <cstdio>

namespace kg::measure {

namespace {

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

std::string size_of(const ReportRow& row) {
    return std::to_string(row.kernel_width) + " x " + std::to_string(row.kernel_height);
}

std::string verification_of(const ReportRow& row) {
    auto text = difference_text(row.differing, row.checked);
    if (row.differing == 0) return text;
    char errors[96];
    std::snprintf(errors, sizeof errors, ", by up to %.3g (bound %.3g)", row.max_error, row.error_bound);
    return text + errors;
}

std::string machine(const Report& report) {
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
                table.add({size_of(standing->any()), "no algorithm has a time", "", "", ""});
                continue;
            }
            const auto& best = *standing->timed.front();
            const auto time = time_text(best.times->run);
            table.add({size_of(best), plain(standing->label(best)), time.median, time.interval,
                       plain(lead_text(*standing))});
        }
        text += "## Fastest by kernel size: " + plain(family.name) + "\n\n" + table.text() + "\n";
    }
    return text;
}

std::string ahead(const std::vector<Standing>& standings) {
    const auto found = peers_ahead(standings);
    if (found.empty()) return {};
    Table table({"request", "other library", "its time", "ours", "our time", " ours takes"});
    for (const auto& one : found)
        table.add(
            {plain(one.request->request), plain(algorithm_name(*one.peer)),
             time_text(one.peer->times->run).text(), one.ours ? plain(algorithm_name(*one.ours)) : "none",
             one.ours ? time_text(one.ours->times->run).text() : "", one.ours ? ratio_text(one.ratio) : ""});
    return "## Where another library is ahead\n\n" + table.text() + "\n";
}

std::string slower_choices(const std::vector<Standing>& standings) {
    const auto found = mischosen(standings);
    if (found.empty()) return {};
    Table table({"request", "auto takes", "its time", "faster", "its time", " times as long"});
    for (const auto& one : found)
        table.add({plain(one.request->request), plain(algorithm_name(*one.taken)),
                   time_text(one.taken->times->run).text(), plain(algorithm_name(*one.best)),
                   time_text(one.best->times->run).text(), ratio_text(one.ratio)});
    return "## Where auto takes a slower algorithm\n\n" + table.text() + "\n";
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
        const auto state = row->verdict == Verdict::wrong   ? "**wrong**"
                           : row->verdict == Verdict::right ? "no time"
                                                            : std::string(name(row->verdict));
        table.add(with_alone({plain(standing.label(*row)), "", "", "", state, plain(row->reason)}, ""));
    }
    return "## " + plain(standing.request) + "\n\n" + table.text() + "\n";
}

} // namespace

std::string to_markdown(const Report& report) {
    const auto all = standings(report);
    auto text = "# " + plain(verdict(report, all)) + "\n\n" + machine(report) + by_kernel_size(all) +
                ahead(all) + slower_choices(all);
    for (const auto& standing : all) text += table_of(standing);
    text.pop_back();
    return text;
}

} // namespace kg::measure
