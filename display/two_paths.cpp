#include "display/two_paths.hpp"

#include <utility>

namespace kg::display {

namespace {

constexpr Path kPaths[] = {Path::host, Path::interop};

} // namespace

void TwoPaths::Lane::rest() {
    if (presentation) presentation->rest();
    is_behind = true;
}

void TwoPaths::present(Frame frame, const std::vector<Rect>& so_far, Path path, const Make& make) {
    auto& taken = lane(path);
    if (!taken.presentation) {
        taken.presentation = make();
        taken.is_behind = true;
        taken.is_closed = false;
    }
    incoming_.reset();
    if (path != current_) incoming_ = path;
    for (const auto other : kPaths)
        if (other != path) lane(other).rest(); // an older result must not follow this one
    if (taken.is_behind) frame.changed = so_far;
    taken.presentation->present(std::move(frame));
    taken.is_behind = false;
}

Presentation* TwoPaths::active() {
    const auto& path = incoming_ ? incoming_ : current_;
    return path ? lane(*path).presentation.get() : nullptr;
}

bool TwoPaths::ready() {
    auto* presentation = active();
    return presentation && presentation->ready();
}

bool TwoPaths::poll() {
    auto* presentation = active();
    const bool changed = presentation && presentation->poll();
    if (changed && incoming_) current_ = std::exchange(incoming_, std::nullopt);
    tidy();
    return changed;
}

void TwoPaths::give_up() {
    incoming_.reset();
    for (auto& each : lanes_) each.rest();
}

/// A hidden texture is kept only for more results of the same image.
void TwoPaths::tidy() {
    for (const auto path : kPaths) {
        auto& idle = lane(path);
        if (!idle.presentation || path == current_ || path == incoming_) continue;
        idle.rest();
        if (idle.is_closed) {
            idle.presentation.reset();
        } else if (current_ && idle.presentation->texture() != 0) {
            const auto &kept = idle.presentation->shown(), &now = current()->shown();
            if (kept.size != now.size || kept.format.depth != now.format.depth) idle.presentation->release();
        }
    }
}

std::optional<PresentationTimes> TwoPaths::take_times() {
    for (auto& each : lanes_)
        if (each.presentation)
            if (auto times = each.presentation->take_times()) return times;
    return std::nullopt;
}

std::optional<DrawTimer::Drawn> TwoPaths::take_gl_time() {
    for (auto& each : lanes_)
        if (each.presentation)
            if (const auto time = each.presentation->take_gl_time()) return time;
    return std::nullopt;
}

} // namespace kg::display
