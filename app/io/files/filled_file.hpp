#pragma once
// write_file() for what is not in memory as a whole.

#include "app/io/files/byte_access.hpp"

#include <filesystem>
#include <functional>
#include <string_view>

namespace kg {

/// Replaces a file by what `fill` writes, as write_file() does it. Pipes and devices get it once it is whole: until then it
/// lies in a file without a name in the folder for temporary files. Throws Error naming the file, and what `fill` throws.
void write_filled_file(const std::filesystem::path& path, const std::function<void(ByteSink&)>& fill);

/// The same into what is open already, and stays so; `name` is what sentences call it.
void write_filled_descriptor(int descriptor, std::string_view name,
                             const std::function<void(ByteSink&)>& fill);

} // namespace kg
