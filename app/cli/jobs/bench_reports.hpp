#pragma once
// Output of benchmark reports: files, text on the terminal, comparison.

#include "core/support/error.hpp"
#include "measure/report/report.hpp"

#include <span>
#include <string>
#include <vector>

namespace kg {

/// To be called before the measurement. Throws Error unless the extension of the file is .json, .csv, .md or
/// .html, its folder exists and it is not one of the inputs.
void check_report(const std::string& file, std::span<const std::string> inputs);

/// Writes the report in the format given by the extension.
void write_report(const std::string& file, const measure::BenchReport& report);
/// Writes it to each file. Returns the errors; the files that failed are no longer in `outputs`.
std::vector<Error> write_reports(std::vector<std::string>& outputs, const measure::BenchReport& report);
/// The report formatted for standard output: its width, colours and encoding.
std::string report_text(const measure::BenchReport& report);

/// `bench diff`: prints the comparison and returns the exit code.
int show_difference(const std::string& old_file, const std::string& new_file, double bound, bool json);

} // namespace kg
