#pragma once
// Finds the input images of a batch: files, folders, globs and lists of names become one list in a fixed
// order, each image once.

#include "core/support/error.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg::batch {

struct InputOptions {
    /// Files, folders, globs. An existing file of that exact name takes precedence over a glob.
    std::vector<std::string> words;
    /// Files and folders from a list, each followed by a zero byte; never globs.
    std::string names;
    bool recursive = false;    ///< also folders within folders
    bool follow_links = false; ///< links inside folders; named links are always followed
    std::filesystem::path out; ///< the folder to write to, which may not exist; it is not searched
    std::stop_token stop{};    ///< cancels the search
    /// Called from time to time with the number of files and folders visited.
    std::function<void(std::size_t)> looked_at{};
};

struct Input {
    std::filesystem::path path;
    /// Below the given folder; empty for files directly in it and for files that were named.
    std::filesystem::path folder{};
    std::string extension{}; ///< extension of its name, or by its first bytes: ".jpg"
    std::uint64_t bytes = 0;
};

/// Counts of the entries of folders that are not images.
struct Skipped {
    std::int64_t hidden = 0, not_images = 0, links = 0, folders = 0, output_folders = 0, loops = 0;
    std::int64_t sum() const { return hidden + not_images + links + folders + output_folders + loops; }
};

/// An argument or a folder that gave no image, with the reason.
struct Missing {
    std::string name;
    Error reason;
};

struct Inputs {
    std::vector<Input> files; ///< in the order of the arguments; those of a folder sorted by name
    std::vector<Missing> missing;
    Skipped skipped;
};

/// Throws Error if the output folder is also an input folder, Cancelled when stopped.
Inputs find_inputs(const InputOptions& options);

} // namespace kg::batch
