#pragma once
// Quantities formatted for people, for reasons, panels and reports.

#include <cstddef>
#include <string>
#include <string_view>

namespace kg {

/// A short time: "850 us", "12.3 ms", "4.5 s".
std::string time_text(double microseconds);

/// An amount of memory: "512 bytes", "64 KiB", "1.5 GiB".
std::string memory_text(std::size_t bytes);

/// A waiting time: "38.2 ms", "12.3 s", "4.0 min".
std::string duration_text(double seconds);

/// "1 image", "2 images"
std::string counted(std::size_t count, std::string_view thing);

} // namespace kg
