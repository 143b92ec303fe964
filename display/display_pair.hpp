#pragma once
// A result and its original image, shown beside each other: both textures change in the same frame.

#include "display/display_image.hpp"

#include <memory>
#include <optional>

namespace kg::display {

class DisplayPair {
public:
    explicit DisplayPair(const std::shared_ptr<DisplayRoute>& route, const DisplayOptions& options = {})
        : original_(route, options), result_(route, options) {}

    /// As DisplayImage. `original` is set when the result belongs to another image than the previous one. If
    /// it throws, neither is shown, nor is anything that was presented earlier and is not shown yet.
    void present(Frame result, std::optional<Frame> original);
    /// True if result() has just changed, and original() with it. If it throws, earlier presentations are
    /// dropped.
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
