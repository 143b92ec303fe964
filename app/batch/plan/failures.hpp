#pragma once
// Failures of a batch, kept beside the journal so that the list outlives the terminal or window.

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

namespace kg::batch {

/// The file that holds an output folder's failures; `shard` as for journals.
std::filesystem::path failures_file(const std::filesystem::path& out, const std::string& shard);

/// Appends to the file: one line for a run that has failures, and below it one line per failure with time,
/// input and message. The file is created at the first failure. Thread-safe. Never throws: trouble() reports
/// lines that could not be written.
class FailureLog {
public:
    /// `run` describes the run in one line; the folder exists. Only the process that holds the journal uses
    /// the file.
    FailureLog(std::filesystem::path file, std::string run) noexcept;
    ~FailureLog();
    FailureLog(const FailureLog&) = delete;
    FailureLog& operator=(const FailureLog&) = delete;

    void add(const std::filesystem::path& input, std::string_view message) noexcept;

    const std::filesystem::path& path() const { return path_; }
    bool has_lines() const; ///< true if this run has added lines
    /// The reason why lines are missing; empty if none is.
    std::string trouble() const;

private:
    bool append(const std::string& line);

    const std::filesystem::path path_;
    const std::string run_;
    mutable std::mutex mutex_;
    int file_ = -1;
    bool has_lines_ = false;
    int error_ = 0; ///< errno of the first line that could not be written
};

} // namespace kg::batch
