#pragma once
// Whether the file of the shown image has changed since it was read.

#include "app/io/files/files.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace kg {

/// Looks at a file about once a second in a thread of its own, which starts with the first file. It sleeps
/// where there is nothing to watch, and calls `wake` only for a change: an idle window stays idle. Where the
/// system refuses the thread, nothing is noticed.
class FileWatch {
public:
    using Pause = std::chrono::milliseconds;
    /// `wake` is called from the thread, and may be empty.
    explicit FileWatch(std::function<void()> wake = {}, Pause pause = std::chrono::seconds(1))
        : wake_(std::move(wake)), pause_(pause) {}
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;
    ~FileWatch() = default; ///< ends the thread and joins it

    /// `stamp` is of before reading; empty = there is no file to watch.
    void begin(std::filesystem::path path, const std::optional<FileStamp>& stamp);
    /// A file that is gone, as for a moment while it is replaced, has not changed.
    bool changed() const;
    std::uint64_t looks() const; ///< how often a file has been looked at

private:
    void follow(const std::stop_token& stop);

    std::function<void()> wake_;
    Pause pause_;
    mutable std::mutex mutex_;
    std::condition_variable_any begun_;
    std::filesystem::path path_;
    std::optional<FileStamp> stamp_;
    bool changed_ = false;
    std::uint64_t serial_ = 0; ///< of the call of begin()
    std::uint64_t looks_ = 0;
    std::jthread thread_; ///< last member, so that it ends before the others
};

} // namespace kg
