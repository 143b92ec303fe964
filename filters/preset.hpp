#pragma once
// Recipes with a name, one file each in assets/presets: {"schema": "kernelglass-preset/1", "id": the file's name,
// "title": "Soft blur", "summary": one line, "recipe": a recipe as in filters/recipe_file.hpp or its text}.

#include "filters/recipe.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

struct Preset {
    std::string id, title, summary;
    Recipe recipe;
};

/// All that come with the program, by id. Throws Error if a file cannot be read; a test reads every one.
std::span<const Preset> presets();

/// Throws Error with "did you mean" when there is none of that id.
const Preset& find_preset(std::string_view id);

/// `name` is what sentences call the file, with its quotes. Throws Error with line and column.
Preset parse_preset(std::string_view text, std::string_view name);

/// The recipe in a file of any form: those of filters/recipe_file.hpp, or a preset. Throws Error with line and column.
Recipe parse_recipe_or_preset(std::string_view text, std::string_view name);

} // namespace kg
