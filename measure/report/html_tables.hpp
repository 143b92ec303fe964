#pragma once
// The tables of the page.

#include "measure/report/standing.hpp"

#include <string>

namespace kg::measure {

/// The fastest algorithm by kernel size: a line for each family, a column for each size. Empty for a single
/// request.
std::string winners_table(const std::vector<Standing>& standings);
/// Where another library is faster than ours; empty if nowhere.
std::string ahead_table(const std::vector<Standing>& standings);
/// Where auto chooses an algorithm that is slower than another of ours; empty if nowhere.
std::string slower_choices_table(const std::vector<Standing>& standings);
/// Every row, each request's from the fastest to the slowest.
std::string rows_table(const std::vector<Standing>& standings);

} // namespace kg::measure
