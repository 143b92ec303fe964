#pragma once
// Help as a person reads it: examples first, then the flags.

#include "app/cli/command.hpp"

#include <string>

namespace kg {

/// `kernelglass COMMAND --help`; the window's is the help of the whole program.
std::string help_text(const Command& command);

} // namespace kg
