#pragma once
// Percent-encoding for file names in JSON: a name may be any bytes, and JSON is UTF-8.

#include <string>
#include <string_view>

namespace kg {

/// Encodes spaces, control characters, bytes that are not ASCII, and the characters % " \ as %XX.
std::string percent_encoded(std::string_view bytes);

/// Decodes the bytes. Throws Error if a percent sign is not followed by two hexadecimal digits.
std::string percent_decoded(std::string_view text);

} // namespace kg
