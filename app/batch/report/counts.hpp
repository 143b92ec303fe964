#pragma once
// Totals of a batch, as numbers and as text.

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
    std::size_t clipped = 0;    ///< images with more than kManyClipped of their pixels clamped
    std::size_t not_finite = 0; ///< images with infinite samples or NaN
    std::uint64_t bytes_read = 0, bytes_written = 0;
    StageTimes stages;
    Load load;                                                        ///< load of the run that they belong to
    std::map<std::string, double> decode_seconds{}, encode_seconds{}; ///< by format id
    std::map<std::string, std::size_t> notes{};                       ///< with the number of files of each
    std::string engine{};

    /// Counts what is known before the work begins.
    void add(std::span<const Task> tasks);
    void add(const FileResult& result);
};

/// Fraction of clamped pixels from which a summary mentions an image.
inline constexpr double kManyClipped = 0.01;
/// Fraction of the sampled pixels; 0 if none were sampled.
double clipped_fraction(const std::optional<Clipping>& clipping);

/// The bottleneck: the most used resource. For the threads, the stage that took most of their time.
struct Limit {
    std::string stage;   ///< "JPEG decoding"; empty if nothing was done
    double fraction = 0; ///< use of the resource, 0 to 1
    std::string of{};    ///< "the threads' time"
};
Limit limit_of(const Counts& counts);
/// "JPEG decoding (62 % of the threads' time)"
std::string limit_text(const Limit& limit);

/// Use of each resource, 0 to 1.
struct InUse {
    double threads = 0, reading = 0, device = 0, writing = 0; ///< one thread at a time reads
    double memory = 0, start = 0;                             ///< fraction of the time spent waiting for it
};
InUse in_use(const Counts& counts);

/// Extrapolation from some files to all, by the bytes of the inputs; zeros if nothing was read.
struct Prediction {
    double seconds = 0, bytes = 0;
};
Prediction predicted(const Counts& of_some, std::uint64_t bytes_of_all);
/// Time for `times` as much of the same work. Threads idle at the beginning and at the end of a run, which
/// weighs more in a run of few images.
double seconds_of(const Counts& of_some, double times);

/// "12 sampled images, 1 of which failed": what an estimate is based on.
std::string sampled_text(std::size_t images, std::size_t failed);

/// "4 hidden files, 2 files that are not images"; empty if nothing was skipped. `with_flags` adds the flags
/// that include them.
std::string skipped_text(const Skipped& skipped, bool with_flags);

/// "52.1 a second"
std::string rate_text(std::size_t count, double seconds);

/// "Failures are kept in FILE", or the reason why they are not; empty if nothing failed.
std::string failures_text(const FailureLog* failures);

/// The summary of a run as text; `skipped` and `failures` as above.
std::string summary_text(const Counts& counts, double seconds, const std::string& skipped,
                         const std::string& failures, const std::filesystem::path& out);

/// What would be done, and what that estimate is based on; see estimate_text().
struct EstimateText {
    std::string text, basis;
};
/// The same for a run that is only planned.
std::string plan_text(const Counts& counts, const EstimateText& estimate, const std::string& skipped);

} // namespace kg::batch
