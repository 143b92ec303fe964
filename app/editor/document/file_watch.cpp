#include "app/editor/document/file_watch.hpp"

#include "core/support/thread.hpp"

#include <utility>

namespace kg {

void FileWatch::begin(std::filesystem::path path, const std::optional<FileStamp>& stamp) {
    const std::lock_guard lock(mutex_);
    path_ = std::move(path), stamp_ = stamp, changed_ = false;
    ++serial_;
    begun_.notify_one();
    if (stamp_ && !thread_.joinable())
        thread_ = try_thread([this](const std::stop_token& stop) { follow(stop); });
}

bool FileWatch::changed() const {
    const std::lock_guard lock(mutex_);
    return changed_;
}

std::uint64_t FileWatch::looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
}

void FileWatch::follow(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto never = [] { return false; };
    while (begun_.wait(lock, stop, [this] { return stamp_ && !changed_; })) {
        begun_.wait_for(lock, stop, pause_, never);
        if (stop.stop_requested()) return;
        if (!stamp_ || changed_) continue; // there is another image since
        const auto path = path_;
        const auto before = *stamp_;
        const auto serial = serial_;
        lock.unlock();
        const auto now = file_stamp(path); // a slow disk holds nobody up
        lock.lock();
        ++looks_;
        if (serial != serial_ || !now || *now == before) continue;
        changed_ = true;
        lock.unlock();
        if (wake_) wake_();
        lock.lock();
    }
}

} // namespace kg
