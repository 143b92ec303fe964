#pragma once
// Text of the pixel under the cursor, for the status bar and the Pixel panel.

#include "app/editor/document/document.hpp"

#include <string>

namespace kg {

/// "  412,   88   120  98  77  > 118  99  80": position, before, after. Every number has a leading space and
/// the width of the depth's longest number: digits neither move nor run together.
std::string reading_text(const PixelReading& reading, const PixelFormat& in, const PixelFormat& out);

/// A stored number in a column: floats with five decimals as long as they fit.
std::string value_text(double value, const PixelFormat& format);
/// The same of a change, with its sign: "+3", "-0.25000"; "nan" has none. `whole`: of integers.
std::string change_text(double before, double after, bool whole);

} // namespace kg
