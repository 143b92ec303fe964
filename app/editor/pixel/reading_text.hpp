#pragma once
// Text of the pixel under the cursor for the status bar.

#include "app/editor/document/document.hpp"

#include <string>

namespace kg {

/// "  412,   88   120  98  77  > 118  99  80": position, before, after. Every number has a leading space and
/// the width of the depth's longest number: digits neither move nor run together.
std::string reading_text(const PixelReading& reading, const PixelFormat& in, const PixelFormat& out);

} // namespace kg
