#pragma once
// A report for the terminal: the verdict, each request's algorithms from the fastest to the slowest with
// bars, and a summary of all requests.

#include "measure/report/report.hpp"
#include "measure/report/terminal_text.hpp"

#include <string>

namespace kg::measure {

/// Lines that fit the style's width; the last one ends with a newline.
std::string to_terminal(const Report& report, const TerminalStyle& style);

} // namespace kg::measure
