#include "app/cli/terminal/progress_bar.hpp"

#include "core/support/elapsed.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kg {

namespace {

constexpr auto kEvery = std::chrono::milliseconds(100);
constexpr std::size_t kBar = 20;

bool can_go_back() {
    const char* terminal = std::getenv("TERM");
    return terminal && std::string_view(terminal) != "dumb" && isatty(STDERR_FILENO);
}

std::string duration(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    return whole < 90 ? std::to_string(whole) + " s" : std::to_string((whole + 30) / 60) + " min";
}

} // namespace

std::string progress_line(double done, double all, double seconds, std::string_view what,
                          std::size_t columns) {
    const double fraction = all > 0 ? std::clamp(done / all, 0.0, 1.0) : 0;
    const auto full = static_cast<std::size_t>(fraction * kBar);
    auto line = "[" + std::string(full, '#') + std::string(kBar - full, '.') + "] " +
                std::to_string(static_cast<int>(fraction * 100)) + " %";
    if (fraction > 0.02 && fraction < 1)
        line += ", " + duration(seconds / fraction * (1 - fraction)) + " left";
    line += ", " + std::string(what);
    return line.substr(0, columns);
}

std::size_t terminal_columns(int file) {
    winsize size{};
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool terminal_colours(int file) {
    const char* terminal = std::getenv("TERM");
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(file) && terminal && std::string_view(terminal) != "dumb" && !(no_color && *no_color);
}

ProgressBar::ProgressBar(bool wanted) : wanted_(wanted && can_go_back()) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
    shown_ = false;
}

void ProgressBar::show(double done, double all, std::string_view what) {
    const auto now = Clock::now();
    if (!wanted_ || (shown_ && now - last_ < kEvery)) return;
    const double seconds = seconds_between(began_, now);
    const auto line = progress_line(done, all, seconds, what, terminal_columns(STDERR_FILENO) - 1);
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    shown_ = true;
    last_ = now;
}

} // namespace kg
