#include "app/editor/document/message.hpp"

#include <array>
#include <ctime>

namespace kg {

namespace {

std::string_view name(Message::Kind kind) {
    switch (kind) {
    case Message::Kind::info: return "info";
    case Message::Kind::warning: return "warning";
    case Message::Kind::error: return "error";
    }
    return "";
}

} // namespace

std::string time_text(const Message& message) {
    const auto seconds = std::chrono::system_clock::to_time_t(message.at);
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S", &local)};
}

std::string log_text(std::span<const Message> messages) {
    std::string text;
    for (const auto& message : messages)
        text += time_text(message) + "  " + std::string(name(message.kind)) + "  " + message.text + "\n";
    return text;
}

} // namespace kg
