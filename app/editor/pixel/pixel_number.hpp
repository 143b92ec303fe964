#pragma once
// Numbers of a pixel's explanation.

#include "core/support/text.hpp"

#include <string>

namespace kg {

/// Samples of 16 bits and their products and sums have no exponent below ten million, and their tenths.
inline std::string pixel_number(double value) {
    constexpr int kDigits = 7;
    return short_number(value, kDigits);
}

} // namespace kg
