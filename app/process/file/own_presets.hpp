#pragma once
// Presets that a user saved: files as in assets/presets, in the user's folder. Their ids are the names of the
// files. None has the id of a filter or of a preset of the program, so that a name always means the same
// there.

#include "core/support/error.hpp"
#include "filters/preset.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// $XDG_CONFIG_HOME/kernelglass/presets, or under ~/.config; empty if there is neither. It need not exist.
std::filesystem::path own_preset_folder();

struct OwnPresets {
    std::vector<Preset> presets{}; ///< sorted by id
    std::vector<Error> problems{}; ///< one for each file that cannot be used, sorted by message
};
/// Never throws: an absent folder has no presets.
OwnPresets read_own_presets(const std::filesystem::path& folder);

/// Whether the folder has a file for this id. False for ids of the program.
bool is_own_preset(const std::filesystem::path& folder, std::string_view id);
/// Throws Error if the file cannot be used.
Preset read_own_preset(const std::filesystem::path& folder, std::string_view id);

/// Writes a new file and creates the folder; the id is made from the title. Throws Error, also for a blank
/// title.
Preset save_own_preset(const std::filesystem::path& folder, const std::string& title,
                       const std::string& group, const Recipe& recipe);
/// Replaces the file of preset.id. Throws Error if it cannot be written.
void write_own_preset(const std::filesystem::path& folder, const Preset& preset);
/// Throws Error if the file cannot be removed.
void remove_own_preset(const std::filesystem::path& folder, const std::string& id);

} // namespace kg
