#pragma once
// The structure of kernels that some ways are made for: a column times a row, one weight everywhere.

#include "core/request/stage.hpp"

#include <optional>

namespace kg {

/// weights[i][j] = column[i] * row[j], as the kernel is given (not flipped), to within a few roundings of f32 for each
/// weight; exactly for integer factors. A weight is zero exactly where the product is.
struct Factors {
    std::vector<float> column, row;
};

/// Of the stage's kernel `index`: its integer factors where the stage has them (semantics 11), its generator's profile,
/// or a cross through the largest weight (Bebendorf 2000, of rank 1), which is checked over all weights. A kernel of whole
/// numbers whose sums can be exact (below 2^24) is separated by listed factors only. Empty if there are none.
std::optional<Factors> separate(const Stage& stage, std::size_t index);

/// The same stage with weights and divisors multiplied by powers of two that make whole numbers of them, where sums of samples
/// of up to `largest_sample` are exact (semantics 11), and with their integer factors: its results are the same to the bit.
/// Any other stage as it is.
Stage with_whole_weights(Stage stage, double largest_sample);

/// Whole numbers whose outer product is exactly the weights; nothing where there are none (a rank above 1, fractions,
/// all zeros). The row has no common factor; smoothing factors come out positive: 1 2 1 and -1 0 1 for Sobel.
std::optional<IntegerFactors> integer_factors(const Kernel& kernel);

/// The one weight of a stage's one kernel, if all its weights are the same; otherwise 0.
float flat_weight(const Stage& stage);

} // namespace kg
