#pragma once
// The options of `filter`.

#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/job.hpp"

#include <string>

namespace kg {

struct FilterOptions : JobOptions {
    std::string in, out;
    RecipeFlags flags;
    Switches switches;
};

} // namespace kg
