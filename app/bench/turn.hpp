#pragma once
// A row's turn in a benchmark of the way to the screen, and what its row and the report say where it does not come, or not to its end.

#include "app/bench/patience.hpp"
#include "core/support/error.hpp"

#include <new>
#include <stop_token>
#include <string>

namespace kg {

/// The row's turn does not come, or it was interrupted.
template <typename Report, typename Row>
void pass_over(Report& report, Row& row, const std::string& why) {
    row.reason = why;
    row.stopped = true;
    report.complete = false;
}

/// measure(), which fills the row in: not after a stop, nor after what was given up waiting for.
template <typename Report, typename Row, typename Measure>
void take_turn(Report& report, Row& row, const std::stop_token& stop, Measure measure) {
    try {
        if (stop.stop_requested()) throw Cancelled();
        if (!report.stuck.empty()) return pass_over(report, row, "an earlier row did not come to its end");
        measure();
    } catch (const Cancelled&) {
        pass_over(report, row, "stopped");
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
