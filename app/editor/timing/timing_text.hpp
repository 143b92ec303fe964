#pragma once
// Text of the timing rows, and of all timings as a table and as CSV, to be pasted elsewhere.

#include "app/editor/timing/timings.hpp"

#include <string>

namespace kg {

struct TimingWords {
    std::string title;
    std::string clock; ///< clock of the row: rows of different clocks are not directly comparable
    std::string meaning;
};

/// Labels of the row for this subject: host upload and interop present a result in different steps.
TimingWords timing_words(TimingRow row, const TimingSubject& subject);

/// "GPU" or "engine", for messages.
std::string engine_word(const TimingSubject& subject);

/// "CPU, separable, 960 x 640 u8 x 4, kernels 13x13, host upload"
std::string timing_subject_text(const TimingSubject& subject);

/// The filter's time as the tab shows it: the median, and before it exists the latest run's, named as such:
/// Follows a time that is not yet a median.
inline constexpr const char* kFirstRuns = ", first runs";
/// "17.0 ms, first runs". Empty before the first run.
std::string filter_time_text(const Timings& timings);

/// The first line of the tab: the filter's time, and the stage of presentation or drawing that takes longest,
/// where that is longer: "Filter 0.5 ms; drawing by software takes 148 ms". Empty before the first run.
std::string timing_verdict(const Timings& timings, bool draws_in_software);

/// Milliseconds with enough decimals that columns line up; "-" for none.
std::string timing_number(double microseconds);

/// A table with one line per row.
std::string timing_text(const Timings& timings);

/// Every sample that counts: row,run,microseconds,engine_was_idle. Comment lines with # explain the rows.
std::string timing_csv(const Timings& timings);

} // namespace kg
