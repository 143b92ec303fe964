#include "app/io/files/percent.hpp"

#include "core/support/error.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>

namespace kg {

std::string percent_encoded(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        char escaped[4] = {c};
        if (byte <= ' ' || byte >= 127 || c == '%' || c == '"' || c == '\\')
            std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
        text += escaped;
    }
    return text;
}

std::string percent_decoded(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            bytes += text[i];
            continue;
        }
        const auto digits = text.substr(i + 1, 2);
        std::uint8_t byte = 0;
        const auto end = digits.data() + digits.size();
        if (digits.size() != 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end)
            throw Error("bad-percent-sign", "a percent sign is not followed by two hexadecimal digits");
        bytes += static_cast<char>(byte);
        i += 2;
    }
    return bytes;
}

} // namespace kg
