#pragma once
// Random recipes and kernels of all kinds, from a seed.

#include "filters/recipe.hpp"

#include <random>

namespace kg {

Kernel random_kernel(std::mt19937& random);
Recipe random_recipe(std::mt19937& random);

} // namespace kg
