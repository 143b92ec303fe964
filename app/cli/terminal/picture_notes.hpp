#pragma once
// What a person should hear about a picture that was read.

#include "app/cli/flags/switches.hpp"
#include "app/io/image_file.hpp"

#include <string>

namespace kg {

/// On stderr, after `name`: damage always, also with -q; what was chosen, converted or lost unless -q; what the picture
/// merely is ("16-bit"), and its details, only with -v.
void say_notes(const Switches& switches, const std::string& name, const Picture& picture);

/// Damage alone, for commands to which the rest does not matter.
void say_damage(const Switches& switches, const std::string& name, const Picture& picture);

} // namespace kg
