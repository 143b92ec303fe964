#pragma once
// Explains command lines that the parser refuses, and refuses those that it misreads.

#include "app/cli/command.hpp"
#include "core/support/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class ParseError;
}

namespace kg {

struct FlagTable;

/// Throws Error for flags that the parser accepts with another meaning than the intended one. To be called
/// before it parses.
void check_flags(const Command& command, const FlagTable& table, const std::vector<std::string>& arguments);

/// The error, with a remedy, about arguments that `app` could not parse.
Error error_for(const Command& command, const CLI::App& app, const CLI::ParseError& error,
                const std::vector<std::string>& arguments);

} // namespace kg
