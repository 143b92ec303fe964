#pragma once
// Numbers as people read them, for reasons, panels and reports.

#include <string>

namespace kg {

/// A time in words: "850 us", "12.3 ms", "4.5 s".
std::string time_text(double microseconds);

} // namespace kg
