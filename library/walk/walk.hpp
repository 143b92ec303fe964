#pragma once
// Verification of an algorithm on every kind of request, as tests verify all algorithms of Kernelglass.

#include "core/plan/engine.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace kg {

struct WalkOutcome {
    std::size_t requests = 0; ///< of the walk
    std::size_t ran = 0;      ///< requests that the algorithm supports
    std::size_t wrong = 0;    ///< of those that ran
    std::string first_wrong;  ///< a message about the first wrong one; empty if there is none

    /// False, too, for an algorithm that supports no request of the walk: nothing of it was verified.
    bool right() const { return ran > 0 && wrong == 0; }
};

/// Runs the algorithm, which need not be one of the engine's own, on every n-th request that it supports
/// (Algorithm::why_not). Each result is compared with the float64 reference (core/plan/verification.hpp), and
/// a rectangle that is computed alone, from a source that contains only Plan::needs(), with the same
/// rectangle of the result. Throws the errors of plan and engine other than refusals, and Cancelled.
WalkOutcome walk_algorithm(Engine& engine, const Algorithm& algorithm, std::size_t every = 1,
                           const std::stop_token& stop = {});

} // namespace kg
