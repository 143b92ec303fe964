#pragma once
// A thread that does what it is given, one job after the other.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace kg {

/// Thread-safe. The thread begins with the first job, so one that gets none costs nothing. Where the system refuses a thread,
/// push() does the jobs itself: the same ones in the same order.
class JobThread {
public:
    JobThread() = default;
    ~JobThread() { finish(); }
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    void push(std::function<void()> job); ///< jobs do not throw
    /// False where the next job would be done by push(), so that it must not wait for what its caller does later.
    bool start();
    void finish(); ///< does what was pushed, then ends; nothing may be pushed after it

private:
    bool has_thread();
    void loop();
    void do_jobs(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ending_ = false;
    bool at_work_ = false; ///< a thread that called push() does the jobs
    std::jthread thread_;
};

} // namespace kg
