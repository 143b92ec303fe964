#include "app/bench/timeout.hpp"

#include <cmath>

namespace kg {

namespace {

constexpr double kAwakeMicroseconds = 10'000;
constexpr std::chrono::microseconds kNap{200};

std::string in_seconds(double seconds) {
    return seconds < 1 ? std::to_string(std::lround(seconds * 1000)) + " ms"
                       : std::to_string(std::lround(seconds)) + " s";
}

} // namespace

void Timeout::give_up(const char* what) const {
    throw Stuck("timeout", "{} did not finish within {}", what, in_seconds(limits_.seconds));
}

void Timeout::Wait::on() {
    const auto waited = microseconds_since(began_);
    if (!stopped_ && timeout_.stop_.stop_requested()) stopped_ = Clock::now();
    const auto& limits = timeout_.limits_;
    if (stopped_ && seconds_since(*stopped_) > limits.after_stop)
        throw Stuck("timeout-after-stop", "{} did not finish within {} after the stop", what_,
                    in_seconds(limits.after_stop));
    if (waited > limits.seconds * 1e6) timeout_.give_up(what_);
    if (waited < kAwakeMicroseconds) std::this_thread::yield(); // a CPU engine needs the cores
    else std::this_thread::sleep_for(kNap);
}

} // namespace kg
