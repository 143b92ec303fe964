#pragma once
// The pixel that is read, in one line of the status bar.

#include "app/editor/document/document.hpp"

#include <string>

namespace kg {

/// "  412,   88   120  98  77  > 118  99  80": position, before, after. A space is before every number, and its place is as wide
/// as the depth's longest one, so that nothing moves or runs together.
std::string reading_text(const PixelReading& reading, const PixelFormat& in, const PixelFormat& out);

} // namespace kg
