#pragma once
// How far long work is, on standard error, if a person looks at it.

#include <chrono>
#include <string>
#include <string_view>

namespace kg {

class ProgressBar {
public:
    /// Nothing is ever shown unless `wanted` and standard error is a terminal that can go back in a line.
    explicit ProgressBar(bool wanted);
    /// Takes its line away.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// At most ten times a second, so it may be called as often as one likes.
    void show(double done, double all, std::string_view what);

    /// Takes the line away until the next show(), for who has something to say meanwhile.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    bool shown_ = false, wanted_;
    Clock::time_point began_ = Clock::now(), last_{};
};

/// "[#####.....] 52 %, 25 s left, gaussian round 2 of 6", not longer than `columns`. `seconds` have passed.
std::string progress_line(double done, double all, double seconds, std::string_view what,
                          std::size_t columns);

/// Columns of the terminal behind standard output or error; 80 if there is none.
std::size_t terminal_columns(int file);
/// A person looks at it, in colours: a terminal, not dumb, and NO_COLOR is not set.
bool terminal_colours(int file);

} // namespace kg
