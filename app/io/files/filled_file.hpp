#pragma once
// write_file() for contents that are not in memory as a whole.

#include "app/io/files/byte_access.hpp"

#include <filesystem>
#include <functional>
#include <string_view>

namespace kg {

/// Replaces a file by the bytes that `fill` writes, like write_file(). For pipes and devices the bytes are
/// first collected in an unnamed file in the folder for temporary files. Throws Error naming the file, and
/// whatever `fill` throws.
void write_filled_file(const std::filesystem::path& path, const std::function<void(ByteSink&)>& fill);

/// The same for an open descriptor, which stays open; `name` names it in messages.
void write_filled_descriptor(int descriptor, std::string_view name,
                             const std::function<void(ByteSink&)>& fill);

} // namespace kg
