#pragma once
// A thread that executes jobs in order.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace kg {

/// Thread-safe. The thread starts with the first job, so an unused object costs nothing. If the system
/// refuses a thread, push() executes the jobs itself, in the same order.
class JobThread {
public:
    /// Without a thread of its own, push() always executes the jobs itself.
    explicit JobThread(bool own_thread = true) : own_thread_(own_thread) {}
    ~JobThread() { finish(); }
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    void push(std::function<void()> job); ///< jobs must not throw
    /// False if push() would execute the next job itself; the job must then not wait for a later action of
    /// its caller.
    bool start();
    void finish(); ///< executes the pending jobs, then ends the thread; no push() may follow

private:
    bool has_thread();
    void loop();
    void do_jobs(std::unique_lock<std::mutex>& lock);

    const bool own_thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ending_ = false;
    bool at_work_ = false; ///< a thread in push() is executing jobs
    std::jthread thread_;
};

} // namespace kg
