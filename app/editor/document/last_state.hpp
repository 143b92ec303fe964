#pragma once
// State kept from one start to the next: the last recipe with its output settings, and the window's layout. A
// small JSON file in the user's state folder.

#include "app/editor/document/recipe_slots.hpp"
#include "app/editor/document/window_place.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace kg {

struct LastState {
    Recipe recipe; ///< recipe of the slot that was shown
    bool has_recipe = false;
    std::size_t slot = 0;
    /// Recipes of the other slots; empty where a slot held none, and that of `slot`.
    std::array<Recipe, kRecipeSlots> others{};
    bool welcomed = false; ///< the first steps have been offered
    bool dark = true;
    int scale = 100;         ///< size of text and panels, in percent of the screen's
    bool own_layout = false; ///< the person moved panels
    std::optional<WindowPlace> place{};
    /// Files opened or saved, the latest first.
    std::vector<std::filesystem::path> recent_files{};

    bool operator==(const LastState&) const = default;
};

/// Puts the recipes into the state. An empty one replaces none: viewing an image keeps the last recipes.
void keep_recipes(const RecipeSlots& slots, LastState& state);

/// $XDG_STATE_HOME/kernelglass (or under ~/.local/state), created; empty if it cannot be created.
std::filesystem::path state_folder();

/// The file's state. Defaults where the file is missing or invalid: the state is only a convenience.
LastState read_last_state(const std::filesystem::path& file);
/// Throws Error if it cannot be written.
void write_last_state(const std::filesystem::path& file, const LastState& state);

} // namespace kg
