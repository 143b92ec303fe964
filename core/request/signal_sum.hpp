#pragma once
// The arithmetic of a signal's sums: floats round, and integers wrap modulo 2^32 and 2^64 (semantics 15).

#include <type_traits>

namespace kg {

/// sum + a * b. Integers wrap, as unsigned arithmetic does: their signed overflow is undefined.
template <typename T>
constexpr T add_product(T sum, T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(sum) +
                              static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    } else {
        return sum + a * b;
    }
}

template <typename T>
constexpr T add_wrapped(T a, T b) {
    return add_product(a, b, T{1});
}

} // namespace kg
