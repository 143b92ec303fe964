#pragma once
// Speeds of earlier runs of a job, kept in its output folder beside the journal, one line of JSON per run.
// Missing or unreadable lines are ignored; only estimates depend on them.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace kg::batch {

struct RunSpeed {
    /// Identifies the work and the place: a hash of the machine, the engine and the number of images at a
    /// time.
    std::string job, place;
    std::size_t images = 0;
    double bytes_read = 0, bytes_written = 0, seconds = 0;
};

/// Oldest first.
std::vector<RunSpeed> read_speeds(const std::filesystem::path& out, const std::string& job,
                                  const std::string& place);

/// The journal's folder must exist. Never throws.
void add_speed(const std::filesystem::path& out, const RunSpeed& speed) noexcept;

/// The place of this machine; `device` is the engine's display name.
std::string place_of(const std::string& device, int at_a_time);

} // namespace kg::batch
