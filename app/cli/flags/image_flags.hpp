#pragma once
// The flags for image files, common to every command that reads or writes images.

#include "app/io/image_file.hpp"

#include <string>

namespace CLI {
class App;
}

namespace kg {

/// Adds --page. `options` must outlive the parsing of the command line, here and below.
void add_page_flag(CLI::App& app, ReadOptions& options);

/// Adds --max-pixels, which also lifts the limit on the length of a file.
void add_max_pixels_flag(CLI::App& app, ReadOptions& options);

/// Adds --format. `piped` describes the default for standard output: "for - that of the input".
void add_format_flag(CLI::App& app, const std::string& piped, WriteOptions& options);

/// Adds --strip and --no-recipe.
void add_metadata_flags(CLI::App& app, WriteOptions& options);

} // namespace kg
