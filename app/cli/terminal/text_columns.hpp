#pragma once
// Text for people on standard output: how wide it is, and where its lines break.

#include <cstddef>
#include <string>
#include <string_view>

namespace kg {

/// Columns that text may take: COLUMNS, where it is set to a number from 40 to 1000; otherwise those of the terminal, at most
/// 100, and 80 where standard output is none.
std::size_t text_columns();

/// The same for the rows of a table, which have no limit where standard output is no terminal: programs read it line by line.
std::size_t row_columns();

/// Words flowed into lines that begin at column `indent`; the first line's indent is there already.
std::string flowed(std::string_view text, std::size_t indent, std::size_t columns = text_columns());

/// The same of a line whose first column is 0 and whose further lines are indented.
std::string hanging(std::string_view line, std::size_t indent);

/// A line for a shell, indented, and broken by backslashes outside of its quotation marks.
std::string flowed_command(std::string_view line, std::size_t indent);

} // namespace kg
