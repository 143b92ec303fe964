#pragma once
// The flags that make a recipe, shared by every command that takes one. They apply in the order written.

#include "filters/recipe.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace kg {

struct RecipeFlags {
    Recipe recipe;
    std::string engine = "auto", algorithm;
    int device = 0, threads = 0;

    void add_to(CLI::App& app);
};

/// Parses; prints help or the parser's sentence. Returns true if the command should go on, else `exit_code` is set.
bool parse(CLI::App& app, std::vector<std::string> arguments, int& exit_code);

} // namespace kg
