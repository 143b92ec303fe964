#pragma once
// What a word on the command line means as a file: a path, or `-` for standard input and output.

#include "app/io/image_file.hpp"

#include <span>
#include <string>
#include <string_view>

namespace kg {

inline constexpr std::string_view kStandardStream = "-";

/// A kernel or a recipe, from a file or standard input: at most 64 MiB.
std::string read_text_input(const std::string& word);

/// The same of a recipe, which may also stand in a picture: a file of one may be as long as pictures are.
std::string read_recipe_input(const std::string& word);

/// The bytes of a picture from standard input. A terminal is refused, because nobody types pictures.
std::string read_standard_picture(const ReadOptions& options);

/// Throws Error if `-` stands for more than one of the inputs: what it gives can be read once.
void refuse_shared_stream(std::span<const std::string> inputs);

/// What sentences call it: the path in quotation marks, or "standard input".
std::string input_name(const std::string& word);
/// The same of a file to write: or "standard output".
std::string output_name(const std::string& word);
/// At the beginning of a line of results: the path without quotation marks, or what the stream is called.
std::string heading_name(const std::string& word, std::string_view stream);

/// A picture from a file or standard input.
Picture read_picture_input(const std::string& word, const ReadOptions& options);

/// Throws Error if writing `out` would destroy one of the inputs: the same file by any name, link or redirection.
void refuse_overwriting(const std::string& out, std::span<const std::string> inputs);

/// Throws Error unless the ending of a file to write names a format that can be written. `way_out` says what else to do
/// about devices and the like, to whose names no ending can be added: "add --format png".
void check_ending(const std::filesystem::path& out, std::string_view way_out);

/// Throws Error if pixels cannot go there: a folder, a terminal, or a name that does not say the format where --format
/// does not either.
void check_output(const std::string& out, const WriteOptions& options);

/// Id or ending: what --format says, or else the file's name; `piped` is for standard output.
std::string output_format(const std::string& out, const WriteOptions& options, std::string_view piped);

/// Throws Error where the bytes cannot be written.
void write_output(const std::string& out, std::string_view bytes);

} // namespace kg
