#pragma once
// Files of benchmark reports: written in the format that the extension names, and read back.

#include "core/support/error.hpp"
#include "measure/report/report.hpp"

#include <filesystem>
#include <string>

namespace kg {

/// Fills in version, date and host.
void sign(measure::BenchReport& report);

/// The extension is .json, .csv, .md or .html.
bool is_report_name(const std::filesystem::path& file);
/// The error for a name that is none.
Error bad_report_name(const std::filesystem::path& file);
/// The report in the format that the extension names. Throws bad_report_name().
std::string report_as(const std::filesystem::path& file, const measure::BenchReport& report);

/// Reads a report that was written as JSON. Throws Error naming the file.
measure::BenchReport read_report(const std::filesystem::path& file);

} // namespace kg
