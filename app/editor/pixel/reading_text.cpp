#include "app/editor/pixel/reading_text.hpp"

#include <cmath>
#include <cstdio>

namespace kg {

namespace {

constexpr int kFloatWidth = 8; ///< "-999.99", "-1.0e+30"

/// As many decimals as fit the width.
std::string float_text(double value) {
    const double size = std::fabs(value);
    const bool is_long = size >= 1e6 && std::isfinite(value);
    const int decimals = size < 10 ? 4 : size < 100 ? 3 : size < 1000 ? 2 : size < 10'000 || is_long ? 1 : 0;
    char text[32];
    std::snprintf(text, sizeof text, is_long ? "%*.*e" : "%*.*f", kFloatWidth, decimals, value);
    return text;
}

std::string integer_text(double value, Depth depth) {
    char text[32];
    std::snprintf(text, sizeof text, "%*.0f", depth == Depth::u8 ? 3 : 5, value);
    return text;
}

std::string values_text(const std::vector<double>& values, Depth depth) {
    std::string text;
    for (const double value : values)
        text += " " + (is_integer(depth) ? integer_text(value, depth) : float_text(value));
    return text;
}

} // namespace

std::string reading_text(const PixelReading& reading, const PixelFormat& in, const PixelFormat& out) {
    char position[48];
    std::snprintf(position, sizeof position, "%5lld,%5lld ", static_cast<long long>(reading.x),
                  static_cast<long long>(reading.y));
    auto text = position + values_text(reading.before, in.depth);
    if (!reading.after.empty()) text += "  >" + values_text(reading.after, out.depth);
    return text;
}

} // namespace kg
