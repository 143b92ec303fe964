#pragma once
// Whole files as bytes. Writing goes beside the target and renames, so that a failure leaves nothing new and destroys
// nothing old.

#include <filesystem>
#include <string>
#include <string_view>

namespace kg {

/// Throws Error naming the file. A pipe or a device is read to its end.
std::string read_file(const std::filesystem::path& path);

/// Replaces a file, keeping its permissions; a link is followed; pipes and devices are written to as they are.
/// Throws Error naming the file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// "\"path\"", as sentences name files.
std::string quoted(const std::filesystem::path& path);

} // namespace kg
