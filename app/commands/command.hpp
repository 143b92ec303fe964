#pragma once
// A subcommand: a name, one line of help, and a function that gets what follows the name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct Command {
    std::string_view name, summary;
    int (*run)(std::vector<std::string> arguments); ///< returns the exit code; throws Error and friends
};

/// All subcommands, in the order of the help.
std::span<const Command* const> commands();

/// Exit codes (interface 1).
inline constexpr int kDone = 0, kUsage = 2, kUnavailable = 3;

} // namespace kg
