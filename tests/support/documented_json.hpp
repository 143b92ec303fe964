#pragma once
// Checks documents against docs/json.md: exactly the keys of its tables, with the right types.

#include <string>
#include <string_view>
#include <vector>

namespace kg::testing {

/// The differences between a JSON document and the table of its schema; empty = as documented.
std::vector<std::string> undocumented(std::string_view document, const std::string& schema);

} // namespace kg::testing
