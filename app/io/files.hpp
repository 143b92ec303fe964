#pragma once
// Whole files as bytes. Writing goes beside the target and renames, so that a failure leaves nothing new and destroys
// nothing old.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace kg {

/// How much is read, and whether it is worth reading: a device or a pipe may never end.
struct ReadLimits {
    std::uint64_t most_bytes = std::uint64_t{1} << 30;
    bool whole_files = false;                   ///< the limit holds for pipes and devices only
    std::string_view of = "a pipe or a device"; ///< what the limit is for, in its sentence
    std::string_view of_file = "a file";        ///< the same in that of a file that is too long
    std::string_view way_out{};                 ///< how such a file is read all the same
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

/// The path as a terminal may show it: what would steer one becomes "?".
std::string safe_name(const std::filesystem::path& path);
/// "\"path\"", as sentences name files; just as safe.
std::string quoted(const std::filesystem::path& path);

} // namespace kg
