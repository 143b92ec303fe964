#pragma once
// Memory that an image takes from reading its file to writing its result.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace kg {

/// The file of this size, the image, the result, the engine's copies, the output file and the buffers for its
/// compression.
std::size_t bytes_needed(const ImageInfo& info, std::size_t file, const Recipe& recipe);

/// Information from the header alone; empty if the image cannot be read by rows, for which reading it reports
/// the reason.
std::optional<ImageInfo> info_by_header(const std::filesystem::path& path, const ReadOptions& options);
/// The memory by that information, or the size of the file if there is none.
std::size_t bytes_needed_by_header(const std::filesystem::path& path, std::size_t file, const Recipe& recipe,
                                   const ReadOptions& options);

/// The machine's memory.
std::size_t memory_of_machine();
/// The share of it that one image may take.
std::size_t most_for_one_image();

} // namespace kg
