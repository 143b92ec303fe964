#pragma once
// The state of a benchmark as text for a window.

#include "app/bench/session/session.hpp"

#include <string>

namespace kg {

struct BenchText {
    std::string chip;    ///< "Measuring 3 of 18"; empty while no job is running
    std::string verdict; ///< the message to read first
    std::string detail;  ///< the step, or the times with transfers
    double progress = 0; ///< 0 to 1, of a running job
    bool warns = false;
};

/// The running job, else the outcome: the verdict of `shown`, which may be null. A failure to measure
/// replaces it, that of a comparison does not.
BenchText bench_text(const BenchState& state, const RankedReport* shown);

} // namespace kg
