#pragma once
// Completion scripts for three shells, generated from the declarations that the help reads.

#include "app/cli/flags/flag_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kg {

/// Everything that can be completed, independent of the shell.
struct CompletionTable {
    struct Entry {
        const Command* command; ///< the window's command has no name
        FlagTable flags;
    };
    std::vector<Entry> entries;                             ///< the window first
    std::vector<std::pair<std::string, std::string>> steps; ///< "gaussian:sigma=" and its description
    std::vector<std::string> algorithms, formats;

    /// The possible values of a flag; empty for files and numbers, which `is_file` distinguishes.
    std::vector<std::string> words_for(const Flag& flag) const;
    static bool is_file(const Flag& flag);
};

CompletionTable completion_table();

std::string bash_completion(const CompletionTable& table);
std::string zsh_completion(const CompletionTable& table);
std::string fish_completion(const CompletionTable& table);

} // namespace kg
