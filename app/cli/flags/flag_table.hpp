#pragma once
// The flags that a command declares to its parser, as rows. Help, manual page and completions are generated
// from them.

#include "app/cli/command.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct Flag {
    std::vector<std::string> names; ///< "-f", "--filter"; a positional has one name: "IN"
    std::string value;              ///< "FILE", "STEP", or the choices: "zero|wrap"; empty = a switch
    std::string help, group;
    bool positional = false, required = false, repeated = false;

    /// "-f, --filter STEP", "IN", "FILE..."
    std::string usage() const;
};

struct FlagTable {
    std::vector<Flag> positionals, flags; ///< in the order declared; --help comes last

    /// "kernelglass filter IN OUT [flags]"
    std::string usage(const Command& command) const;
};

FlagTable flag_table(const CLI::App& app);
/// The table of a command that is not going to run.
FlagTable flag_table(const Command& command);

/// "diff OLD.json NEW.json"
std::string usage(const Subcommand& subcommand);

/// The choices in "zero|wrap"; empty for "FILE".
std::vector<std::string_view> choices_of(std::string_view value);

} // namespace kg
