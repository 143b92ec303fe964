#pragma once
// What stands out among the files of a batch: what failed, and what is unlike the others.

#include "app/batch/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::batch {

struct Finding {
    enum class Kind : std::uint8_t {
        failed,
        damaged, ///< done, from a file of which a part is missing
        clipped, ///< much of the result lies outside of what its numbers hold
        slow,
        large, ///< a file
        done   ///< like the others
    };
    Kind kind = Kind::failed;
    std::filesystem::path input, output{}; ///< the output's whole path; empty where there is none
    std::string text;                      ///< a sentence, or how much and how much is usual
    double value = 0;                      ///< to sort by: how many times as much as makes it a finding
};

/// Part of the pixels clipped away that makes a picture stand out.
inline constexpr double kMuchClipped = 0.05;

/// In a word.
std::string_view title(Finding::Kind kind);

/// The middle ones of all pictures; zeros while there are so few that nothing is usual.
struct Usual {
    double seconds = 0; ///< of all threads that had to do with it
    double bytes = 0;   ///< of the file that was written
};

/// "4 times the usual 0.8 s or 2.1 MiB, or more than 5 % clipped": what makes an outlier.
std::string limits_text(const Usual& usual);

/// What its sentence says after the file's name, for who shows the name already.
std::string_view reason(const Finding& finding);
/// "8 failed: No space left on device.": why most failed. Empty where nothing did, and where no two did for one reason.
std::string why_failed(std::span<const Finding> findings);

/// Collects files as they are done. Not thread-safe.
class Findings {
public:
    explicit Findings(std::filesystem::path out) : out_(std::move(out)) {}

    /// `output`: what is in its way, if that is what the sentence is about.
    void add_failure(const std::filesystem::path& input, const std::string& sentence,
                     const std::filesystem::path& output = {});
    /// One that was made before.
    void add_done(const std::filesystem::path& input, const std::filesystem::path& output);
    void add(const FileResult& result);
    /// Failures in the order they came, then what is unlike the others by now, the most unlike of a kind first.
    std::vector<Finding> all() const;
    /// Every picture that is there, with how long it is and took. At the end: it takes them.
    std::vector<Finding> done() &&;
    Usual usual() const;

private:
    struct File {
        std::filesystem::path input, output;
        double seconds = 0, bytes = 0;
    };
    std::filesystem::path out_;
    std::vector<Finding> certain_; ///< whatever the other files are
    std::vector<Finding> before_;  ///< done by another run
    std::vector<File> files_;
};

enum class FindingOrder : std::uint8_t { kind, name, text };
/// Their places, in that order. There may be tens of thousands: to be asked when something has changed.
std::vector<std::size_t> sorted(std::span<const Finding> findings, FindingOrder by, bool descending);

} // namespace kg::batch
