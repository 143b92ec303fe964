#pragma once
// The options of `filter` and its report.

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

/// Prints one line, or the document of --json, or nothing with -q. Prints to standard error if pixels go to
/// standard output.
void report(const FilterOptions& options, const JobOutcome& outcome);

} // namespace kg
