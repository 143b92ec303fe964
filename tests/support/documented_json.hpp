#pragma once
// docs/json.md as a check: no key more than its tables have, none less, right types.

#include <string>
#include <string_view>
#include <vector>

namespace kg::testing {

/// How the document, which is JSON text, differs from the table of its schema; empty = it is as documented.
std::vector<std::string> undocumented(std::string_view document, const std::string& schema);

} // namespace kg::testing
