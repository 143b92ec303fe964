#pragma once
// How much of the processor this process gets of what it asks for, beside whatever else runs on the machine.

namespace kg::batch {

/// Seconds of this process's threads.
struct ProcessorTime {
    double used = 0; ///< on a core, those that have ended, too
    double waited =
        0; ///< ready, while others had the cores; only of threads that are there: Linux forgets the others'
};

/// Linux's own account (/proc/self/task/*/schedstat for what was waited, zero where it keeps none).
ProcessorTime processor_time();

/// 0 to 1; 1 where nobody was in the way, or it is not known.
double share_between(const ProcessorTime& before, const ProcessorTime& after);

} // namespace kg::batch
