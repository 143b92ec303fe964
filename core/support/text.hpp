#pragma once
// Words and numbers as people type them: read strictly, written so that they read back the same.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// The shortest text that reads back as the same float or double.
std::string to_text(double value);
std::string to_text(float value);

/// Throws Error naming `what` if the text is not wholly a finite number (fractions such as 1/9 are).
double parse_number(std::string_view text, std::string_view what);
/// The same to the nearest float; what is too small for one becomes 0.
float parse_float(std::string_view text, std::string_view what);

/// In quotation marks, fit for a sentence: at most 60 bytes of it, control characters and what is not UTF-8 as '?'.
std::string in_quotes(std::string_view text);
/// The text as a terminal may show it. Control characters and bytes that are not UTF-8 become %1B, and then so does the
/// percent sign; any other text stays as it is.
std::string printable(std::string_view text);
bool is_utf8(std::string_view text);
/// "zero, replicate, wrap"
std::string listed(std::span<const std::string_view> words);

/// The nearest of the words, or empty if none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> words);
/// How a sentence about an unknown word goes on: `; did you mean "gaussian"?`, or a full stop.
std::string suggestion(std::string_view word, std::span<const std::string_view> words);

std::string_view trimmed(std::string_view text);
/// At least one part; the parts are trimmed.
std::vector<std::string_view> split(std::string_view text, char separator);

/// "line 3, column 5: " of a byte in a text. Columns count characters of UTF-8, from 1.
std::string place(std::string_view text, std::size_t at);

/// The text of a file without its UTF-8 byte order mark. Throws Error beginning with `what` (the file) if it is UTF-16,
/// a picture, an archive or another binary file.
std::string_view plain_text(std::string_view file, const std::string& what);

} // namespace kg
