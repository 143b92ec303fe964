#pragma once
// What a folder offers to choose from, the completion of a path that is being typed, and recent files.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kg {

struct FolderEntry {
    std::string name;
    bool is_folder = false;

    bool operator==(const FolderEntry&) const = default;
};

enum class ListedFiles : std::uint8_t {
    images, ///< files with the extension of an image format that the program knows
    all,
    none ///< folders only
};

struct FolderListing {
    std::vector<FolderEntry> entries; ///< folders first, both by name; hidden ones are left out
    std::size_t images = 0;           ///< files that may be images, whether entries has them or not
    std::string problem;              ///< why the folder cannot be read; empty otherwise
};

/// Never throws: a folder that cannot be read has a problem.
FolderListing list_folder(const std::filesystem::path& folder, ListedFiles files);

/// False also where the path cannot be examined.
bool is_folder(const std::filesystem::path& path);

/// The folder that a typed path names: all up to its last slash; the working folder for text without one.
std::filesystem::path folder_of_text(const std::string& text);

/// The typed path, extended as far as all entries that begin with it agree, as in a shell; a single folder
/// gets its slash. Unchanged where nothing fits.
std::string completed_path(const std::string& text, ListedFiles files);

/// The existing files and folders that a pasted text names, one a line, as paths or file:// URIs. Empty where
/// any line is something else.
std::vector<std::filesystem::path> pasted_paths(const std::string& text);

/// Whether the file can hold a kernel or a recipe and no image, by its extension.
bool is_recipe_file(const std::filesystem::path& path);

/// Recent files that are kept.
inline constexpr std::size_t kMostRecentFiles = 20;
/// Puts the file first; drops its earlier place and the oldest beyond kMostRecentFiles.
void note_recent(std::vector<std::filesystem::path>& recent, const std::filesystem::path& file);
void forget_recent(std::vector<std::filesystem::path>& recent, const std::filesystem::path& file);

} // namespace kg
