#pragma once
// The structure of kernels that specialised algorithms use: a column times a row, or one constant weight.

#include "core/request/stage.hpp"

#include <optional>

namespace kg {

/// weights[i][j] = column[i] * row[j] for the kernel as specified (not flipped), to within a few roundings of
/// f32 for each weight; exact for integer factors. A weight is zero exactly where the product is.
struct Factors {
    std::vector<float> column, row;
};

/// The factors of the stage's kernel `index`: its integer factors if the stage has them (semantics 11), its
/// generator's profile, or a cross through the largest weight (Bebendorf 2000, rank 1), verified over all
/// weights. An integer kernel whose sums can be exact (below 2^24) is separated by listed factors only. Empty
/// if there are none.
std::optional<Factors> separate(const Stage& stage, std::size_t index);

/// The same stage with weights and divisors multiplied by powers of two that make them integers, and with
/// their integer factors, if sums of samples of up to `largest_sample` are exact (semantics 11). Its results
/// are identical to the bit. Any other stage is returned unchanged.
Stage with_whole_weights(Stage stage, double largest_sample);

/// Integers whose outer product equals the weights exactly; empty if there are none (rank above 1, fractions,
/// all zeros). The row has no common factor, and smoothing factors are positive: 1 2 1 and -1 0 1 for Sobel.
std::optional<IntegerFactors> integer_factors(const Kernel& kernel);

/// The weight of a stage with one kernel whose weights are all equal; otherwise 0.
float flat_weight(const Stage& stage);

} // namespace kg
