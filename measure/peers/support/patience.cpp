#include "measure/peers/support/patience.hpp"

#include "core/error.hpp"

#include <utility>

namespace kg::measure {

namespace {

thread_local const Patience* innermost = nullptr;

} // namespace

Patience::Patience(std::stop_token stop, double seconds)
    : stop_(std::move(stop)), seconds_(seconds), outer_(std::exchange(innermost, this)) {}

Patience::~Patience() { innermost = outer_; }

bool patience_is_left() {
    if (!innermost) return true;
    if (innermost->stop_.stop_requested()) throw Cancelled();
    const auto passed = std::chrono::steady_clock::now() - innermost->began_;
    return std::chrono::duration<double>(passed).count() < innermost->seconds_;
}

} // namespace kg::measure
