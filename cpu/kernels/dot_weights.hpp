#pragma once
// The weights of a kernel as integers for `dot`, and the verification, at plan time, that its bytes satisfy
// semantics 11.

#include "core/request/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace kg::cpu {

/// weight = number / 2^shift, up to the allowed error. Sums of number times sample of up to 255 fit 32 bits,
/// signed.
struct DotWeights {
    std::vector<std::int32_t> numbers; ///< in the order of Taps::weights
    int shift = 0;
    /// The largest error of any result in levels, from its sums and the float32 operations after them. 0
    /// where semantics 11 requires identical bytes, because then only operations round that round in every
    /// algorithm.
    double most_off = 0;
};

/// The finest weights that fit 16 bits, or wider ones if those are too coarse. Empty if no weights of 32 bits
/// suffice. The last result of each thread is cached, because the query whether the algorithm applies is
/// followed by the request for the plan.
const std::optional<DotWeights>& dot_weights(const Kernel& kernel);

/// The digits of a number to the base 2^16: number = 2^16 * high + low, each of 16 bits, signed.
constexpr std::int16_t low_digit(std::int32_t number) { return static_cast<std::int16_t>(number & 0xffff); }
constexpr std::int16_t high_digit(std::int32_t number) {
    return static_cast<std::int16_t>((std::int64_t{number} - low_digit(number)) >> 16);
}

} // namespace kg::cpu
