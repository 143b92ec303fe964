#pragma once
// What stands out among the files of a batch: what failed, and what is unlike the others.

#include "app/batch/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
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
        large ///< a file
    };
    Kind kind = Kind::failed;
    std::filesystem::path input, output{}; ///< the output's whole path; empty where there is none
    std::string text;                      ///< a sentence, or the value with its unit
    double value = 0;                      ///< to sort by: part of the pixels, seconds, bytes
};

/// In two words: "Failed", "Much clipped".
std::string_view title(Finding::Kind kind);

/// Collects files as they are done. Not thread-safe.
class Findings {
public:
    explicit Findings(std::filesystem::path out) : out_(std::move(out)) {}

    void add_failure(const std::filesystem::path& input, const std::string& sentence);
    void add(const FileResult& result);
    /// Failures in the order they came, then what is unlike the others by now, the most unlike of a kind first.
    std::vector<Finding> all() const;

private:
    struct File {
        std::filesystem::path input, output;
        double seconds = 0, bytes = 0;
    };
    std::filesystem::path out_;
    std::vector<Finding> certain_; ///< whatever the other files are
    std::vector<File> files_;
};

enum class FindingOrder : std::uint8_t { kind, name, text };
void sort(std::vector<Finding>& findings, FindingOrder by, bool descending);

} // namespace kg::batch
