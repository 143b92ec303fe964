#pragma once
// A thread that does what it is given, one job after the other.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace kg {

/// Thread-safe. The thread begins with the first job, so one that gets none costs nothing.
class JobThread {
public:
    JobThread() = default;
    ~JobThread() { finish(); }
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    void push(std::function<void()> job); ///< jobs do not throw
    void finish();                        ///< does what was pushed, then ends; nothing may be pushed after it

private:
    void loop();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace kg
