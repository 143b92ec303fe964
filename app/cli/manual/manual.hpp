#pragma once
// The manual pages kernelglass(1) and kernelglass-recipe(5), written from the same declarations as the help.

#include <string>

namespace kg {

/// In the man(7) language.
std::string program_manual();
std::string recipe_manual();

} // namespace kg
