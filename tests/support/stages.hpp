#pragma once
// Stages that tests of several rooms use.

#include "filters/recipe.hpp"

#include <cmath>
#include <string_view>

namespace kg::testing {

/// The stage of a step as people type it, as in "gaussian:sigma=2".
inline Stage named(std::string_view step) { return stage_of(parse_step(step)); }

/// Its first kernel.
inline Kernel kernel_named(std::string_view step) { return named(step).kernels.front(); }

/// A Gaussian that stays a generator, of the size that the filter of that sigma (pixels) has.
inline Stage generated_gaussian(double sigma) {
    const int size = 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
    return generated_stage(GaussianGenerator{sigma, size, size});
}

/// The 3x3 kernel that subtracts the four neighbours.
inline Stage sharpen() { return {{make_kernel(3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0})}}; }

} // namespace kg::testing
