#pragma once
// Recipe files. Both formats read back as the same recipe.
//
// Text, one line or many: steps joined by `|`, as after -f; `off` before a step that is kept but disabled;
// settings that differ from the defaults; # begins a comment:
//     gaussian:sigma=2 | off sharpen | border=wrap light=linear
//
// JSON:
//     {"schema": "kernelglass-recipe/1",
//      "steps": [{"filter": "gaussian", "values": {"sigma": 2}, "enabled": true}, "sharpen:amount=0.5",
//                {"filter": "custom", "kernel": {"rows": [[...]], ...}},
//                {"filter": "custom_gradient", "kernels": [{"rows": ...}, {"rows": ...}]}],
//      "border": "reflect101", "light": "stored", "alpha": "premultiplied", "signed": "clamp",
//      "channels": "rgb", "depth": "u8", "tolerance": 0}
// A step may be given as text. Omitted entries have their defaults. Unknown entries are errors.

#include "filters/json_text.hpp"
#include "filters/recipe.hpp"

namespace kg {

/// Reads either format. `name` describes the file in messages, with its quotes. Throws Error with line and
/// column.
Recipe parse_recipe(std::string_view text, std::string_view name);

/// Reads a recipe inside another JSON file: an object as above, or its text.
Recipe parse_recipe(const JsonValue& value);

/// Appends the steps of `more` to those of `recipe`. Settings of `more` that are not the defaults replace
/// those of `recipe`.
void append(Recipe& recipe, const Recipe& more);

std::string to_json(const Recipe& recipe);
/// A recipe of this step alone.
std::string to_json_recipe(const Step& step);
std::string to_text(const Recipe& recipe);

} // namespace kg
