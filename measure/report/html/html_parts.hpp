#pragma once
// The parts of the page: its tables, and its style and script, embedded because the page loads nothing.

#include "measure/report/standing.hpp"
#include "measure/report/tables.hpp"

#include <string>

namespace kg::measure {

/// The fastest algorithm by kernel size: a line for each family, a column for each size. Empty for a single
/// request.
std::string winners_table(const std::vector<Standing>& standings);
/// A table of tables.hpp, the last column first; empty if it has no rows.
std::string summary_table(const TextTable& table);
/// Every row, each request's from the fastest to the slowest.
std::string rows_table(const std::vector<Standing>& standings);

std::string html_style();
/// Sorts and filters the table, and switches between light and dark. The page is readable without it.
std::string html_script();

} // namespace kg::measure
