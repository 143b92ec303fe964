#pragma once
// Numbers of files that become floats.

#include "core/support/error.hpp"

#include <cmath>
#include <cstddef>
#include <string>

namespace kg {

/// Throws Error (beyond-float32) if number `index`, from 0, is finite, but not as a float. `what` begins the
/// message.
inline void expect_float(double number, std::size_t index, const std::string& what) {
    if (std::isfinite(number) && !std::isfinite(static_cast<float>(number)))
        throw Error("beyond-float32", "{}: number {} is {}, and sums are of float32, up to 3.4e38", what,
                    index + 1, number);
}

} // namespace kg
