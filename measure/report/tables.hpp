#pragma once
// Summaries of a report as tables of text, for Markdown and HTML.

#include "measure/report/standing.hpp"

#include <string>
#include <vector>

namespace kg::measure {

struct TextTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// Where another library is faster than ours: a row for each request and engine, by the ratio of the times,
/// which is the last column. No rows if nowhere.
TextTable ahead_table(const std::vector<Standing>& standings);
/// The same where auto chooses an algorithm that is slower than another of ours.
TextTable slower_choices_table(const std::vector<Standing>& standings);

} // namespace kg::measure
