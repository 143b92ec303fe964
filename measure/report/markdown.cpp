#include "measure/report/markdown.hpp"

#include "measure/report/standing.hpp"
#include "measure/report/words.hpp"

#include <algorithm>
#include <cstdio>

namespace kg::measure {

namespace {

/// Text that Markdown leaves as it is, on one line.
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

/// Cells are Markdown already; columns named with a leading blank are aligned to the right.
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

std::string proof_of(const ReportRow& row) {
    auto words = difference_words(row.differing, row.checked);
    if (row.differing == 0) return words;
    char errors[96];
    std::snprintf(errors, sizeof errors, ", by up to %.3g (bound %.3g)", row.max_error, row.error_bound);
    return words + errors;
}

std::string machine(const Report& report) {
    std::string text;
    for (const auto& device : report.devices)
        text += "- " + plain(device.engine) + ": " + plain(device_words(device)) + "\n";
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
                table.add({size_of(standing->any()), "no way has a time", "", "", ""});
                continue;
            }
            const auto& best = *standing->timed.front();
            const auto words = time_words(best.times->run);
            table.add({size_of(best), plain(standing->label(best)), words.median, words.interval,
                       plain(lead_words(*standing))});
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
        table.add({plain(one.request->request), plain(way_name(*one.peer)),
                   time_words(one.peer->times->run).text(), one.ours ? plain(way_name(*one.ours)) : "none",
                   one.ours ? time_words(one.ours->times->run).text() : "",
                   one.ours ? ratio_words(one.ratio) : ""});
    return "## Where another library is ahead\n\n" + table.text() + "\n";
}

std::string slower_choices(const std::vector<Standing>& standings) {
    const auto found = mischosen(standings);
    if (found.empty()) return {};
    Table table({"request", "auto takes", "its time", "faster", "its time", " times as long"});
    for (const auto& one : found)
        table.add({plain(one.request->request), plain(way_name(*one.taken)),
                   time_words(one.taken->times->run).text(), plain(way_name(*one.best)),
                   time_words(one.best->times->run).text(), ratio_words(one.ratio)});
    return "## Where auto takes a slower way\n\n" + table.text() + "\n";
}

std::string table_of(const Standing& standing) {
    // Only where a library converts is there a column for its time without.
    const bool alone = std::ranges::any_of(standing.timed, [](const auto* row) { return row->alone_us > 0; });
    const auto with_alone = [&](Cells cells, const std::string& words) {
        if (alone) cells.insert(cells.begin() + 3, words);
        return cells;
    };
    Table table(with_alone({"way", " median", "95 % interval", " of limit", "right?", "remarks"},
                           " without conversions"));
    for (const auto* row : standing.timed) {
        const auto words = time_words(row->times->run);
        table.add(with_alone({plain(standing.label(*row)) + (row->peer.empty() ? "" : " (peer)"),
                              words.median, words.interval, percent(row->of_limit), proof_of(*row),
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
