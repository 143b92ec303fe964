#include "display/two_ways.hpp"

#include <utility>

namespace kg::display {

namespace {

constexpr Way kWays[] = {Way::host, Way::interop};

} // namespace

void TwoWays::Lane::rest() {
    if (hand_off) hand_off->rest();
    is_behind = true;
}

void TwoWays::present(Frame frame, const std::vector<Rect>& so_far, Way way, const Make& make) {
    auto& taken = lane(way);
    if (!taken.hand_off) {
        taken.hand_off = make();
        taken.is_behind = true;
        taken.is_closed = false;
    }
    incoming_.reset();
    if (way != current_) incoming_ = way;
    for (const auto other : kWays)
        if (other != way) lane(other).rest(); // an older result may not come after this one
    if (taken.is_behind) frame.changed = so_far;
    taken.hand_off->present(std::move(frame));
    taken.is_behind = false;
}

HandOff* TwoWays::active() {
    const auto& way = incoming_ ? incoming_ : current_;
    return way ? lane(*way).hand_off.get() : nullptr;
}

bool TwoWays::ready() {
    auto* hand_off = active();
    return hand_off && hand_off->ready();
}

bool TwoWays::poll() {
    auto* hand_off = active();
    const bool changed = hand_off && hand_off->poll();
    if (changed && incoming_) current_ = std::exchange(incoming_, std::nullopt);
    tidy();
    return changed;
}

void TwoWays::give_up() {
    incoming_.reset();
    for (auto& each : lanes_) each.rest();
}

/// A texture that is not shown waits for more of the same picture, and for nothing else.
void TwoWays::tidy() {
    for (const auto way : kWays) {
        auto& idle = lane(way);
        if (!idle.hand_off || way == current_ || way == incoming_) continue;
        idle.rest();
        if (idle.is_closed) {
            idle.hand_off.reset();
        } else if (current_ && idle.hand_off->texture() != 0) {
            const auto &kept = idle.hand_off->shown(), &now = current()->shown();
            if (kept.size != now.size || kept.format.depth != now.format.depth) idle.hand_off->release();
        }
    }
}

std::optional<HandOffTimes> TwoWays::take_times() {
    for (auto& each : lanes_)
        if (each.hand_off)
            if (auto times = each.hand_off->take_times()) return times;
    return std::nullopt;
}

std::optional<DrawTimer::Drawn> TwoWays::take_gl_time() {
    for (auto& each : lanes_)
        if (each.hand_off)
            if (const auto time = each.hand_off->take_gl_time()) return time;
    return std::nullopt;
}

} // namespace kg::display
