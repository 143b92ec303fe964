#pragma once
// What the program remembers from one start to the next: the last recipe with its output settings, and what the window
// looked like. A small JSON file in the user's state folder.

#include "filters/recipe.hpp"

#include <filesystem>

namespace kg {

struct LastState {
    Recipe recipe;
    bool has_recipe = false;
    bool welcomed = false; ///< the first steps have been offered
    bool dark = true;
    bool own_layout = false; ///< panels are where a person has put them

    bool operator==(const LastState&) const = default;
};

/// $XDG_STATE_HOME/kernelglass (or under ~/.local/state), created; empty if that cannot be.
std::filesystem::path state_folder();

/// What is in the file; the defaults where there is none or it cannot be understood: it is no more than a convenience.
LastState read_last_state(const std::filesystem::path& file);
/// Throws Error if it cannot be written.
void write_last_state(const std::filesystem::path& file, const LastState& state);

} // namespace kg
