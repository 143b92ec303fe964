#pragma once
// Text and numbers: parsed strictly, formatted so that they parse back to the same value.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

class Error;

/// The shortest text that parses back to the same float or double.
std::string to_text(double value);
std::string to_text(float value);

/// Throws Error naming `what` if the text is not entirely a finite number. Fractions such as 1/9 are numbers.
double parse_number(std::string_view text, std::string_view what);
/// The same to the nearest float; underflow becomes 0.
float parse_float(std::string_view text, std::string_view what);
/// A number as people read it, rounded to `digits`: 137, -12.5, 0.0039.
std::string short_number(double value, int digits = 5);

/// Quoted for a message: at most 60 bytes; control characters and invalid UTF-8 become '?'.
std::string in_quotes(std::string_view text);
/// The text as a terminal may show it. Control characters and invalid UTF-8 bytes become escapes such as %1B,
/// and then so does the percent sign; any other text is unchanged.
std::string printable(std::string_view text);
bool is_utf8(std::string_view text);
/// "zero, replicate, wrap"
std::string listed(std::span<const std::string_view> words);

/// The nearest of the words, or empty if none is close.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> words);
/// The end of a message about an unknown word: `; did you mean "gaussian"?`, or a full stop.
std::string suggestion(std::string_view word, std::span<const std::string_view> words);

/// The text with A to Z in lower case.
std::string lower_case(std::string_view text);
/// Whether every one of the words, which spaces separate, is somewhere in the text, in any case.
bool contains_words(std::string_view text, std::string_view words);
std::string_view trimmed(std::string_view text);
/// Splits at the separator and trims. At least one element.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The error with its place before the message: `file`, "line 3, column 5", the reason. These are also its
/// arguments. `at` is a byte position in the text of the file; columns count UTF-8 characters from 1.
Error error_at(std::string_view file, std::string_view text, std::size_t at, const Error& reason);

/// The content of a text file without its UTF-8 byte order mark. Throws Error that begins with `what` (the
/// file) for UTF-16, an image, an archive or another binary file.
std::string_view plain_text(std::string_view file, const std::string& what);

} // namespace kg
