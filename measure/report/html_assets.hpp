#pragma once
// The page's style and script, embedded because the page loads nothing.

#include <string>

namespace kg::measure {

std::string html_style();
/// Sorts and filters the table, and switches between light and dark. The page is readable without it.
std::string html_script();

} // namespace kg::measure
