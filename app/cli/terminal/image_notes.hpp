#pragma once
// Notes about an image that was read.

#include "app/cli/flags/switches.hpp"
#include "app/io/image_file.hpp"

#include <string>
#include <vector>

namespace kg {

/// Prints the notes to stderr, after `name`: damage always, even with -q; choices, conversions and losses
/// unless -q is given; plain properties ("16-bit") and details only with -v.
void report_notes(const Switches& switches, const std::string& name, const LoadedImage& image);

/// Prints only damage, for commands to which the other notes do not matter.
void report_damage(const Switches& switches, const std::string& name, const LoadedImage& image);

/// Notes, damage and details, for a report.
std::vector<std::string> all_notes(const LoadedImage& image);

} // namespace kg
