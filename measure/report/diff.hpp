#pragma once
// Two reports of the same bench held against each other: what became faster, slower or wrong.

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
    no_time,        ///< without a time in one of them or both, and none of the above
    only_old,
    only_now,
};
std::string_view name(Change change);

/// Intervals hold what varies within a run. From run to run more varies (where memory lies, clocks, neighbours on the
/// machine), so a difference counts only where it is beyond this part of the faster one as well. Runs that vary by a
/// standard deviation of 1 % from one to the next then tie in 95 of 100 rows.
inline constexpr double kNoiseFloor = 0.03;
/// A regression is slower by more than this part, unless another bound is asked for.
inline constexpr double kRegressionBound = 0.05;

/// How `now` stands to `old`. A tie if one has too few samples to tell; if their intervals lie no further apart than
/// kNoiseFloor of the faster one; or if each median lies where the samples of the other run lay, between their 5 % and
/// 95 % (a machine whose speed jumps during a run may as well have jumped between them; where runs are steady that range is
/// narrower than the floor).
Order compare_runs(const Summary& now, const Summary& old);

struct DiffRow {
    std::string name;
    Change change = Change::tie;
    bool regression = false;         ///< slower beyond the bound, or became wrong or refused
    std::optional<Summary> old, now; ///< microseconds
    double ratio = 0;                ///< of the medians, now to old; 0 without both
    std::string reason;              ///< why there is no time now
};

struct Diff {
    double bound = kRegressionBound;
    bool same_machine = true;       ///< otherwise machines are compared, not versions of the program
    std::vector<std::string> notes; ///< sentences about the machines and the reports themselves
    std::vector<DiffRow> rows;      ///< in the order of the old report, then those of the new one alone

    std::size_t count(Change change) const;
    /// Rows of which there is something to say: those with a time in both, and those that became wrong or refused.
    std::size_t compared() const;
    std::size_t regressions() const;
};

/// Rows are matched by their names.
Diff diff(const Report& old, const Report& now, double bound = kRegressionBound);

/// The verdict in a sentence; then what changed, the worst first.
std::string to_terminal(const Diff& diff, const TerminalStyle& style);
/// Schema kernelglass-bench-diff/1, as docs/json.md has it.
std::string to_json(const Diff& diff);

} // namespace kg::measure
