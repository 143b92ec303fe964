#pragma once
// Findings of a batch: failures and outliers.

#include "app/batch/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::batch {

struct Finding {
    enum class Kind : std::uint8_t {
        failed,
        damaged,    ///< from a file that is incomplete
        not_finite, ///< it contains infinite numbers or NaN
        clipped,    ///< much of the result is outside the range of its format
        slow,
        large, ///< a large file
        done   ///< an ordinary result
    };
    Kind kind = Kind::failed;
    std::filesystem::path input, output{}; ///< the output's full path; empty if there is none
    std::string text;                      ///< a message, or the value and the usual one
    double value = 0;                      ///< sort key: multiple of the threshold for a finding
    std::optional<Error> error{};          ///< error of a failure; its message is the text
};

/// Text of Kind::not_finite.
inline constexpr std::string_view kContainsNotFinite = "contains infinite numbers or NaN";

/// Fraction of clipped pixels from which an image is a finding.
inline constexpr double kMuchClipped = 0.05;

/// One word for a kind.
std::string_view title(Finding::Kind kind);

/// Medians over all images; zeros while there are too few.
struct Usual {
    double seconds = 0; ///< time of all threads that worked on it
    double bytes = 0;   ///< size of the written file
};

/// "4 times the usual 0.8 s or 2.1 MiB, or more than 5 % clipped": the limits for outliers.
std::string limits_text(const Usual& usual);

/// The message without the file's name, for views that show the name already.
std::string_view reason(const Finding& finding);
/// "8 failed: No space left on device.": the most frequent reason. Empty if nothing failed, or if no two
/// files failed for the same reason.
std::string why_failed(std::span<const Finding> findings);

/// Collects results in the order of completion. Not thread-safe.
class Findings {
public:
    explicit Findings(std::filesystem::path out) : out_(std::move(out)) {}

    /// `output`: the existing file, if that is the reason for the failure.
    void add_failure(const std::filesystem::path& input, const Error& error,
                     const std::filesystem::path& output = {});
    /// Adds an output that was made earlier.
    void add_done(const std::filesystem::path& input, const std::filesystem::path& output);
    void add(const FileResult& result);
    /// Failures in the order they came, then the current outliers, of each kind the most extreme first.
    std::vector<Finding> all() const;
    /// Every existing output with its size and time. Consumes them; to be called at the end.
    std::vector<Finding> done() &&;
    Usual usual() const;

private:
    struct File {
        std::filesystem::path input, output;
        double seconds = 0, bytes = 0;
    };
    std::filesystem::path out_;
    std::vector<Finding> certain_; ///< independent of the other files
    std::vector<Finding> before_;  ///< made by an earlier run
    std::vector<File> files_;
};

enum class FindingOrder : std::uint8_t { kind, name, text };
/// Indices in sorted order. There may be tens of thousands: call it only when something has changed.
std::vector<std::size_t> sorted(std::span<const Finding> findings, FindingOrder by, bool descending);

} // namespace kg::batch
