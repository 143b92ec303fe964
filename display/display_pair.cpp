#include "display/display_pair.hpp"

#include <utility>

namespace kg::display {

template <typename Step>
auto DisplayPair::attempt(Step step) {
    try {
        return step();
    } catch (...) {
        original_.give_up();
        result_.give_up();
        throw;
    }
}

void DisplayPair::present(Frame result, std::optional<Frame> original) {
    attempt([&] {
        if (original) {
            result_.give_up(); // results in flight belong to the previous image
            original_.present(std::move(*original));
        }
        result_.present(std::move(result));
    });
}

bool DisplayPair::poll() {
    return attempt([this] {
        if (original_.busy()) {
            const bool both = original_.ready() && (result_.ready() || !result_.busy());
            if (both) original_.poll();
            if (!both || original_.busy()) return false; // in flight, or superseded by another one
        }
        return result_.poll();
    });
}

} // namespace kg::display
