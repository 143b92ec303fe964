#pragma once
// Which pictures a line means: files, folders, globs and lists of names become one list, in a fixed order, each picture once.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg::batch {

struct InputWish {
    std::vector<std::string> words; ///< files, folders, globs; a file of that very name comes before a glob
    std::string names;      ///< out of a list, each followed by a zero byte: files and folders, never globs
    bool recursive = false; ///< folders within folders, too
    bool follow_links = false; ///< links inside folders; those that are named are always followed
    std::filesystem::path out; ///< the folder to write to, which may not exist: not looked into
    std::stop_token stop{};    ///< ends the search
    std::function<void(std::size_t)>
        looked_at{}; ///< is told now and then how many files and folders that were
};

struct Input {
    std::filesystem::path path;
    std::filesystem::path
        folder{};         ///< below the given folder; empty for files in it and files that were named
    std::string ending{}; ///< of its name, or of what it begins like: ".jpg"
    std::uint64_t bytes = 0;
};

/// What folders held besides pictures.
struct Skipped {
    std::int64_t hidden = 0, not_pictures = 0, links = 0, folders = 0, output_folders = 0, loops = 0;
    std::int64_t sum() const { return hidden + not_pictures + links + folders + output_folders + loops; }
};

/// A word or a folder that gave no picture, and why, as a sentence.
struct Missing {
    std::string name, reason;
};

struct Inputs {
    std::vector<Input> files; ///< in the order of the words; those of a folder by name
    std::vector<Missing> missing;
    Skipped skipped;
};

/// Throws Error if the output folder is also one of the folders to read, Cancelled when stopped.
Inputs find_inputs(const InputWish& wish);

} // namespace kg::batch
