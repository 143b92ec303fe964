#pragma once
// A report for the terminal: the verdict, each request's ways from the fastest to the slowest with bars, and what all
// requests come to.

#include "measure/report/report.hpp"
#include "measure/report/terminal_text.hpp"

#include <string>

namespace kg::measure {

/// Lines that fit the style's width, the last one ended.
std::string to_terminal(const Report& report, const TerminalStyle& style);

} // namespace kg::measure
