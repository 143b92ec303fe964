#pragma once
// A report's rows as a table for spreadsheets and data frames.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// RFC 4180 in UTF-8: a header with a row's JSON keys, then a line for each row. A null becomes an empty
/// cell; several algorithms that tie are joined by a semicolon.
std::string to_csv(const Report& report);

} // namespace kg::measure
