#pragma once
// Numbers of pixels as text.

#include "core/support/text.hpp"

#include <string>

namespace kg {

/// Samples of 16 bits and their products and sums have no exponent below ten million, and their tenths.
inline std::string pixel_number(double value) {
    constexpr int kDigits = 7;
    return short_number(value, kDigits);
}

/// A printed number that rounds to 0, with `sign` in place of its minus: "-0.00" as " 0.00". Any other as it
/// is.
inline std::string without_negative_zero(std::string text, char sign = ' ') {
    const bool is_zero = text.find('0') != std::string::npos &&
                         text.find_first_not_of(" -0.") == std::string::npos;
    if (const auto minus = text.find('-'); is_zero && minus != std::string::npos) text[minus] = sign;
    return text;
}

} // namespace kg
