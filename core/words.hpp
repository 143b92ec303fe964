#pragma once
// Numbers as people read them, for reasons, panels and reports.

#include <cstddef>
#include <string>

namespace kg {

/// A time in words: "850 us", "12.3 ms", "4.5 s".
std::string time_text(double microseconds);

/// An amount of memory: "512 bytes", "64 KiB", "1.5 GiB".
std::string memory_text(std::size_t bytes);

} // namespace kg
