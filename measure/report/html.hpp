#pragma once
// A report as one self-contained page.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// One HTML file that loads nothing: the verdict, the fastest algorithm by kernel size, where another library
/// is faster, charts, the machine, and every row. Light or dark as the reader's system; readable without a
/// script.
std::string to_html(const Report& report);

} // namespace kg::measure
