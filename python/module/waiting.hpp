#pragma once
// Waiting without the GIL for work that Ctrl-C stops.

#include "core/plan/parts.hpp"

#include <nanobind/nanobind.h>

#include <stop_token>
#include <utility>

namespace kg::python {

/// For run_in_parts(): waits for the queue's work, looks for signals meanwhile and requests the stop at one.
/// Called without the GIL.
WaitFor wait_for_signals(std::stop_source& stop);

/// Calls compute(stop token, how to wait) without the GIL. Throws the exception of Python's signal handler,
/// such as KeyboardInterrupt, if one stopped it.
template <typename Compute>
auto interruptible(Compute compute) {
    std::stop_source stop;
    try {
        const nanobind::gil_scoped_release released;
        return compute(stop.get_token(), wait_for_signals(stop));
    } catch (...) {
        if (PyErr_Occurred()) throw nanobind::python_error();
        throw;
    }
}

} // namespace kg::python
