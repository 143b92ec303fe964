#pragma once
// Weights as signed digits to the base 256, the operands of the tensor cores' products of bytes.

#include "core/request/integer_weights.hpp"

#include <cstdint>
#include <optional>

namespace kg::gpu {

inline constexpr int kMostDigits = 3;

struct DigitWeights : IntegerWeights {
    int digits = 1; ///< each of -128 to 127
};

/// The weights with the fewest digits that satisfy semantics 11 for samples of the depth, u8 or u16, chosen
/// from the weights alone. Empty if three digits are too few. The last result of each thread is cached, as by
/// integer_weights().
const std::optional<DigitWeights>& digit_weights(const Kernel& kernel, Depth in = Depth::u8);

/// The finest weights of three digits, however coarse. The last result of each thread is cached, as by
/// digit_weights().
const std::optional<DigitWeights>& finest_digit_weights(const Kernel& kernel);

/// Digit `index` of a number of `digits` digits, the lowest first: number = sum of digit(number, i) *
/// 256^i. All but the highest are rounded to the nearest, so that each fits a signed byte.
constexpr std::int8_t digit(std::int32_t number, int index) {
    for (; index > 0; --index) number = (number + 128) >> 8;
    return static_cast<std::int8_t>(number);
}

} // namespace kg::gpu
