#pragma once
// Runs one row of a presentation benchmark, and records in the row and the report why it did not run or
// finish.

#include "app/bench/timeout.hpp"
#include "core/support/error.hpp"

#include <new>
#include <stop_token>
#include <string>

namespace kg {

/// Marks a row that did not run, or was interrupted.
template <typename Report, typename Row>
void mark_stopped(Report& report, Row& row, const std::string& why) {
    row.reason = why;
    row.stopped = true;
    report.complete = false;
}

/// Calls measure(), which fills the row; skips it after a stop and after a wait was given up.
template <typename Report, typename Row, typename Measure>
void run_row(Report& report, Row& row, const std::stop_token& stop, Measure measure) {
    try {
        if (stop.stop_requested()) throw Cancelled();
        if (!report.stuck.empty()) return mark_stopped(report, row, "an earlier row did not come to its end");
        measure();
    } catch (const Cancelled&) {
        mark_stopped(report, row, "stopped");
    } catch (const Stuck& stuck) {
        report.stuck = row.reason = stuck.what();
        report.complete = false;
    } catch (const std::bad_alloc&) {
        row.reason = "there is not enough memory for it";
    } catch (const Error& error) {
        row.reason = error.what();
    }
}

} // namespace kg
