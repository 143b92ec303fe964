#pragma once
// Blocks a queue for as long as a test needs.

#include "core/plan/completion.hpp"
#include "core/support/error.hpp"

#include <condition_variable>
#include <mutex>

namespace kg::testing {

/// A completion that a test opens.
class Gate final : public CompletionState {
public:
    bool ready() override {
        std::lock_guard lock(mutex_);
        return open_;
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return open_; });
        if (fails_) throw Error("filter-failed", "the filter failed");
    }
    Report report() override { return {}; }
    void open(bool fails = false) {
        std::lock_guard lock(mutex_);
        open_ = true;
        fails_ = fails;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false, fails_ = false;
};

} // namespace kg::testing
