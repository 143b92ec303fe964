#pragma once
// A result and its original image, shown beside each other: both textures change in the same frame.

#include "display/display_image.hpp"

#include <optional>

namespace kg::display {

/// Presents a result; `original_frame` is set when the result belongs to another image than the previous one. If
/// it throws, neither is shown, nor is anything that was presented earlier and is not shown yet.
void present_together(DisplayImage& original, DisplayImage& result, Frame frame,
                      std::optional<Frame> original_frame);
/// True if `result` has just changed, and `original` with it. If it throws, earlier presentations are dropped.
bool poll_together(DisplayImage& original, DisplayImage& result);

} // namespace kg::display
