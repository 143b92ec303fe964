#pragma once
// The style and the script of the page, which stand in it: it loads nothing.

#include <string>

namespace kg::measure {

std::string html_style();
/// Sorts and filters the table, and switches between light and dark. Without it everything can still be read.
std::string html_script();

} // namespace kg::measure
