#pragma once
// Any bytes as plain ASCII, for file names in JSON, which is UTF-8, while a name may be any bytes.

#include <string>
#include <string_view>

namespace kg {

/// Spaces, control characters, what is not ASCII, and the characters % " \ become %XX.
std::string percent_encoded(std::string_view bytes);

/// The bytes again. Throws Error if a percent sign is not followed by two hexadecimal digits.
std::string percent_decoded(std::string_view text);

} // namespace kg
