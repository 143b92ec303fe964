#pragma once
// Output of benchmark reports: files, text on the terminal, comparison.

#include "app/cli/flags/switches.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "measure/report/report.hpp"

#include <span>
#include <string>
#include <vector>

namespace kg {

/// To be called before the measurement. Throws Error unless the extension of the file is .json, .csv, .md or
/// .html, its folder exists and it is not one of the inputs.
void check_report(const std::string& file, std::span<const std::string> inputs);

/// The end of a benchmark: writes the files, prints the report, notes what is missing. Returns the exit code;
/// throws the last error of a file, after the others are printed.
int deliver(const measure::BenchReport& report, std::vector<std::string> outputs, const Switches& switches,
            const Interrupts& interrupts);

/// `bench diff`: prints the comparison and returns the exit code.
int show_difference(const std::string& old_file, const std::string& new_file, double bound, bool json);

} // namespace kg
