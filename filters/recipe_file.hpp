#pragma once
// Recipes as people keep them. Both forms read back as the same recipe.
//
// Text, one line or many: steps joined by `|`, as after -f; `off` before a step that is kept but left out; settings
// where they differ from the defaults; # begins a comment:
//     gaussian:sigma=2 | off sharpen | border=wrap light=linear
//
// JSON:
//     {"schema": "kernelglass-recipe/1",
//      "steps": [{"filter": "gaussian", "values": {"sigma": 2}, "enabled": true}, "sharpen:amount=0.5",
//                {"filter": "custom", "kernel": {"rows": [[...]], ...}}],
//      "border": "reflect101", "light": "stored", "alpha": "premultiplied", "signed": "clamp",
//      "channels": "rgb", "depth": "u8", "tolerance": 0}
// A step may be the text of one. What is left out has its default. A reader refuses what it does not know.

#include "filters/json_text.hpp"
#include "filters/recipe.hpp"

namespace kg {

/// Either form. `name` is what sentences call the file, with its quotes. Throws Error with line and column.
Recipe parse_recipe(std::string_view text, std::string_view name);

/// A recipe inside another JSON file: an object as above, or its text.
Recipe parse_recipe(const JsonValue& value);

/// The steps of `more` come behind those of `recipe`; its settings count where they are not the defaults.
void append(Recipe& recipe, const Recipe& more);

std::string to_json(const Recipe& recipe);
std::string to_text(const Recipe& recipe);

} // namespace kg
