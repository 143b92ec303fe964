#pragma once
// The end of a presentation benchmark whose work does not finish.

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace kg::testing {

/// Requests a stop from another thread after a while.
class StopSoon {
public:
    explicit StopSoon(std::chrono::milliseconds after)
        : thread_([this, after] {
              std::this_thread::sleep_for(after);
              source_.request_stop();
          }) {}
    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread thread_; // last: destroyed first
};

/// The first row has waited for `what`, and the others have not begun.
template <typename Report>
void expect_stuck_in_the_first_row(const Report& report, const std::string& what) {
    EXPECT_EQ(report.stuck, what);
    EXPECT_FALSE(report.complete);
    ASSERT_GT(report.rows.size(), 1u);
    EXPECT_EQ(report.rows.front().reason, report.stuck);
    EXPECT_FALSE(report.rows.front().stopped);
    EXPECT_EQ(report.rows.back().reason, "an earlier row did not come to its end");
    EXPECT_TRUE(report.rows.back().stopped);
}

template <typename Report>
void expect_stopped_in_the_first_row(const Report& report) {
    EXPECT_FALSE(report.complete);
    ASSERT_FALSE(report.rows.empty());
    EXPECT_NE(report.rows.front().reason.find("stop"), std::string::npos) << report.rows.front().reason;
    EXPECT_EQ(report.rows.back().reason, "stopped");
}

} // namespace kg::testing
