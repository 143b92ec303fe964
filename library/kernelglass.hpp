#pragma once
// Everything that a program which uses the library begins with (docs/library.md). Headers of their own have
// what fewer programs need: algorithm.hpp, gpu/runtime/access.hpp (an image in CUDA's memory),
// display/display_image.hpp (from a result to a texture).

#include "core/image/image.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/verification.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "filters/analysis.hpp"
#include "filters/filter.hpp"
#include "filters/kernel_file.hpp"
#include "filters/preset.hpp"
#include "filters/recipe.hpp"
#include "filters/recipe_file.hpp"
#include "gpu/engine.hpp"
#include "library/engines.hpp"
#include "library/filter_image.hpp"
#include "library/version.hpp"
