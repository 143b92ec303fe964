#pragma once
// Fingerprints of what is read and written: XXH3, 128 bits (xxhash.com). They prove that bytes are the ones that were seen
// before; against who forges them on purpose they prove nothing.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kg::batch {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

/// The same of a file, which is read piece by piece. Throws Error naming the file.
std::string hash_of_file(const std::filesystem::path& path);

/// A number that is the same everywhere and for ever, to deal things out by.
std::uint64_t short_hash_of(std::string_view bytes);

} // namespace kg::batch
