#pragma once
// The recipe in a result's file: what is written there, and how it becomes a recipe again.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// What a result says of its making: this program and the enabled steps with their kernels and settings, nothing of time,
/// place or engine, so that the same request gives the same bytes. Where no step is enabled the pixels still are the
/// picture's, and so is what it says of itself.
std::optional<MadeBy> record_of(const Recipe& recipe, const Metadata& of_picture);

/// `options` for a result's file: with what the picture that it was made from carried, which must outlive them, and its recipe.
WriteOptions result_options(const Picture& made_from, const Recipe& recipe, const WriteOptions& options);

/// The bytes of a result's file, as every command and the window write it: with what the picture that it was made from
/// carried, and with its recipe. Errors and notes as encode_picture()'s.
Encoded encode_result(const ConstImageView& result, const Picture& made_from, const Recipe& recipe,
                      std::string_view format, std::string_view name, const WriteOptions& options = {});

/// The recipe that a record holds. `name` is what sentences call the file, with its quotes. Throws Error, also where it
/// is of another version and not understood.
Recipe recipe_of(const MadeBy& made, std::string_view name);

/// The recipe that a picture's file carries. Throws Error where it carries none.
Recipe recipe_in_picture(std::string_view bytes, std::string_view name);

/// The program that wrote the record, fit to be shown: it comes from a file.
std::string program_of(const MadeBy& made);

} // namespace kg
