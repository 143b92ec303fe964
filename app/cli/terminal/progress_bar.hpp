#pragma once
// Progress of long work, on standard error if it is a terminal.

#include <chrono>
#include <string>
#include <string_view>

namespace kg {

class ProgressBar {
public:
    /// Shows the bar only if `wanted` is true and standard error is a terminal that supports carriage return.
    explicit ProgressBar(bool wanted);
    /// Removes the line.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// Updates the line at most ten times a second, however often it is called.
    void show(double done, double all, std::string_view what);

    /// Removes the line until the next show(), to make room for a message.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    bool shown_ = false, wanted_;
    Clock::time_point began_ = Clock::now(), last_{};
};

/// "[#####.....] 52 %, 25 s left, gaussian round 2 of 6", at most `columns` long, after `seconds` of work.
std::string progress_line(double done, double all, double seconds, std::string_view what,
                          std::size_t columns);

/// Columns of the terminal of standard output or error; 80 if it is not a terminal.
std::size_t terminal_columns(int file);
/// Returns true if the output may be coloured: a terminal that is not dumb, and NO_COLOR is not set.
bool terminal_colours(int file);

} // namespace kg
