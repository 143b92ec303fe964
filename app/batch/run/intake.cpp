#include "app/batch/run/intake.hpp"

#include "app/process/input_watch.hpp"
#include "app/process/memory_need.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace kg::batch {

namespace {

using Clock = std::chrono::steady_clock;

/// Files that the system is asked to have ready.
constexpr std::size_t kAhead = 4;

} // namespace

bool Intake::is_over() { return stop_.stop_requested() || tally_.has_too_many_errors(); }

FileOnWay* Intake::next() {
    if (wish_.pause && wish_.pause->is_set()) {
        const auto began = Clock::now();
        wish_.pause->wait(stop_); // the other threads finish what is begun
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
    auto work = std::make_unique<FileOnWay>();
    work->result.task = &tasks_[next_++];
    attempt(*work, &StageTimes::read, [this](FileOnWay& each) { read(each); });
    return work.release();
}

void Intake::read(FileOnWay& work) {
    for (auto ahead = std::max(next_, asked_); ahead < std::min(tasks_.size(), next_ + kAhead); ++ahead) {
        const int file = ::open(tasks_[ahead].input.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file >= 0) ::posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED), ::close(file);
        asked_ = ahead + 1;
    }
    const auto& path = work.result.task->input.path;
    const auto name = quoted(path);
    const InputWatch watch(path);
    const auto& before = watch.before();
    if (before && needs_bands(work, needed_before_reading(path, before->bytes))) return;
    work.bytes = read_file(path, picture_limits(name, wish_.read));
    work.input_stamp = watch.stamp(work.bytes.size());
    work.result.input_bytes = work.bytes.size();
    const auto needed = bytes_needed(probe(work.bytes, name, wish_.read), work.bytes.size(), wish_.recipe);
    if (needs_bands(work, needed)) return;
    take_memory(work, needed);
}

/// A large file is not read for its header alone.
std::size_t Intake::needed_before_reading(const std::filesystem::path& path, std::size_t file) const {
    constexpr std::size_t kLarge = 16; // such a part of the memory
    if (file < wish_.largest_picture / kLarge) return file;
    return bytes_needed_by_header(path, file, wish_.recipe, wish_.read);
}

/// Such a picture goes alone: it takes all the memory that there is for those on their way.
bool Intake::needs_bands(FileOnWay& work, std::size_t needed) {
    if (needed <= wish_.largest_picture) return false;
    work.in_bands = true;
    work.bytes = {};
    work.bytes_needed = needed;
    take_memory(work, wish_.bytes_in_flight);
    return true;
}

/// While there is no engine nobody gives any back: who finds none waits for it later, and is the last.
void Intake::take_memory(FileOnWay& work, std::size_t bytes) {
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

void Intake::give_back_all_but(FileOnWay& work, std::size_t bytes) {
    const std::lock_guard lock(work.mutex);
    if (work.bytes_taken <= bytes) return;
    budget_.give(work.bytes_taken - bytes);
    work.bytes_taken = bytes;
}

} // namespace kg::batch
