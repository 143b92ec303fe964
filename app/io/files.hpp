#pragma once
// Whole files as bytes. Writing goes beside the target and renames, so that a failure leaves nothing new and destroys
// nothing old.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kg {

/// How much is read, and whether it is worth reading: a device or a pipe may never end.
struct ReadLimits {
    std::optional<std::uint64_t> most_bytes{}; ///< empty = 1 GiB of a pipe or device, and the whole of a file
    std::string_view of = "a pipe or a device"; ///< what the limit is for, in its sentence
    /// Gets the first 16 bytes (fewer if there are no more) before the rest is read; throws Error to refuse.
    std::function<void(std::string_view)> check_start{};
};

/// To its end. Throws Error naming the file.
std::string read_file(const std::filesystem::path& path, const ReadLimits& limits = {});

/// From an open file, which stays open; `name` is what sentences call it.
std::string read_descriptor(int descriptor, std::string_view name, const ReadLimits& limits = {});

/// Replaces a file, keeping its permissions; a link is followed; pipes and devices are written to as they are.
/// Throws Error naming the file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Removes what write_file() calls of this process have not finished yet. For signal handlers that end the program.
void remove_unfinished_files() noexcept;

/// "\"path\"", as sentences name files.
std::string quoted(const std::filesystem::path& path);

} // namespace kg
