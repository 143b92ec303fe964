#pragma once
// Named recipes, one file each in assets/presets: {"schema": "kernelglass-preset/1", "id": the name of the
// file, "title": "Soft blur", "summary": one line, "recipe": a recipe as in filters/recipe_file.hpp or its
// text}.

#include "filters/recipe.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

struct Preset {
    std::string id, title, summary;
    Recipe recipe;
};

/// All presets of the program, sorted by id. Throws Error if a file is invalid; a test reads every one.
std::span<const Preset> presets();

/// Throws Error with a suggestion if there is no preset of that id.
const Preset& find_preset(std::string_view id);

/// `name` describes the file in messages, with its quotes. Throws Error with line and column.
Preset parse_preset(std::string_view text, std::string_view name);

/// Reads a recipe from a file of any format: those of filters/recipe_file.hpp, or a preset. Throws Error with
/// line and column.
Recipe parse_recipe_or_preset(std::string_view text, std::string_view name);

} // namespace kg
