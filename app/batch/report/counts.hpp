#pragma once
// What a batch came to, in numbers and in words.

#include "app/batch/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace kg::batch {

/// Sums over the files of a batch.
struct Counts {
    std::size_t done = 0, up_to_date = 0, kept = 0, failed = 0, not_begun = 0, damaged = 0;
    std::size_t clipped = 0;    ///< pictures of which more than kManyClipped was clamped away
    std::size_t not_finite = 0; ///< pictures with samples that are infinite or no numbers
    std::uint64_t bytes_read = 0, bytes_written = 0;
    StageTimes stages;
    Load load;                                                        ///< of the run that they are from
    std::map<std::string, double> decode_seconds{}, encode_seconds{}; ///< by format id
    std::map<std::string, std::size_t> notes{};                       ///< and how many files each is of
    std::string engine{};

    /// What is known before the work begins.
    void add(std::span<const Task> tasks);
    void add(const FileResult& result);
};

/// The part of a picture that its format could not hold, from which on a summary mentions it.
inline constexpr double kManyClipped = 0.01;
/// Of the pixels looked at; 0 if none were.
double clipped_part(const std::optional<Clipping>& clipping);

/// What was in use most, and so held up all the rest. Of the threads it is the stage that took most of their time.
struct Limit {
    std::string stage; ///< "JPEG decoding"; empty if nothing was done
    double part = 0;   ///< of all that there was of it, 0 to 1
    std::string of{};  ///< "the threads' time"
};
Limit limit_of(const Counts& counts);
/// "JPEG decoding (62 % of the threads' time)"
std::string limit_text(const Limit& limit);

/// How much of each was in use, 0 to 1.
struct InUse {
    double threads = 0, reading = 0, device = 0, writing = 0; ///< reading is done by one thread at a time
    double memory = 0, start = 0; ///< how much of the time something waited for it
};
InUse in_use(const Counts& counts);

/// What some files say about all of them, by the bytes of the inputs; zeros if nothing was read.
struct Prediction {
    double seconds = 0, bytes = 0;
};
Prediction predicted(const Counts& of_some, std::uint64_t bytes_of_all);
/// How long so many times the same work would take: a few pictures leave threads idle at their beginning and end, which many
/// hardly do.
double seconds_of(const Counts& of_some, double times);

/// "4 hidden files, 2 files that are no pictures"; empty if nothing was skipped. With the flags that would take them, where they
/// can be given.
std::string skipped_text(const Skipped& skipped, bool with_flags);

/// "52.1 a second"
std::string rate_text(std::size_t count, double seconds);

/// "Failures are kept in FILE", or why they are not; empty where there are none.
std::string failures_text(const FailureLog* failures);

/// Some sentences for a person; `skipped` and `failures` as above.
std::string summary_text(const Counts& counts, double seconds, const std::string& skipped,
                         const std::string& failures, const std::filesystem::path& out);

/// The same of a run that is only planned; `forecast` is what would be done.
std::string plan_text(const Counts& counts, const std::string& forecast, const std::string& skipped);

} // namespace kg::batch
