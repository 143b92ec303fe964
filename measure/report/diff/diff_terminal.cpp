#include "measure/report/diff/diff.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>

namespace kg::measure {

namespace {

using Rows = std::vector<const DiffRow*>;

bool is_alone(const DiffRow& row) { return row.change == Change::only_old || row.change == Change::only_now; }

/// Rows of one change, the largest difference first; of rows in only one report, those with a time.
Rows rows_of(const Diff& diff, Change change) {
    Rows rows;
    for (const auto& row : diff.rows)
        if (row.change == change && !(is_alone(row) && !row.old && !row.now)) rows.push_back(&row);
    std::ranges::stable_sort(rows, std::greater{}, [](const DiffRow* row) {
        return row->ratio > 0 ? std::fabs(std::log(row->ratio)) : 0;
    });
    return rows;
}

std::string verdict_of(const Diff& diff) {
    std::vector<std::string> counts;
    for (const auto& [change, text] : {std::pair{Change::tie, "tie"}, std::pair{Change::faster, "faster"},
                                       std::pair{Change::slower, "slower"}})
        if (const auto count = diff.count(change); count > 0)
            counts.push_back(std::to_string(count) + " " + text);
    if (const auto count = diff.count(Change::became_wrong); count > 0)
        counts.push_back(std::to_string(count) + " became wrong");
    if (const auto count = diff.count(Change::became_refused); count > 0)
        counts.push_back(std::to_string(count) + " became refused");
    const auto regressions = diff.regressions();
    const auto bound = " slower by more than " + percent(diff.bound) + ", wrong or refused";
    auto text = regressions == 0 ? "No regression" : counted(regressions, "regression") + "," + bound;
    text += ": of " + counted(diff.compared(), "row") + " in both, " + joined(counts);
    return counts.empty() ? "Nothing can be compared: no row has a time in both reports" : text;
}

std::string both_times(const DiffRow& row) {
    return ratio_text(row.ratio) + ", " + time_text(*row.old).text() + " then, " +
           time_text(*row.now).text() + " now";
}

} // namespace

std::string to_terminal(const Diff& diff, const TerminalStyle& style) {
    const TerminalText text(style);
    auto all = text.paragraph(verdict_of(diff), 0, Ink::bold);
    for (const auto& note : diff.notes) all += text.paragraph(note, 0, Ink::warn);

    const auto section = [&](const char* title, Change change, Ink ink, const auto& describe) {
        const auto rows = rows_of(diff, change);
        if (rows.empty()) return;
        all += "\n" + text.paragraph(title, 0, Ink::bold);
        for (const auto* row : rows) {
            all += text.paragraph(row->name, 2, ink);
            if (const std::string text_of_row = describe(*row); !text_of_row.empty())
                all += text.paragraph(text_of_row, 4);
        }
    };
    const auto reason = [](const DiffRow& row) { return row.reason; };
    const auto nothing = [](const DiffRow&) { return std::string(); };
    section("Became wrong", Change::became_wrong, Ink::bad, reason);
    section("Became refused", Change::became_refused, Ink::bad, reason);
    section("Slower", Change::slower, Ink::bad, [](const DiffRow& row) {
        return both_times(row) + (row.regression ? "" : "; within the bound");
    });
    section("Faster", Change::faster, Ink::good, both_times);
    section("Became right", Change::became_right, Ink::good, nothing);
    section("Only in the old report", Change::only_old, Ink::faint, nothing);
    section("Only in the new report", Change::only_now, Ink::faint, nothing);
    all += "\n" + text.paragraph("Tie: the intervals lie at most " + percent(kNoiseFloor) +
                                     " apart, or each median lies where 90 % of the other run's samples lay.",
                                 0, Ink::faint);
    return all;
}

} // namespace kg::measure
