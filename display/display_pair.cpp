#include "display/display_pair.hpp"

#include <utility>

namespace kg::display {

namespace {

template <typename Step>
auto attempt(DisplayImage& original, DisplayImage& result, Step step) {
    try {
        return step();
    } catch (...) {
        original.give_up();
        result.give_up();
        throw;
    }
}

} // namespace

void present_together(DisplayImage& original, DisplayImage& result, Frame frame,
                      std::optional<Frame> original_frame) {
    attempt(original, result, [&] {
        if (original_frame) {
            result.give_up(); // results in flight belong to the previous image
            original.present(std::move(*original_frame));
        }
        result.present(std::move(frame));
    });
}

bool poll_together(DisplayImage& original, DisplayImage& result) {
    return attempt(original, result, [&] {
        if (original.busy()) {
            const bool both = original.ready() && (result.ready() || !result.busy());
            if (both) original.poll();
            if (!both || original.busy()) return false; // in flight, or superseded by another one
        }
        return result.poll();
    });
}

} // namespace kg::display
