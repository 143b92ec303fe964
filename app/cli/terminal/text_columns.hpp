#pragma once
// Line breaking of text on standard output.

#include <cstddef>
#include <string>
#include <string_view>

namespace kg {

/// The width of text: COLUMNS if it is a number from 40 to 1000, or else the width of the terminal, at most
/// 100, or 80 if standard output is not a terminal.
std::size_t text_columns();

/// The width of table rows: unlimited if standard output is not a terminal, so that programs can read it line
/// by line.
std::size_t row_columns();

/// Wraps text into lines that begin at column `indent`. The caller has already indented the first line.
std::string flowed(std::string_view text, std::size_t indent, std::size_t columns = text_columns());

/// Wraps a line that begins at column 0 and indents its continuation lines.
std::string hanging(std::string_view line, std::size_t indent);

/// Indents a shell command and breaks it with backslashes outside quotation marks.
std::string flowed_command(std::string_view line, std::size_t indent);

} // namespace kg
