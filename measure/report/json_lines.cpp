#include "measure/report/json_lines.hpp"

namespace kg::measure {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) {
    if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string text = "[";
    for (const auto& item : value)
        text += (&item == &value.front() ? "\n  " : ",\n  ") +
                item.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text + (value.empty() ? "]" : "\n ]");
}

} // namespace

std::string json_lines(std::span<const std::pair<std::string_view, Json>> members) {
    std::string text = "{";
    for (const auto& [key, value] : members)
        text += (&key == &members.front().first ? "\n \"" : ",\n \"") + std::string(key) +
                "\": " + text_of(value);
    return text + "\n}\n";
}

} // namespace kg::measure
