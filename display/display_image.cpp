#include "display/display_image.hpp"

#include "display/image_texture.hpp"

#include <string>
#include <utility>

namespace kg::display {

namespace {

constexpr Path kPaths[] = {Path::host, Path::interop};

} // namespace

void DisplayImage::Lane::rest() {
    if (presentation) presentation->rest();
    is_behind = true;
}

DisplayImage::DisplayImage(std::shared_ptr<DisplayRoute> route, DisplayOptions options)
    : route_(std::move(route)), options_(std::move(options)) {
    if (options_.texture_limit <= 0) options_.texture_limit = largest_texture();
}

void DisplayImage::present(Frame frame) {
    const bool known = latest_ ? latest_->serial == frame.serial
                               : texture() != 0 && shown().serial == frame.serial;
    if (known) return;
    engine_ = frame.engine;
    if (frame.changed.empty()) so_far_ = {};
    else so_far_ = {frame.pixels.memory, changed_by_both(so_far_.memory, so_far_.changed, frame)};
    latest_ = std::move(frame);
    attempt([this] {
        forward(*latest_);
        return false;
    });
}

bool DisplayImage::ready() {
    return attempt([this] {
        auto* presentation = active();
        return presentation && presentation->ready();
    });
}

bool DisplayImage::poll() {
    const bool changed = attempt([this] {
        auto* presentation = active();
        const bool shows = presentation && presentation->poll();
        if (shows && incoming_) current_ = std::exchange(incoming_, std::nullopt);
        tidy();
        return shows;
    });
    if (!latest_) return changed;
    const bool is_there = changed && latest_->serial == shown().serial;
    if (is_there || (latest_->ready.ready() && !computed(*latest_))) latest_.reset();
    return changed;
}

void DisplayImage::drop() {
    latest_.reset();
    incoming_.reset();
    for (auto& each : lanes_) each.rest();
}

template <typename Step>
bool DisplayImage::attempt(Step step) {
    try {
        try {
            return step();
        } catch (const StageError& e) {
            route_->fall_back(e.failure());
            if (latest_) forward(*latest_);
            return false;
        }
    } catch (...) {
        // Memory is short, or the engine is broken: the old image stays, and what was to come is given up.
        drop();
        throw;
    }
}

void DisplayImage::forward(Frame frame) {
    if (!route_->has_interop()) lane(Path::interop).is_closed = true;
    const auto path = route_->interop_for(*frame.engine) ? Path::interop : Path::host;
    auto& taken = lane(path);
    if (!taken.presentation) taken = {route_->make(path, frame.engine, options_)};
    incoming_.reset();
    if (path != current_) incoming_ = path;
    for (const auto other : kPaths)
        if (other != path) lane(other).rest(); // an older result must not follow this one
    if (taken.is_behind) frame.changed = so_far_.changed;
    taken.presentation->present(std::move(frame));
    taken.is_behind = false;
}

Presentation* DisplayImage::active() {
    const auto& path = incoming_ ? incoming_ : current_;
    return path ? lane(*path).presentation.get() : nullptr;
}

/// A hidden texture is kept only for more results of the same image.
void DisplayImage::tidy() {
    for (const auto path : kPaths) {
        auto& idle = lane(path);
        if (!idle.presentation || path == current_ || path == incoming_) continue;
        idle.rest();
        if (idle.is_closed) {
            idle.presentation.reset();
        } else if (current_ && idle.presentation->texture() != 0) {
            const auto &kept = idle.presentation->shown(), &now = lane(*current_).presentation->shown();
            if (kept.size != now.size || kept.format.depth != now.format.depth) idle.presentation->release();
        }
    }
}

std::optional<PresentationTimes> DisplayImage::take_times() {
    for (auto& each : lanes_)
        if (each.presentation)
            if (auto times = each.presentation->take_times()) return times;
    return std::nullopt;
}

std::optional<DrawTimer::Drawn> DisplayImage::take_gl_time() {
    for (auto& each : lanes_)
        if (each.presentation)
            if (const auto time = each.presentation->take_gl_time()) return time;
    return std::nullopt;
}

Badge DisplayImage::badge() const {
    if (!engine_) return {};
    auto badge = route_->badge(*engine_);
    const auto now = shown();
    if (const auto reduction = now.reduction / now.every; texture() != 0 && reduction > 1) {
        const auto n = std::to_string(reduction);
        badge.text += ", shown 1:" + n;
        badge.explanation += " The image is larger than a texture can be here (" +
                             std::to_string(options_.texture_limit) +
                             " pixels wide or high), so one pixel in " + n + " of one row in " + n +
                             " is shown; saving still writes all of them.";
        badge.warning = true;
    }
    return badge;
}

namespace {

/// Calls step(). If it throws, nothing that was presented earlier will be shown.
template <typename Step>
auto attempt_both(DisplayImage& original, DisplayImage& result, Step step) {
    try {
        return step();
    } catch (...) {
        original.drop();
        result.drop();
        throw;
    }
}

} // namespace

void present_together(DisplayImage& original, DisplayImage& result, Frame frame,
                      std::optional<Frame> original_frame) {
    attempt_both(original, result, [&] {
        if (original_frame) {
            result.drop(); // results in flight belong to the previous image
            original.present(std::move(*original_frame));
        }
        result.present(std::move(frame));
    });
}

bool poll_together(DisplayImage& original, DisplayImage& result) {
    return attempt_both(original, result, [&] {
        if (original.busy()) {
            const bool both = original.ready() && (result.ready() || !result.busy());
            if (both) original.poll();
            if (!both || original.busy()) return false; // in flight, or superseded by another one
        }
        return result.poll();
    });
}

} // namespace kg::display
