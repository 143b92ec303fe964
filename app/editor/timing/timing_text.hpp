#pragma once
// The rows of the timings in words, and all of them as text and as CSV, to be pasted elsewhere.

#include "app/editor/timing/timings.hpp"

#include <string>

namespace kg {

struct TimingWords {
    std::string title;
    std::string clock; ///< that counts it: rows of different clocks are not to be compared closely
    std::string meaning;
};

/// As the row is to be understood for this subject: host upload hands a result off in other steps than interop.
TimingWords timing_words(TimingRow row, const TimingSubject& subject);

/// "GPU" or "engine": what computes, for sentences.
std::string engine_word(const TimingSubject& subject);

/// "CPU, separable, 960 x 640 u8 x 4, kernels 13x13, host upload"
std::string timing_subject_text(const TimingSubject& subject);

/// Milliseconds with as many decimals as make columns line up; "-" for none.
std::string timing_number(double microseconds);

/// A table for people: one line a row.
std::string timing_text(const Timings& timings);

/// Every sample that counts: row,run,microseconds,engine_was_idle. Lines with # before them say what the rows mean.
std::string timing_csv(const Timings& timings);

} // namespace kg
