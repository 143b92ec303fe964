#pragma once
// Layout of reports in files: JSON with one member per line and one list item per line, for people and for
// line-based diff tools.

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kg::measure {

/// The object of these members, in this order. Invalid UTF-8 is replaced.
std::string json_lines(std::span<const std::pair<std::string_view, nlohmann::ordered_json>> members);

} // namespace kg::measure
