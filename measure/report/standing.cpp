#include "measure/report/standing.hpp"

#include "measure/comparison.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace kg::measure {

namespace {

double median(const ReportRow* row) { return row->times->run.median; }

/// Beyond a tie. For an algorithm with too few samples the interval is the range of all samples, and that is
/// compared.
bool is_faster(const ReportRow& a, const ReportRow& b) { return a.times->run.ci_high < b.times->run.ci_low; }

int severity(const ReportRow& row) {
    switch (row.verdict) {
    case Verdict::wrong: return 0;
    case Verdict::failed: return 1;
    case Verdict::refused: return 2;
    case Verdict::right:
    case Verdict::stopped: return 3; // before it was timed, or verified
    }
    return 3;
}

void put_in_order(Standing& standing) {
    std::ranges::stable_sort(standing.timed, {}, median);
    std::ranges::stable_sort(standing.untimed, {}, [](const ReportRow* row) { return severity(*row); });
    std::set<std::string> engines;
    for (const auto* rows : {&standing.timed, &standing.untimed})
        for (const auto* row : *rows) engines.insert(row->engine);
    standing.several_engines = engines.size() > 1;
}

/// Lines and columns are families of their own: their work grows with one extent only.
std::string shape_of(const ReportRow& row) {
    if (row.kernel_width == row.kernel_height || kind_of(row) == RowKind::signal) return "";
    if (row.kernel_height == 1) return "/kNx1";
    return row.kernel_width == 1 ? "/k1xN" : "/kNxM";
}

/// The fastest of an engine, ours or a peer's.
const ReportRow* fastest(const Standing& standing, const std::string& engine, bool peer) {
    const auto found = std::ranges::find_if(standing.timed, [&](const ReportRow* row) {
        return row->engine == engine && row->peer.empty() != peer;
    });
    return found == standing.timed.end() ? nullptr : *found;
}

std::set<std::string> engines_of(const Standing& standing) {
    std::set<std::string> engines;
    for (const auto* row : standing.timed) engines.insert(row->engine);
    return engines;
}

std::string of_one(const Standing& standing) {
    const auto& best = *standing.timed.front();
    auto text = standing.label(best) + " is fastest: " + time_text(best.times->run).text();
    if (best.times->run.too_few) text += ", by " + counted(best.times->run.samples, "sample") + " only";
    if (const auto tied = standing.tied(); !tied.empty()) text += "; tie with " + joined(tied);
    return text;
}

std::string of_many(const std::vector<Standing>& standings) {
    std::map<std::string, std::size_t> wins;
    std::size_t timed = 0;
    for (const auto& standing : standings) {
        if (standing.timed.empty()) continue;
        ++timed;
        ++wins[standing.label(*standing.timed.front())];
    }
    std::vector<std::pair<std::string, std::size_t>> most(wins.begin(), wins.end());
    std::ranges::stable_sort(most, std::greater{}, [](const auto& win) { return win.second; });
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> clauses;
    for (std::size_t i = 0; i < std::min(most.size(), kNamed); ++i)
        clauses.push_back(most[i].first + (i == 0 ? " is fastest on " : " on ") +
                          std::to_string(most[i].second) +
                          (i == 0 ? " of " + counted(timed, "request") : ""));
    if (most.size() > kNamed)
        clauses.push_back(counted(most.size() - kNamed, "other algorithm") + " on the rest");
    return joined(clauses);
}

std::string of_peers(const std::vector<Standing>& standings) {
    const auto ahead = peers_ahead(standings);
    if (ahead.empty()) return {};
    const auto& worst = ahead.front();
    const auto ours = worst.ours ? (standings.size() == 1 ? worst.request->label(*worst.ours)
                                                          : std::string("ours")) +
                                       " takes " + times_as_long(worst.ratio)
                                 : std::string("none of ours has a time");
    if (standings.size() == 1) return "; " + worst.request->label(*worst.peer) + " is ahead of ours: " + ours;
    return "; another library is ahead of ours on " + std::to_string(ahead.size()) + ", " +
           algorithm_name(*worst.peer) + (ahead.size() == 1 ? ": " : " the furthest: ") + ours;
}

} // namespace

std::string Standing::label(const ReportRow& row) const {
    return algorithm_name(row) + (several_engines ? " on " + row.engine : "");
}

bool Standing::ties(const ReportRow& row) const {
    return row.times && timed.front() != &row && !is_faster(*timed.front(), row);
}

std::vector<std::string> Standing::tied() const {
    std::vector<std::string> labels;
    for (const auto* row : timed)
        if (ties(*row)) labels.push_back(label(*row));
    return labels;
}

std::string lead_text(const Standing& standing) {
    if (standing.timed.empty()) return {};
    const auto& best = *standing.timed.front();
    if (const auto tied = standing.tied(); !tied.empty()) return "tie with " + joined(tied);
    if (standing.timed.size() < 2) return "alone";
    const auto* next = standing.timed[1];
    return ratio_text(median(next) / median(&best)) + " before " + standing.label(*next);
}

std::vector<Standing> standings(const BenchReport& report) {
    std::vector<Standing> all;
    std::map<std::string, std::size_t> place;
    for (const auto& row : report.rows) {
        const auto request = request_name(row);
        const auto [found, is_new] = place.emplace(request, all.size());
        if (is_new) all.push_back({request, {}, {}, false});
        auto& standing = all[found->second];
        (row.times ? standing.timed : standing.untimed).push_back(&row);
    }
    for (auto& standing : all) put_in_order(standing);
    return all;
}

int kernel_size(const ReportRow& row) { return std::max(row.kernel_width, row.kernel_height); }

int Family::size(const ReportRow& row) const {
    if (axis == FamilyAxis::kernel_size) return kernel_size(row);
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::min(point_count(row), kMost));
}

std::vector<Family> families(const std::vector<Standing>& standings, FamilyAxis axis) {
    std::vector<Family> all;
    std::map<std::string, std::size_t> place;
    for (const auto& standing : standings) {
        const auto& row = standing.any();
        const bool of_kernels = axis == FamilyAxis::kernel_size;
        const auto size = "/" + (of_kernels ? kernel_component(row) : size_component(row));
        auto name = standing.request;
        if (const auto at = (name + "/").find(size + "/"); at != std::string::npos)
            name.erase(at, size.size());
        if (of_kernels) name += shape_of(row);
        const auto [found, is_new] = place.emplace(name, all.size());
        if (is_new) all.push_back({name, {}, axis});
        all[found->second].requests.push_back(&standing);
    }
    for (auto& family : all)
        std::ranges::stable_sort(family.requests, {},
                                 [&](const Standing* one) { return family.size(one->any()); });
    return all;
}

std::vector<Ahead> peers_ahead(const std::vector<Standing>& standings) {
    std::vector<Ahead> all;
    for (const auto& standing : standings)
        for (const auto& engine : engines_of(standing)) {
            const auto* peer = fastest(standing, engine, true);
            const auto* ours = fastest(standing, engine, false);
            if (!peer || (ours && !is_faster(*peer, *ours))) continue;
            all.push_back({&standing, peer, ours,
                           ours ? median(ours) / median(peer) : std::numeric_limits<double>::infinity()});
        }
    std::ranges::stable_sort(all, std::greater{}, &Ahead::ratio);
    return all;
}

std::vector<Mischosen> mischosen(const std::vector<Standing>& standings) {
    std::vector<Mischosen> all;
    for (const auto& standing : standings)
        for (const auto* taken : standing.timed) {
            if (!taken->chosen) continue;
            const auto* best = fastest(standing, taken->engine, false);
            if (best && is_faster(*best, *taken))
                all.push_back({&standing, taken, best, median(taken) / median(best)});
        }
    std::ranges::stable_sort(all, std::greater{}, &Mischosen::ratio);
    return all;
}

std::size_t compared_with_peers(const std::vector<Standing>& standings) {
    return static_cast<std::size_t>(std::ranges::count_if(standings, [](const Standing& standing) {
        return std::ranges::any_of(engines_of(standing), [&](const std::string& engine) {
            return fastest(standing, engine, true) && fastest(standing, engine, false);
        });
    }));
}

std::string verdict(const BenchReport& report, const std::vector<Standing>& standings) {
    std::int64_t checked = 0, differing = 0, all = 0;
    std::map<Verdict, std::size_t> verdicts;
    std::string wrong;
    std::size_t timed = 0;
    for (const auto& standing : standings) {
        timed += !standing.timed.empty();
        for (const auto* row : standing.untimed) {
            ++verdicts[row->verdict];
            if (row->verdict == Verdict::wrong && wrong.empty()) wrong = standing.label(*row);
        }
        if (standing.timed.empty()) continue;
        checked += standing.timed.front()->checked;
        differing += standing.timed.front()->differing;
        all += samples_of(*standing.timed.front());
    }
    std::string text;
    if (timed == 0) {
        std::vector<std::string> counts;
        for (const auto& [verdict, count] : verdicts)
            counts.push_back(std::to_string(count) + " " +
                             (verdict == Verdict::right ? "not timed yet" : std::string(name(verdict))));
        const bool none_had_time = std::ranges::all_of(
            report.rows, [](const ReportRow& row) { return row.code == kTimeWasOverCode; });
        text = report.rows.empty() ? "Nothing was measured"
               : none_had_time     ? "The time was over before any algorithm was verified and timed"
                                   : "No algorithm has a time: " + joined(counts);
    } else {
        text = standings.size() == 1 ? of_one(standings.front()) : of_many(standings);
        text += of_peers(standings);
        if (const auto text_of_difference = difference_text(differing, checked, all);
            !text_of_difference.empty())
            text += "; " + text_of_difference + (differing > 0 ? ", none beyond its bound" : "");
        if (const auto count = verdicts[Verdict::wrong]; count == 1) text += "; " + wrong + " is wrong";
        else if (count > 1) text += "; " + counted(count, "result") + " of other algorithms are wrong";
    }
    return text + (report.complete ? "" : "; not complete");
}

} // namespace kg::measure
