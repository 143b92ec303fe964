#include "peers/support/patience.hpp"

#include "core/support/error.hpp"

#include <utility>

namespace kg::peers {

namespace {

thread_local const Patience* innermost = nullptr;

} // namespace

Patience::Patience(std::stop_token stop, double seconds, TimeSource& time)
    : stop_(std::move(stop)), time_(time), end_us_(time.now_us() + seconds * 1e6),
      outer_(std::exchange(innermost, this)) {}

Patience::~Patience() { innermost = outer_; }

bool patience_is_left() {
    if (!innermost) return true;
    if (innermost->stop_.stop_requested()) throw Cancelled();
    return innermost->time_.now_us() < innermost->end_us_;
}

} // namespace kg::peers
