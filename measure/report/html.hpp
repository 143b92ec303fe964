#pragma once
// A report as one page to send to somebody.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// One HTML file that loads nothing: the verdict, who is fastest at which kernel size, where another library is ahead, charts,
/// the machine, and every row. Light or dark as the reader's system is; all of it can be read without a script.
std::string to_html(const Report& report);

} // namespace kg::measure
