#include "app/batch/run/intake.hpp"

#include "app/process/file/memory_need.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace kg::batch {

namespace {

using Clock = std::chrono::steady_clock;

/// Files that the system is asked to read ahead.
constexpr std::size_t kAhead = 4;

} // namespace

bool Intake::is_over() { return stop_.stop_requested() || tally_.has_too_many_errors(); }

FileInFlight* Intake::next() {
    if (options_.pause && options_.pause->is_set()) {
        const auto began = Clock::now();
        options_.pause->wait(stop_); // the other threads complete the files in flight
        tally_.paused(seconds_since(began));
    }
    while (next_ < tasks_.size() && tasks_[next_].state != Task::State::wanted) ++next_;
    const bool has_ahead = !is_ahead_ && !ahead_.empty();
    if ((next_ == tasks_.size() && !has_ahead) || is_over()) {
        if (next_ < tasks_.size() || has_ahead) tally_.stopped();
        return nullptr;
    }
    if (has_ahead) {
        auto work = std::move(ahead_.front());
        ahead_.pop_front();
        if (work->bytes_owed > 0) take_memory(*work, std::exchange(work->bytes_owed, 0));
        return work.release();
    }
    auto work = std::make_unique<FileInFlight>();
    work->result.task = &tasks_[next_++];
    attempt(*work, &StageTimes::read, [this](FileInFlight& each) { read(each); });
    return work.release();
}

void Intake::read(FileInFlight& work) {
    for (auto ahead = std::max(next_, asked_); ahead < std::min(tasks_.size(), next_ + kAhead); ++ahead) {
        const int file = ::open(tasks_[ahead].input.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file >= 0) ::posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED), ::close(file);
        asked_ = ahead + 1;
    }
    const auto& path = work.result.task->input.path;
    work.watch.emplace(path);
    const auto& before = work.watch->before();
    if (before && is_large(before->bytes)) {
        if (const auto info = info_by_header(path, options_.read)) {
            const auto needed = bytes_needed(*info, before->bytes, options_.recipe);
            if (needs_bands(work, needed)) return;
            work.is_read = false;
            return take_memory(work, needed);
        }
    }
    if (before && needs_bands(work, before->bytes)) return;
    read_input(work, options_.read);
    const auto needed = bytes_needed(probe(work.bytes, quoted(path), options_.read), work.bytes.size(),
                                     options_.recipe);
    if (needs_bands(work, needed)) return;
    take_memory(work, needed);
}

/// A large file is read by the thread that decodes it, beside others, because one thread reads
/// more slowly than a GPU filters. Nor is it read in full for its header alone, where it does not fit.
bool Intake::is_large(std::size_t file) const {
    constexpr std::size_t kLarge = std::size_t{4} << 20, kFractionOfMemory = 16;
    return file >= std::min(kLarge, options_.largest_image / kFractionOfMemory);
}

/// An image that needs bands runs alone: it takes the whole memory budget.
bool Intake::needs_bands(FileInFlight& work, std::size_t needed) {
    if (needed <= options_.largest_image) return false;
    work.in_bands = true;
    work.bytes = {};
    work.bytes_needed = needed;
    take_memory(work, options_.bytes_in_flight);
    return true;
}

/// Without an engine no memory is given back: a file that does not fit waits for it later, and is the last
/// one read ahead.
void Intake::take_memory(FileInFlight& work, std::size_t bytes) {
    if (is_ahead_) {
        is_ahead_ = budget_.try_take(bytes);
        (is_ahead_ ? work.bytes_taken : work.bytes_owed) = bytes;
        return;
    }
    const auto began = Clock::now();
    budget_.take(bytes);
    work.bytes_taken = bytes;
    const auto waited = seconds_since(began);
    work.result.seconds.wait += waited;
    tally_.waited_for_memory(waited);
}

void Intake::give_back_all_but(FileInFlight& work, std::size_t bytes) {
    const std::lock_guard lock(work.mutex);
    if (work.bytes_taken <= bytes) return;
    budget_.give(work.bytes_taken - bytes);
    work.bytes_taken = bytes;
}

} // namespace kg::batch
