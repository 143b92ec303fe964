#pragma once
// Hashes of inputs and outputs: XXH3, 128 bits (xxhash.com). They detect changes, but do not protect against
// deliberate forgery.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kg {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

/// The same for a file, which is read in blocks. Throws Error naming the file.
std::string hash_of_file(const std::filesystem::path& path);

/// A hash that is the same on every machine and in every version, for distributing work.
std::uint64_t short_hash_of(std::string_view bytes);

} // namespace kg
