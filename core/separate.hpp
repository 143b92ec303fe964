#pragma once
// The structure of kernels that some ways are made for: a column times a row, one weight everywhere.

#include "core/stage.hpp"

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

/// The one weight of a stage's one kernel, if all its weights are the same; otherwise 0.
float flat_weight(const Stage& stage);

} // namespace kg
