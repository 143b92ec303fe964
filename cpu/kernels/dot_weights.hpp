#pragma once
// A kernel's weights as whole numbers for `dot`, and the proof, at plan time, that its bytes keep to semantics 11.

#include "core/request/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace kg::cpu {

/// weight = number / 2^shift, to within what may be off. Sums of number times sample of up to 255 fit 32 bits, signed.
struct DotWeights {
    std::vector<std::int32_t> numbers; ///< as Taps::weights
    int shift = 0;
    /// Levels: the most that any picture's results are off, in its sums and in the float32 steps that follow them; 0 where
    /// semantics 11 wants identical bytes, because then nothing rounds but what rounds in every way.
    double most_off = 0;
};

/// The finest numbers that fit 16 bits, or wider ones where those are not good enough. Empty if none of 32 bits are. The last
/// answer is kept (until the thread asks for another kernel), because whoever asks whether it will do then asks for the plan.
const std::optional<DotWeights>& dot_weights(const Kernel& kernel);

/// The digits of a number, to the base of 2^16: number = 2^16 * high + low, each of 16 bits, signed.
constexpr std::int16_t low_digit(std::int32_t number) { return static_cast<std::int16_t>(number & 0xffff); }
constexpr std::int16_t high_digit(std::int32_t number) {
    return static_cast<std::int16_t>((std::int64_t{number} - low_digit(number)) >> 16);
}

} // namespace kg::cpu
