#pragma once
// Help texts: examples first, then usage and flags.

#include "app/cli/command.hpp"

#include <string>

namespace kg {

/// The output of `kernelglass COMMAND --help`. For the window's command, the help of the program.
std::string help_text(const Command& command);

} // namespace kg
