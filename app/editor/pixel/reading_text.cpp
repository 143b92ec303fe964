#include "app/editor/pixel/reading_text.hpp"

#include "app/editor/pixel/pixel_number.hpp"

#include <cmath>
#include <cstdio>

namespace kg {

namespace {

constexpr double kFitsDecimals = 1000; ///< smaller numbers fit a column with five decimals
constexpr int kFloatWidth = 8;         ///< "-999.99", "-1.0e+30"

/// As many decimals as fit the width.
std::string float_text(double value) {
    const double size = std::fabs(value);
    const bool is_long = size >= 1e6 && std::isfinite(value);
    const int decimals = size < 10 ? 4 : size < 100 ? 3 : size < 1000 ? 2 : size < 10'000 || is_long ? 1 : 0;
    char text[32];
    std::snprintf(text, sizeof text, is_long ? "%*.*e" : "%*.*f", kFloatWidth, decimals, value);
    return without_negative_zero(text);
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

std::string value_text(double value, const PixelFormat& format) {
    char text[24];
    const bool fits = std::fabs(value) < kFitsDecimals;
    std::snprintf(text, sizeof text, is_integer(format.depth) ? "%.0f" : fits ? "%.5f" : "%.6g", value);
    return std::string(trimmed(without_negative_zero(text)));
}

std::string change_text(double before, double after, bool whole) {
    const double change = after - before;
    if (std::isnan(change)) return "nan";
    char text[24];
    const bool fits = std::fabs(change) < kFitsDecimals;
    std::snprintf(text, sizeof text, whole ? "%+.0f" : fits ? "%+.5f" : "%+.5g", change);
    return without_negative_zero(text, '+');
}

} // namespace kg
