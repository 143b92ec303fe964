#pragma once
// A report as Markdown, to be pasted into an issue or a page.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// The verdict; the machine; who is fastest at which kernel size and where another library is ahead; a table for each
/// request. Tables as GitHub has them.
std::string to_markdown(const Report& report);

} // namespace kg::measure
