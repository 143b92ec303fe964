#pragma once
// What a command declared to its parser, as rows: the help, the manual page and the completions are three ways to write
// them down.

#include "app/cli/command.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct Flag {
    std::vector<std::string> names; ///< "-f", "--filter"; of a positional one word: "IN"
    std::string value;              ///< "FILE", "STEP", or the words there are: "zero|wrap"; empty = a switch
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
/// Of a command that is not about to run.
FlagTable flag_table(const Command& command);

/// "diff OLD.json NEW.json"
std::string usage(const Subcommand& subcommand);

/// The words of "zero|wrap"; nothing for "FILE".
std::vector<std::string_view> words_of(std::string_view value);

} // namespace kg
