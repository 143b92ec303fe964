#pragma once
// The fraction of the requested processor time that this process gets, beside other processes on the machine.

namespace kg::batch {

/// Seconds of this process's threads.
struct ProcessorTime {
    double used = 0; ///< on a core, including threads that have ended
    /// Ready while other threads had the cores. Only of live threads: Linux drops the others' statistics.
    double waited = 0;
};

/// From Linux's statistics (/proc/self/task/*/schedstat for the waiting time, which is zero where it is not
/// recorded).
ProcessorTime processor_time();

/// 0 to 1; 1 if nothing else ran, or if it is not known.
double share_between(const ProcessorTime& before, const ProcessorTime& after);

} // namespace kg::batch
