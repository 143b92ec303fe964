#pragma once
// A report as Markdown, to be pasted into an issue or a page.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// The verdict; the machine; the fastest algorithm by kernel size and where another library is faster; a
/// table for each request. Tables in GitHub's syntax.
std::string to_markdown(const Report& report);

} // namespace kg::measure
