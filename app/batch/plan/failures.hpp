#pragma once
// What went wrong, kept beside the journal: a terminal is closed, a window is left, and the list would be gone.

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

namespace kg::batch {

/// Where an output folder's failures are kept; `shard` as for journals.
std::filesystem::path failures_file(const std::filesystem::path& out, const std::string& shard);

/// Adds to the file: a line for a run that has failures, and under it one for each of them, with time, input and sentence. Nothing
/// is written, nor is a file made, before the first. Thread-safe. Never throws: what cannot be written is missing there, and
/// trouble() says so.
class FailureLog {
public:
    /// `run` says in a line what is done; the folder is there. One process at a time has a file: whoever holds the journal.
    FailureLog(std::filesystem::path file, std::string run) noexcept;
    ~FailureLog();
    FailureLog(const FailureLog&) = delete;
    FailureLog& operator=(const FailureLog&) = delete;

    void add(const std::filesystem::path& input, std::string_view sentence) noexcept;

    const std::filesystem::path& path() const { return path_; }
    bool has_lines() const; ///< of this run
    /// Why lines are missing; empty = none is.
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
