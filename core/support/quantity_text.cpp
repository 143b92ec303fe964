#include "core/support/quantity_text.hpp"

#include <cstdio>

namespace kg {

std::string time_text(double microseconds) {
    char text[32];
    if (microseconds < 9.95) std::snprintf(text, sizeof text, "%.1f us", microseconds);
    else if (microseconds < 1e3) std::snprintf(text, sizeof text, "%.0f us", microseconds);
    else if (microseconds < 1e6) std::snprintf(text, sizeof text, "%.1f ms", microseconds / 1e3);
    else std::snprintf(text, sizeof text, "%.1f s", microseconds / 1e6);
    return text;
}

std::string memory_text(std::size_t bytes) {
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= 1024 && unit < 3; ++unit) amount /= 1024;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g %s", amount, kUnits[unit]);
    return text;
}

std::string duration_text(double seconds) {
    constexpr double kMinute = 60, kShortest = 0.1;
    if (seconds < kShortest) return time_text(seconds * 1e6);
    const bool short_time = seconds < 2 * kMinute;
    const double number = short_time ? seconds : seconds / kMinute;
    char text[48];
    std::snprintf(text, sizeof text, number < 10 ? "%.1f %s" : "%.0f %s", number, short_time ? "s" : "min");
    return text;
}

std::string counted(std::size_t count, std::string_view thing) {
    return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

} // namespace kg
