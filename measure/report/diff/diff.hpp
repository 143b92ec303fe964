#pragma once
// Comparison of two reports of the same benchmark: what became faster, slower or wrong.

#include "measure/report/report.hpp"
#include "measure/report/terminal_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kg::measure {

enum class Change {
    faster,
    slower,
    tie,
    became_wrong,   ///< wrong or failed now, and was not
    became_refused, ///< timed then, refused now
    became_right,   ///< timed now, and was wrong or failed
    no_time,        ///< without a time in either or both, and none of the above
    only_old,
    only_now,
};
std::string_view name(Change change);

/// Intervals cover the variation within a run. Variation from run to run is larger (memory placement, clocks,
/// other load), so a difference counts only beyond this fraction of the faster one as well. Runs that vary by
/// a standard deviation of 1 % from one to the next then tie in 95 of 100 rows.
inline constexpr double kNoiseFloor = 0.03;
/// A regression is slower by more than this fraction, unless another bound is given.
inline constexpr double kRegressionBound = 0.05;

/// Compares `now` with `old`. A tie if one has too few samples; if their intervals are at most kNoiseFloor of
/// the faster one apart; or if each median lies within the other run's samples, between their 5 % and 95 % (a
/// machine whose speed jumps during a run may as well have jumped between the runs; in steady runs that range
/// is narrower than the floor).
Order compare_runs(const Summary& now, const Summary& old);

struct DiffRow {
    std::string name;
    Change change = Change::tie;
    bool regression = false;         ///< slower beyond the bound, or became wrong or refused
    std::optional<Summary> old, now; ///< microseconds
    double ratio = 0;                ///< ratio of the medians, now to old; 0 without both
    std::string reason;              ///< why there is no time now
};

struct Diff {
    double bound = kRegressionBound;
    bool same_machine = true;       ///< otherwise the machines differ, not the versions of the program
    std::vector<std::string> notes; ///< messages about the machines and the reports themselves
    std::vector<DiffRow> rows;      ///< in the order of the old report, then those only in the new one

    std::size_t count(Change change) const;
    /// Number of rows with a result: a time in both, or became wrong or refused.
    std::size_t compared() const;
    std::size_t regressions() const;
};

/// Rows are matched by their names.
Diff diff(const BenchReport& old, const BenchReport& now, double bound = kRegressionBound);

/// The verdict as a message, then the changes, the worst first.
std::string to_terminal(const Diff& diff, const TerminalStyle& style);
/// Schema kernelglass-bench-diff/1, documented in docs/json.md.
std::string to_json(const Diff& diff);

} // namespace kg::measure
