#include "app/batch/run/run_tally.hpp"

#include "core/support/elapsed.hpp"

namespace kg::batch {

void RunTally::started(double seconds, std::size_t ahead) {
    const std::lock_guard lock(mutex_);
    load_.start = seconds;
    load_.ahead = ahead;
}

void RunTally::waited_for_memory(double seconds) {
    const std::lock_guard lock(mutex_);
    load_.memory += seconds;
}

void RunTally::stopped() {
    const std::lock_guard lock(mutex_);
    result_.stopped = true;
}

bool RunTally::has_too_many_errors() {
    const std::lock_guard lock(mutex_);
    return options_.most_errors && result_.failed >= *options_.most_errors;
}

void RunTally::settle(FileResult& result, const DevicePools& devices) {
    if (options_.failures && result.error)
        options_.failures->add(result.task->input.path, result.error->what());
    const std::lock_guard lock(mutex_);
    ++(result.error ? result_.failed : result_.done);
    result.load = load_by_now(devices);
    sink_(result);
}

RunResult RunTally::result() {
    const std::lock_guard lock(mutex_);
    return result_;
}

/// The mutex is held.
Load RunTally::load_by_now(const DevicePools& devices) const {
    auto load = load_;
    load.seconds = seconds_since(began_) - paused_;
    load.threads = options_.images;
    load.writers = writers_;
    load.devices = devices.devices();
    load.device = devices.busy_seconds();
    return load;
}

} // namespace kg::batch
