#pragma once
// The recipe in the file of a result: writes the record and restores the recipe.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// The record of a result: this program and the enabled steps with their kernels and settings, without time,
/// place or engine, so that equal requests give equal bytes. If no step is enabled, the pixels are those of
/// the image, and its own record is kept.
std::optional<MadeBy> record_of(const Recipe& recipe, const Metadata& of_image);

/// Restores the recipe from a record. `name` names the file in messages, including quotes. Throws Error, also
/// for a record of an unsupported version.
Recipe recipe_of(const MadeBy& made, std::string_view name);

/// The recipe in an image file. Throws Error if it has none.
Recipe recipe_in_image(std::string_view bytes, std::string_view name);

/// The program that wrote the record, with unprintable characters replaced.
std::string program_of(const MadeBy& made);

} // namespace kg
