#pragma once
// Environment variables that make walks longer or thinner.

#include <algorithm>
#include <cstdlib>

namespace kg::testing {

/// The number that the variable is set to, at least 1.
inline int number_of(const char* variable, int usual) {
    const char* number = std::getenv(variable);
    return number ? std::max(1, std::atoi(number)) : usual;
}

/// Walks take one request of so many: under a sanitizer they are slow.
inline int requests_per_run() { return number_of("KERNELGLASS_WALK_EVERY", 1); }

} // namespace kg::testing
