#pragma once
// Named recipes, one file each in assets/presets: {"schema": "kernelglass-preset/1", "id": the name of the
// file, "title": "Soft blur", "group": "blur" (optional), "summary": one line, "recipe": a recipe as in
// filters/recipe_file.hpp or its text}.

#include "filters/recipe.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

struct Preset {
    std::string id, title, summary;
    std::string group; ///< an id of preset_groups()
    Recipe recipe;
};

/// A heading that presets are listed under.
struct PresetGroup {
    std::string_view id, title;
};
/// In the order of the window. The last, "other", holds the presets that name no group.
std::span<const PresetGroup> preset_groups();

/// Whether the preset's title, summary or group contains every one of these words, in any case.
bool is_found(const Preset& preset, std::string_view words);

/// All presets of the program, sorted by id. Throws Error if a file is invalid; a test reads every one.
std::span<const Preset> presets();

/// `name` describes the file in messages, with its quotes. Throws Error with line and column.
Preset parse_preset(std::string_view text, std::string_view name);

/// The text of a preset's file.
std::string to_json(const Preset& preset);

/// Reads a recipe from a file of any format: those of filters/recipe_file.hpp, or a preset. Throws Error with
/// line and column.
Recipe parse_recipe_or_preset(std::string_view text, std::string_view name);

} // namespace kg
