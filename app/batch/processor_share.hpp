#pragma once
// How much of the processor this process gets of what it asks for, beside whatever else runs on the machine.

namespace kg::batch {

/// Seconds of all threads that this process has now.
struct ProcessorTime {
    double used = 0;   ///< on a core
    double waited = 0; ///< ready, while others had the cores
};

/// Linux's own account (/proc/self/task/*/schedstat); zeros where it keeps none.
ProcessorTime processor_time();

/// 0 to 1; 1 where nobody was in the way, or it is not known.
double share_between(const ProcessorTime& before, const ProcessorTime& after);

} // namespace kg::batch
