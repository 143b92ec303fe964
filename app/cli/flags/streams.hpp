#pragma once
// Files named on the command line: a path, or `-` for standard input and output.

#include "app/io/image_file.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

inline constexpr std::string_view kStandardStream = "-";

/// Reads a kernel or a recipe of at most 64 MiB from a file or standard input.
std::string read_text_input(const std::string& word);

/// Reads a recipe. It may be embedded in an image, so an image file may have the length that images may have.
std::string read_recipe_input(const std::string& word);

/// Reads the bytes of an image from standard input. Throws Error if standard input is a terminal.
std::string read_standard_image(const ReadOptions& options);

/// The path of an input that can be read repeatedly and at any position: a file, also as standard input.
/// Empty for pipes.
std::string seekable_path(const std::string& in);

/// Throws Error if more than one input is `-`: standard input can be read only once.
void refuse_shared_stream(std::span<const std::string> inputs);

/// The name of an input in messages: the path in quotation marks, or "standard input".
std::string input_name(const std::string& word);
/// The name of an output in messages: the path in quotation marks, or "standard output".
std::string output_name(const std::string& word);
/// The name at the beginning of a line of results: the path without quotation marks, or `stream`.
std::string heading_name(const std::string& word, std::string_view stream);

/// Reads an image from a file or standard input.
LoadedImage read_image_input(const std::string& word, const ReadOptions& options);

/// Throws Error if `out` is the same file as one of the inputs, by any name, link or redirection.
void refuse_overwriting(const std::string& out, std::span<const std::string> inputs);

/// Throws Error unless the extension of `out` names a format that can be written. `remedy` is the advice for
/// devices and other files to whose names no extension can be added: "add --format png".
void check_extension(const std::filesystem::path& out, std::string_view remedy);

/// Throws Error if pixels cannot be written to `out`: a folder, a terminal, or a file whose format neither
/// its name nor --format determines.
void check_output(const std::string& out, const WriteOptions& options);

/// The id or extension of the output format: from --format, or else from the file's name, or `piped` for
/// standard output.
std::string output_format(const std::string& out, const WriteOptions& options, std::string_view piped);

/// Throws Error if the bytes cannot be written.
void write_standard_output(std::string_view bytes);

} // namespace kg
