#pragma once
// What a run has come to by now.

#include "app/process/pool/device_pools.hpp"
#include "app/batch/run/processor_share.hpp"
#include "app/batch/run/run.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace kg::batch {

/// From any thread.
class RunTally {
public:
    RunTally(const RunWish& wish, int writers, const std::function<void(const FileResult&)>& sink)
        : wish_(wish), writers_(writers), sink_(sink) {}

    /// How long the engine was waited for, and how many pictures were decoded meanwhile.
    void started(double seconds, std::size_t ahead);
    void waited_for_memory(double seconds);
    void paused(double seconds) { paused_ += seconds; }
    void stopped();
    bool has_too_many_errors();
    /// To be asked while the threads that did the work are still there.
    void measure_share();
    /// A file has come to its end; tells whoever wants to know.
    void settle(FileResult& result, const DevicePools& devices);
    RunResult result();

private:
    Load load_by_now(const DevicePools& devices) const;

    const RunWish& wish_;
    const int writers_;
    const std::function<void(const FileResult&)>& sink_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    const ProcessorTime processor_before_ = processor_time();
    std::atomic<double> paused_ = 0;
    std::mutex mutex_; ///< guards those below
    RunResult result_;
    Load load_;
};

} // namespace kg::batch
