#pragma once
// What becomes of a benchmark's report: files, words on the terminal, a comparison.

#include "measure/report/report.hpp"

#include <span>
#include <string>

namespace kg {

/// Before anything is measured: throws Error unless the file's ending is one of .json, .csv, .md, .html, its folder is there
/// and it is none of the inputs.
void check_report(const std::string& file, std::span<const std::string> inputs);

/// Version, date and host.
void sign(measure::Report& report);

/// In the form that the ending says.
void write_report(const std::string& file, const measure::Report& report);
/// As wide and as colourful as standard output is.
std::string report_words(const measure::Report& report);

/// `bench diff`: prints, and returns the exit code.
int show_difference(const std::string& old_file, const std::string& new_file, double bound, bool json);

} // namespace kg
