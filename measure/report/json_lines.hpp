#pragma once
// How reports stand in files: JSON with a member a line and an item of a list a line, so that people can read them and a tool
// that compares lines finds what has changed.

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kg::measure {

/// The object of these members, in this order. What is no UTF-8 is replaced.
std::string json_lines(std::span<const std::pair<std::string_view, nlohmann::ordered_json>> members);

} // namespace kg::measure
