#pragma once
// How much memory a picture takes on its way from a file into a file.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace kg::batch {

/// The file, which has so many bytes, the picture and the result with the engine's copies, the file to write and what packs it.
std::size_t bytes_needed(const PictureInfo& info, std::size_t file, const Recipe& recipe);

/// What can be said before the file is read; nothing of what cannot be read by rows, for which reading it will say why.
std::optional<PictureInfo> info_by_header(const std::filesystem::path& path, const ReadOptions& options);
/// By that; the file's length where that is all.
std::size_t bytes_needed_by_header(const std::filesystem::path& path, std::size_t file, const Recipe& recipe,
                                   const ReadOptions& options);

/// The machine's memory.
std::size_t memory_of_machine();
/// What one picture may take of it.
std::size_t most_for_one_picture();

} // namespace kg::batch
