#pragma once
// The weights of a kernel as integers, for algorithms that multiply integer samples by integers, and the
// verification, at plan time, that their results satisfy semantics 11.

#include "core/request/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace kg {

/// weight = number / 2^shift, up to the allowed error. For bytes, sums of number times sample fit 32 bits,
/// signed.
struct IntegerWeights {
    std::vector<std::int32_t> numbers; ///< in the order of Taps::weights
    int shift = 0;
    /// The largest error of any result in levels, from its sums and, for bytes, the float32 operations after
    /// them: the sum as a float32, the quotient by divisor * 2^shift, the offset and its addition, one
    /// rounding each. 0 where semantics 11 requires identical bytes, because then only operations round that
    /// round in every algorithm.
    double most_off = 0;
};

/// The finest weights for bytes that fit 16 bits, or wider ones if those are too coarse. Empty if no weights
/// of 32 bits suffice. The last result of each thread is cached, because the query whether the algorithm
/// applies is followed by the request for the plan.
const std::optional<IntegerWeights>& integer_weights(const Kernel& kernel);

/// The finest weights from -largest - 1 to largest for samples of the depth, u8 or u16. Empty if those are
/// too coarse. Quotient and offset of u16 must be taken in float64, unless the kernel sums_exactly().
std::optional<IntegerWeights> integer_weights_within(const Kernel& kernel, std::int32_t largest,
                                                     Depth in = Depth::u8);

/// The same for bytes times bytes, however coarse: the caller judges their errors. Sums fit 53 bits. Empty if
/// weights that sum exactly have more bits.
std::optional<IntegerWeights> finest_integer_weights(const Kernel& kernel, std::int32_t largest);

} // namespace kg
