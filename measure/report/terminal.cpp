#include "measure/report/formats.hpp"
#include "measure/report/row_text.hpp"
#include "measure/report/standing.hpp"

#include <algorithm>
#include <cmath>

namespace kg::measure {

namespace {

/// Beyond this ratio of the slowest to the fastest, bars are logarithmic: otherwise the fastest bars could
/// not be distinguished.
constexpr double kLinearUpTo = 20;

struct Columns {
    int algorithm, median = 8, interval = 13, bar, limit = 6, remark;
};

class TerminalReport {
public:
    TerminalReport(const BenchReport& report, const TerminalStyle& style)
        : report_(report), text_(style), standings_(standings(report)) {
        std::size_t longest = 3;
        for (const auto& standing : standings_) {
            for (const auto* row : standing.timed) longest = std::max(longest, standing.label(*row).size());
            for (const auto* row : standing.untimed)
                if (has_line(*row)) longest = std::max(longest, standing.label(*row).size());
        }
        const auto most = text_.columns() < 80 ? 19 : text_.columns() < 100 ? 20 : 30;
        columns_.algorithm = std::min(static_cast<int>(longest), most);
        constexpr int kBlanks = 8; // before, between and before the remarks
        const auto rest = text_.columns() - kBlanks - columns_.algorithm - columns_.median -
                          columns_.interval - columns_.limit;
        columns_.bar = std::max(6, rest / 2);
        columns_.remark = rest - columns_.bar;
    }

    std::string text() {
        all_ += text_.paragraph(verdict(report_, standings_), 0, Ink::bold);
        for (const auto& device : report_.devices)
            all_ += text_.paragraph(device.engine + ": " + device_text(device), 0, Ink::faint);
        for (const auto& standing : standings_)
            if (standings_.size() == 1 || has_begun(standing)) table(standing);
        if (standings_.size() > 1) {
            by_kernel_size();
            refusals();
            not_begun();
        }
        peers_ahead_of_us();
        slower_choices();
        for (const auto& absent : report_.absent) all_ += text_.paragraph("absent: " + absent, 0, Ink::faint);
        return all_;
    }

private:
    /// One request lists all algorithms; of several requests, refused and stopped algorithms are listed
    /// together.
    bool has_line(const ReportRow& row) const {
        return (row.verdict != Verdict::refused && row.verdict != Verdict::stopped) || standings_.size() == 1;
    }

    static bool has_begun(const Standing& standing) {
        return !standing.timed.empty() || !std::ranges::all_of(standing.untimed, [](const auto* row) {
            return row->verdict == Verdict::stopped;
        });
    }

    void table(const Standing& standing) {
        const auto fastest = standing.timed.empty() ? 0 : standing.timed.front()->times->run.median;
        const auto slowest = standing.timed.empty() ? 0 : standing.timed.back()->times->run.median;
        const bool logarithmic = fastest > 0 && slowest > kLinearUpTo * fastest;
        const bool limits = std::ranges::any_of(standing.timed,
                                                [](const auto* row) { return row->of_limit > 0; });
        const std::string right = std::string(logarithmic ? "bars: log" : "") +
                                  (logarithmic && limits ? ", " : "") + (limits ? "%: of the limit" : "");
        all_ += "\n" +
                text_.ink(Ink::bold, text_.left(standing.request,
                                                text_.columns() - static_cast<int>(right.size()) - 1)) +
                " " + text_.ink(Ink::faint, right) + "\n";
        for (const auto* row : standing.timed) {
            const auto median = row->times->run.median;
            // On a logarithmic scale the fastest still has a tenth, so that its bar is visible.
            const auto fraction = logarithmic
                                      ? 0.1 + 0.9 * std::log(median / fastest) / std::log(slowest / fastest)
                                  : slowest > 0 ? median / slowest
                                                : 1;
            timed_line(standing, *row, fraction);
        }
        std::vector<std::string> refused, stopped;
        for (const auto* row : standing.untimed) {
            if (has_line(*row)) untimed_line(standing, *row);
            else (row->verdict == Verdict::refused ? refused : stopped).push_back(standing.label(*row));
        }
        if (!refused.empty()) all_ += text_.paragraph("refused: " + joined(refused, ", "), 2, Ink::faint);
        if (!stopped.empty()) all_ += text_.paragraph("stopped: " + joined(stopped, ", "), 2, Ink::faint);
    }

    void timed_line(const Standing& standing, const ReportRow& row, double fraction) {
        const auto colour = standing.leads(row) ? Ink::good : row.peer.empty() ? Ink::plain : Ink::faint;
        const auto time = time_text(row.times->run);
        auto line = "  " + text_.ink(colour, text_.left(standing.label(row), columns_.algorithm)) + " " +
                    text_.right(time.median, columns_.median) + " " +
                    text_.ink(Ink::faint, text_.left(time.interval, columns_.interval)) + " " +
                    text_.ink(colour, text_.bar(fraction, columns_.bar, !row.peer.empty())) + " " +
                    text_.right(percent(row.of_limit), columns_.limit);
        const auto all_remarks = joined(remarks(row, standing.ties(row)), ", ");
        const auto mood = is_doubtful(row) ? Ink::warn : Ink::plain;
        const bool fits = width_of(all_remarks) <= columns_.remark;
        if (!all_remarks.empty() && fits) line += "  " + text_.ink(mood, text_.printable(all_remarks));
        while (line.ends_with(' ')) line.pop_back();
        all_ += line + "\n";
        if (!fits) all_ += text_.paragraph(all_remarks, 4, mood);
    }

    void untimed_line(const Standing& standing, const ReportRow& row) {
        const bool wrong = row.verdict == Verdict::wrong;
        const bool bad = wrong || row.verdict == Verdict::failed;
        const auto state = wrong ? "WRONG" : state_text(row);
        const auto algorithm = text_.left(standing.label(row), columns_.algorithm);
        const auto indent = 2 + columns_.algorithm + 1 + columns_.median + 1;
        const auto lines = text_.wrapped(row.reason, text_.columns() - indent);
        all_ += "  " +
                text_.ink(bad ? Ink::bad : Ink::faint,
                          algorithm + " " + text_.right(state, columns_.median)) +
                " " + text_.ink(bad ? Ink::plain : Ink::faint, lines.front()) + "\n";
        for (std::size_t i = 1; i < lines.size(); ++i)
            all_ += text_.left("", indent) + text_.ink(bad ? Ink::plain : Ink::faint, lines[i]) + "\n";
    }

    void by_kernel_size() {
        for (const auto& family : families(standings_)) {
            const auto begun = std::ranges::count_if(
                family.requests, [](const Standing* standing) { return has_begun(*standing); });
            if (begun < 2) continue;
            all_ += "\n" + text_.paragraph("Fastest by " + std::string(words_for(family.kind()).kernel_size) +
                                               ": " + family.name,
                                           0, Ink::bold);
            int width = 8;
            for (const auto* standing : family.requests)
                width = std::max(width, width_of(short_kernel_text(standing->any())));
            for (const auto* standing : family.requests) {
                if (!has_begun(*standing)) continue;
                const auto& any = standing->any();
                all_ += "  " + text_.left(short_kernel_text(any), width) + " ";
                if (standing->timed.empty()) {
                    all_ += text_.ink(Ink::bad, "no algorithm has a time") + "\n";
                    continue;
                }
                const auto& best = *standing->timed.front();
                const auto time = time_text(best.times->run);
                constexpr int kBlanks = 7;
                const auto rest = text_.columns() - kBlanks - width - columns_.algorithm - columns_.median -
                                  columns_.interval;
                all_ += text_.ink(Ink::good, text_.left(standing->label(best), columns_.algorithm)) + " " +
                        text_.right(time.median, columns_.median) + " " +
                        text_.ink(Ink::faint, text_.left(time.interval, columns_.interval));
                const auto lead = lead_text(*standing);
                constexpr int kUnderTheAlgorithm = 11;
                all_ += lead.empty()             ? "\n"
                        : width_of(lead) <= rest ? "  " + text_.printable(lead) + "\n"
                                                 : "\n" + text_.paragraph(lead, kUnderTheAlgorithm);
            }
        }
    }

    /// The reasons of refusals, listed once instead of with every request.
    void refusals() {
        std::vector<std::pair<std::string, std::size_t>> reasons;
        for (const auto& standing : standings_)
            for (const auto* row : standing.untimed) {
                if (row->verdict != Verdict::refused) continue;
                const auto reason = standing.label(*row) + ": " + row->reason;
                const auto found = std::ranges::find(reasons, reason,
                                                     &std::pair<std::string, std::size_t>::first);
                if (found == reasons.end()) reasons.emplace_back(reason, 1);
                else ++found->second;
            }
        if (reasons.empty()) return;
        all_ += "\n" + text_.ink(Ink::bold, "Refused") + "\n";
        for (const auto& [reason, count] : reasons)
            all_ += text_.paragraph(reason + (count > 1 ? " (" + std::to_string(count) + " times)" : ""), 2,
                                    Ink::faint);
    }

    /// Requests of which no algorithm was timed.
    void not_begun() {
        std::string names, reason;
        for (const auto& standing : standings_) {
            if (has_begun(standing)) continue;
            reason = standing.any().reason;
            names += text_.paragraph(standing.request, 2, Ink::faint);
        }
        if (!names.empty()) all_ += "\n" + text_.paragraph("Stopped: " + reason, 0, Ink::bold) + names;
    }

    void peers_ahead_of_us() {
        const auto ahead = peers_ahead(standings_);
        const auto compared = compared_with_peers(standings_);
        if (ahead.empty() && compared == 0) return;
        all_ += "\n";
        if (ahead.empty()) {
            all_ += text_.paragraph("No other library is ahead of ours on " + counted(compared, "request") +
                                    ".");
            return;
        }
        all_ += text_.paragraph("Another library is ahead of ours on " + std::to_string(ahead.size()) +
                                    " of " + counted(std::max(compared, ahead.size()), "request") + ":",
                                0, Ink::bold);
        for (const auto& one : ahead) {
            auto text = algorithm_name(*one.peer) + " " + time_text(one.peer->times->run).text();
            if (one.ours)
                text += ", ours " + algorithm_name(*one.ours) + " " + time_text(one.ours->times->run).text() +
                        ", " + times_as_long(one.ratio);
            else text += ", none of ours";
            all_ += text_.paragraph(text, 2, Ink::warn) +
                    text_.paragraph(one.request->request, 4, Ink::faint);
        }
    }

    void slower_choices() {
        const auto all = mischosen(standings_);
        if (all.empty()) return;
        all_ += "\n" +
                text_.paragraph("Auto chooses a slower algorithm of ours on " + std::to_string(all.size()) +
                                    " of " + counted(standings_.size(), "request") + ":",
                                0, Ink::bold);
        for (const auto& one : all)
            all_ += text_.paragraph(
                        algorithm_name(*one.taken) + " " + time_text(one.taken->times->run).text() + ", " +
                            algorithm_name(*one.best) + " " + time_text(one.best->times->run).text() + ", " +
                            times_as_long(one.ratio),
                        2, Ink::warn) +
                    text_.paragraph(one.request->request, 4, Ink::faint);
    }

    const BenchReport& report_;
    TerminalText text_;
    std::vector<Standing> standings_;
    Columns columns_{};
    std::string all_;
};

} // namespace

std::string to_terminal(const BenchReport& report, const TerminalStyle& style) {
    return TerminalReport(report, style).text();
}

} // namespace kg::measure
