#pragma once
// A result and the picture it was made of, which are looked at beside each other: they come to the screen together.

#include "display/display_image.hpp"

#include <memory>
#include <optional>

namespace kg::display {

class DisplayPair {
public:
    explicit DisplayPair(const std::shared_ptr<DisplayRoute>& route, const DisplayOptions& options = {})
        : original_(route, options), result_(route, options) {}

    /// As DisplayImage. `original`: where the result is of another picture than the one before. If it throws, neither comes,
    /// nor does anything that was presented before and is not shown yet.
    void present(Frame result, std::optional<Frame> original);
    /// True if result() has just changed, and original() with it. If it throws, nothing comes that was presented before.
    bool poll();

    bool busy() const { return original_.busy() || result_.busy(); }
    DisplayImage& original() { return original_; }
    DisplayImage& result() { return result_; }
    const DisplayImage& original() const { return original_; }
    const DisplayImage& result() const { return result_; }

private:
    template <typename Step>
    auto attempt(Step step);

    DisplayImage original_, result_;
};

} // namespace kg::display
