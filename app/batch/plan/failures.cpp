#include "app/batch/plan/failures.hpp"

#include "app/batch/plan/journal.hpp"
#include "app/io/files/files.hpp"
#include "core/support/text.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace kg::batch {

namespace {

/// "2026-11-22T07:20:11Z"
std::string time_now() {
    const auto now = std::time(nullptr);
    std::tm fields{};
    ::gmtime_r(&now, &fields);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields)};
}

} // namespace

std::filesystem::path failures_file(const std::filesystem::path& out, const std::string& shard) {
    return journal_folder(out) / ("failures" + (shard.empty() ? "" : "-" + shard) + ".log");
}

FailureLog::FailureLog(std::filesystem::path file, std::string run) noexcept
    : path_(std::move(file)), run_(std::move(run)) {}

FailureLog::~FailureLog() {
    if (file_ >= 0) ::close(file_);
}

void FailureLog::add(const std::filesystem::path& input, std::string_view message) noexcept try {
    const auto now = time_now();
    auto line = now + "\t" + printable(input.string()) + "\t" + printable(message) + "\n";
    const std::lock_guard lock(mutex_);
    if (!has_lines_) line.insert(0, "# " + now + " " + printable(run_) + "\n");
    if (append(line)) has_lines_ = true;
} catch (const std::exception&) { // out of memory for the line
    const std::lock_guard lock(mutex_);
    if (error_ == 0) error_ = ENOMEM;
}

bool FailureLog::has_lines() const {
    const std::lock_guard lock(mutex_);
    return has_lines_;
}

std::string FailureLog::trouble() const {
    const std::lock_guard lock(mutex_);
    if (error_ == 0) return {};
    return "Not every failure could be written to " + quoted(path_) + ": " + std::strerror(error_);
}

/// Appends the whole line or nothing: a partial write on a full disk is truncated.
bool FailureLog::append(const std::string& line) {
    if (file_ < 0) file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ >= 0) {
        const auto before = ::lseek(file_, 0, SEEK_END);
        ssize_t count = 0;
        do count = ::write(file_, line.data(), line.size());
        while (count < 0 && errno == EINTR);
        if (count == static_cast<ssize_t>(line.size())) return true;
        if (count >= 0) errno = ENOSPC;
        const int reason = errno;
        [[maybe_unused]] const int cut = ::ftruncate(file_, before);
        errno = reason;
    }
    if (error_ == 0) error_ = errno;
    return false;
}

} // namespace kg::batch
