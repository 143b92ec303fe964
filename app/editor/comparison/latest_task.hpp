#pragma once
// Work in a thread of its own, of which only the latest counts.

#include "core/support/job_thread.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace kg {

/// A Task has a std::stop_source `stop` and a function `work(wake)`, which ends soon after a stop. The object
/// belongs to one thread.
template <typename Task>
class LatestTask {
public:
    /// `wake` is called from any thread: by a task, and when it is over.
    explicit LatestTask(std::function<void()> wake) : wake_(std::move(wake)) {}
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;
    ~LatestTask() { forget(); }

    /// Replaces the task before it.
    void start(std::shared_ptr<Task> task) {
        forget();
        task_ = std::move(task);
        ++working_;
        thread_.push([this, task = task_] {
            task->work(wake_);
            --working_;
            if (wake_) wake_();
        });
    }
    /// The latest task; null before the first one, and once it is forgotten.
    Task* get() const { return task_.get(); }
    /// Ends the work.
    void forget() {
        if (task_) task_->stop.request_stop();
        task_.reset();
    }
    /// Also while work that has been ended is not over yet.
    bool busy() const { return working_ > 0; }

private:
    std::function<void()> wake_;
    std::shared_ptr<Task> task_;
    std::atomic<int> working_ = 0; ///< tasks that are not over
    JobThread thread_;             ///< last member: ends first
};

} // namespace kg
