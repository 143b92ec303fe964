#pragma once
// The manual pages kernelglass(1) and kernelglass-recipe(5), generated from the declarations that the help
// reads.

#include <string>

namespace kg {

/// The pages in the man(7) language.
std::string program_manual();
std::string recipe_manual();

} // namespace kg
