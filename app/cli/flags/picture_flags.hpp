#pragma once
// The flags about pictures in files: the same for every command that reads or writes some.

#include "app/io/image_file.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace kg {

/// --page. `options` must be there when the line is parsed.
void add_page_flag(CLI::App& app, ReadOptions& options);

/// --max-pixels, which also lifts the limit of a file's length. `options` as above.
void add_max_pixels_flag(CLI::App& app, ReadOptions& options);

/// --format. `piped` says what holds for standard output: "for - as the input". `options` as above.
void add_format_flag(CLI::App& app, const std::string& piped, WriteOptions& options);

/// --strip and --no-recipe. `options` as above.
void add_metadata_flags(CLI::App& app, WriteOptions& options);

} // namespace kg
