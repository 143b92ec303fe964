#pragma once
// What the window reports, and the text of its log.

#include "core/support/error.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kg {

struct Message {
    enum class Kind : std::uint8_t { info, warning, error };
    Kind kind = Kind::info;
    std::string text;
    std::optional<Error> error{}; ///< an error's, or that of a warning with a code
    std::chrono::system_clock::time_point at = std::chrono::system_clock::now();

    std::string_view code() const { return error ? std::string_view(error->code()) : std::string_view(); }
};

/// "14:03:59", local time.
std::string time_text(const Message& message);
/// One line a message, the oldest first: time, kind, text.
std::string log_text(std::span<const Message> messages);

} // namespace kg
