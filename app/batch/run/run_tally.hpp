#pragma once
// Totals of a run so far.

#include "app/batch/run/run.hpp"
#include "app/process/pool/device_pools.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace kg::batch {

/// Thread-safe.
class RunTally {
public:
    RunTally(const RunOptions& options, int writers, const std::function<void(const FileResult&)>& sink)
        : options_(options), writers_(writers), sink_(sink) {}

    /// Records how long the engine was waited for, and how many images were decoded meanwhile.
    void started(double seconds, std::size_t ahead);
    void waited_for_memory(double seconds);
    void paused(double seconds) { paused_ += seconds; }
    void stopped();
    bool has_too_many_errors();
    /// Counts a completed file and reports it to the sink.
    void settle(FileResult& result, const DevicePools& devices);
    RunResult result();

private:
    Load load_by_now(const DevicePools& devices) const;

    const RunOptions& options_;
    const int writers_;
    const std::function<void(const FileResult&)>& sink_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::atomic<double> paused_ = 0;
    std::mutex mutex_; ///< guards the members below
    RunResult result_;
    Load load_;
};

} // namespace kg::batch
