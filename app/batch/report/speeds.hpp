#pragma once
// How fast runs of a job were, kept in its output folder beside the journal: a line of JSON for each run. What is not there, or not
// to be read, is not known; nothing depends on it but forecasts.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace kg::batch {

struct Speed {
    std::string job,
        place; ///< what was done, and where: a hash of the machine, the engine, how many at a time
    std::size_t pictures = 0;
    double bytes_read = 0, bytes_written = 0, seconds = 0;
    double share = 1; ///< of the processor, that it got of what it asked for
};

/// Oldest first.
std::vector<Speed> read_speeds(const std::filesystem::path& out, const std::string& job,
                               const std::string& place);

/// The folder of the journal must be there. Never throws.
void add_speed(const std::filesystem::path& out, const Speed& speed) noexcept;

/// Of this machine; `device` is the engine's, as people call it.
std::string place_of(const std::string& device, int at_a_time);

} // namespace kg::batch
