#include "measure/report/diff/diff.hpp"

#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace kg::measure {

namespace {

bool is_bad(const ReportRow& row) { return row.verdict == Verdict::wrong || row.verdict == Verdict::failed; }

bool lies_within(double median, const Summary& other) { return other.p5 <= median && median <= other.p95; }

Change change_of(const ReportRow& old, const ReportRow& now) {
    if (is_bad(now) && !is_bad(old)) return Change::became_wrong;
    if (is_bad(old) && now.times) return Change::became_right;
    if (old.times && now.verdict == Verdict::refused) return Change::became_refused;
    if (!old.times || !now.times) return Change::no_time;
    switch (compare_runs(now.times->run, old.times->run)) {
    case Order::faster: return Change::faster;
    case Order::slower: return Change::slower;
    case Order::tie: return Change::tie;
    }
    return Change::tie;
}

DiffRow row_of(const ReportRow& old, const ReportRow& now, double bound) {
    DiffRow row{old.name, change_of(old, now), false, {}, {}, 0, {}};
    if (old.times) row.old = old.times->run;
    if (now.times) row.now = now.times->run;
    else row.reason = now.reason;
    if (row.old && row.now && row.old->median > 0) row.ratio = row.now->median / row.old->median;
    row.regression = row.change == Change::became_wrong || row.change == Change::became_refused ||
                     (row.change == Change::slower && row.ratio > 1 + bound);
    return row;
}

/// Notes a change of the machine's own speed, which was measured in both runs.
void note_limit(const char* what, const std::string& engine, double old, double now, Diff& diff) {
    constexpr double kNotable = 0.1;
    if (old <= 0 || now <= 0 || std::fabs(now / old - 1) <= kNotable) return;
    diff.notes.push_back("The " + std::string(what) + " limit of " + engine + " is " + times_text(now / old) +
                         " the old one: the machine itself ran at another speed.");
}

void note_machines(const BenchReport& old, const BenchReport& now, Diff& diff) {
    if (old.host != now.host) {
        diff.same_machine = false;
        diff.notes.push_back("The hosts differ: " + old.host + ", then " + now.host + ".");
    }
    for (const auto& was : old.devices) {
        const auto* is = device_of(now, was.engine);
        if (!is) continue;
        if (was.name != is->name || was.description != is->description) {
            diff.same_machine = false;
            diff.notes.push_back("The devices of " + was.engine + " differ: " + was.name + ", " +
                                 was.description + ", then " + is->name + ", " + is->description + ".");
            continue;
        }
        if (was.driver != is->driver)
            diff.notes.push_back("The drivers of " + was.engine + " differ: " + was.driver + ", then " +
                                 is->driver + ".");
        note_limit("copy", was.engine, was.limits.copy_gb_per_s, is->limits.copy_gb_per_s, diff);
        note_limit("multiply-add", was.engine, was.limits.multiply_adds_g_per_s,
                   is->limits.multiply_adds_g_per_s, diff);
    }
    if (!diff.same_machine)
        diff.notes.insert(diff.notes.begin(),
                          "This compares two machines, not two versions of the program on one.");
}

void note_reports(const BenchReport& old, const BenchReport& now, Diff& diff) {
    if (!old.complete) diff.notes.emplace_back("The old report is not complete.");
    if (!now.complete) diff.notes.emplace_back("The new report is not complete.");
    for (const auto& [which, report] : {std::pair{"old", &old}, std::pair{"new", &now}}) {
        const auto throttled = static_cast<std::size_t>(
            std::ranges::count_if(report->rows, [](const ReportRow& row) { return !row.throttled.empty(); }));
        if (throttled > 0)
            diff.notes.push_back("The device was throttled in " + counted(throttled, "row") + " of the " +
                                 which + " report.");
    }
}

/// Notes ties caused by too few samples.
void note_samples(Diff& diff) {
    const auto few = static_cast<std::size_t>(std::ranges::count_if(diff.rows, [](const DiffRow& row) {
        return row.old && row.now && (row.old->too_few || row.now->too_few);
    }));
    if (few > 0) diff.notes.push_back(counted(few, "row") + " tied because of too few samples.");
}

} // namespace

std::string_view name(Change change) {
    switch (change) {
    case Change::faster: return "faster";
    case Change::slower: return "slower";
    case Change::tie: return "tie";
    case Change::became_wrong: return "became_wrong";
    case Change::became_refused: return "became_refused";
    case Change::became_right: return "became_right";
    case Change::no_time: return "no_time";
    case Change::only_old: return "only_old";
    case Change::only_now: return "only_now";
    }
    return {};
}

Order compare_runs(const Summary& now, const Summary& old) {
    if (now.too_few || old.too_few) return Order::tie;
    const bool is_slower = now.median > old.median;
    const auto &slow = is_slower ? now : old, &fast = is_slower ? old : now;
    if (slow.ci_low <= fast.ci_high * (1 + kNoiseFloor)) return Order::tie;
    if (lies_within(now.median, old) && lies_within(old.median, now)) return Order::tie;
    return is_slower ? Order::slower : Order::faster;
}

std::size_t Diff::count(Change change) const {
    return static_cast<std::size_t>(std::ranges::count(rows, change, &DiffRow::change));
}

std::size_t Diff::compared() const {
    return count(Change::faster) + count(Change::slower) + count(Change::tie) + count(Change::became_wrong) +
           count(Change::became_refused);
}

std::size_t Diff::regressions() const {
    return static_cast<std::size_t>(std::ranges::count(rows, true, &DiffRow::regression));
}

Diff diff(const BenchReport& old, const BenchReport& now, double bound) {
    Diff result;
    result.bound = bound;
    note_machines(old, now, result);
    note_reports(old, now, result);

    std::map<std::string_view, const ReportRow*> now_by_name, old_by_name;
    for (const auto& row : now.rows) now_by_name.emplace(row.name, &row);
    for (const auto& row : old.rows) {
        old_by_name.emplace(row.name, &row);
        const auto found = now_by_name.find(row.name);
        if (found != now_by_name.end()) result.rows.push_back(row_of(row, *found->second, bound));
        else {
            auto& alone = result.rows.emplace_back();
            alone.name = row.name;
            alone.change = Change::only_old;
            if (row.times) alone.old = row.times->run;
        }
    }
    note_samples(result);
    for (const auto& row : now.rows) {
        if (old_by_name.contains(row.name)) continue;
        auto& alone = result.rows.emplace_back();
        alone.name = row.name;
        alone.change = Change::only_now;
        if (row.times) alone.now = row.times->run;
        else alone.reason = row.reason;
    }
    return result;
}

} // namespace kg::measure
