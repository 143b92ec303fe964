#pragma once
// Recipes as Python sees them: immutable values with a number by which the cache of plans finds them.

#include "filters/recipe.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kg::python {

namespace nb = nanobind;

/// What replaces the settings of a recipe, as the command's flags do; empty = that of the recipe.
struct Settings {
    std::optional<std::string_view> border, light, alpha, sign, channels, depth;
    std::optional<double> tolerance;

    /// Throws Error as the command line does.
    void apply_to(Recipe& recipe) const;
    /// Different for different settings.
    void append_to(std::string& key) const;
};

struct NumberedRecipe {
    explicit NumberedRecipe(kg::Recipe recipe);
    kg::Recipe recipe;
    std::uint64_t number; ///< no other object of this process has it
};

/// A recipe as text or JSON, or the id of a preset. Throws Error with line and column.
Recipe recipe_of_text(std::string_view text);
/// The same of a str or a Recipe.
Recipe recipe_of(nb::handle source);
/// Text by which a str or a Recipe is found again. Throws Error for another object.
void append_key(nb::handle source, std::string& key);

/// A recipe of one custom kernel. Throws Error for rows of different lengths and invalid values.
Recipe kernel_recipe(nb::handle rows, std::optional<std::pair<int, int>> anchor, std::optional<float> divisor,
                     float offset, bool flip);

void bind_recipes(nb::module_& module);

} // namespace kg::python
