#pragma once
// Reports as JSON values, and their layout in files.

#include "measure/report/report.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace kg::measure {

/// The document that to_json() writes. Its texts may hold invalid UTF-8.
nlohmann::ordered_json json_document(const BenchReport& report);

/// An object as text with one member per line and one list item per line, for people and for line-based diff
/// tools. Invalid UTF-8 is replaced.
std::string json_lines(const nlohmann::ordered_json& object);

} // namespace kg::measure
