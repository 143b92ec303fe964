#pragma once
// Completions for three shells, written from the same declarations as the help.

#include "app/cli/flags/flag_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kg {

/// Everything that can be completed, as plain words.
struct CompletionTable {
    struct Entry {
        const Command* command; ///< the window's has no name
        FlagTable flags;
    };
    std::vector<Entry> entries;                             ///< the window first
    std::vector<std::pair<std::string, std::string>> steps; ///< "gaussian:sigma=" and what it is
    std::vector<std::string> algorithms, formats;

    /// The words that a value may be; empty for files and numbers, which `is_file` tells apart.
    std::vector<std::string> words_for(const Flag& flag) const;
    static bool is_file(const Flag& flag);
};

CompletionTable completion_table();

std::string bash_completion(const CompletionTable& table);
std::string zsh_completion(const CompletionTable& table);
std::string fish_completion(const CompletionTable& table);

} // namespace kg
