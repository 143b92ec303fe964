#pragma once
// The recipes A, B and C of a document. One of them is shown and edited; the others are parked, each with its
// own undo.

#include "app/editor/document/history.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace kg {

inline constexpr std::size_t kRecipeSlots = 3;
inline constexpr std::array<std::string_view, kRecipeSlots> kSlotNames{"A", "B", "C"};

/// Recipes of all slots, and the index of the shown one. An empty recipe has no steps.
struct RecipeSlots {
    std::array<Recipe, kRecipeSlots> recipes{};
    std::size_t shown = 0;

    bool operator==(const RecipeSlots&) const = default;
};

/// A slot that is not shown.
struct ParkedRecipe {
    EditState state{};
    int selected = -1; ///< index of a step; -1 = none
    History history{};
};

} // namespace kg
