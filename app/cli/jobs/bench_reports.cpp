#include "app/cli/jobs/bench_reports.hpp"

#include "app/bench/report_file.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/report/diff/diff.hpp"
#include "measure/report/formats.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <clocale>
#include <iostream>
#include <langinfo.h>
#include <unistd.h>

namespace kg {

namespace {

/// Returns true if the locale of the environment uses UTF-8.
bool terminal_is_utf8() {
    std::setlocale(LC_CTYPE, "");
    const bool utf8 = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
    std::setlocale(LC_CTYPE, "C");
    return utf8;
}

measure::TerminalStyle style_of_stdout() {
    return {static_cast<int>(terminal_columns(STDOUT_FILENO)), terminal_colours(STDOUT_FILENO),
            terminal_is_utf8()};
}

/// Writes it to each file. Returns the errors; the files that failed are no longer in `outputs`.
std::vector<Error> write_reports(std::vector<std::string>& outputs, const measure::BenchReport& report) {
    std::vector<Error> failures;
    std::erase_if(outputs, [&](const std::string& file) {
        try {
            write_file(file, report_as(file, report)); // in the format of its extension
            return false;
        } catch (const Error& error) {
            failures.push_back(error);
            return true;
        }
    });
    return failures;
}

} // namespace

void check_report(const std::string& file, std::span<const std::string> inputs) {
    if (!is_report_name(file)) throw bad_report_name(file);
    const auto folder = std::filesystem::absolute(file).parent_path();
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error("no-folder", "there is no folder {} for the report {}", kg::quoted(folder),
                    kg::quoted(file));
    if (!std::filesystem::exists(file, ignored) && ::access(folder.c_str(), W_OK) != 0)
        throw Error("cannot-write", "the report {} cannot be written: the folder {} is not writable",
                    kg::quoted(file), kg::quoted(folder));
    refuse_overwriting(file, inputs);
}

int deliver(const measure::BenchReport& report, std::vector<std::string> outputs, const Switches& switches,
            const Interrupts& interrupts) {
    // The files are written before anything is printed: the reader of a pipe may close it after one line.
    // Failures are reported after the results, so that the measurement is never lost.
    const auto failures = write_reports(outputs, report);
    if (switches.json) std::cout << measure::to_json(report);
    else std::cout << measure::to_terminal(report, style_of_stdout());
    if (interrupts.received()) switches.note("stopped; the report contains the rows measured so far");
    else if (!report.complete)
        switches.note(std::to_string(std::ranges::count(report.rows, measure::Verdict::stopped,
                                                        &measure::ReportRow::verdict)) +
                      " of " + measure::counted(report.rows.size(), "row") +
                      " were not measured, because the time limit was reached; raise --seconds");
    for (const auto& file : outputs) switches.note("wrote " + kg::quoted(file));
    for (const auto& failure : failures)
        if (&failure == &failures.back()) throw failure;
        else print_error(failure);
    return interrupts.received() && !report.complete ? interrupts.exit_code() : kDone;
}

int show_difference(const std::string& old_file, const std::string& new_file, double bound, bool json) {
    const std::string files[] = {old_file, new_file};
    refuse_shared_stream(files);
    const auto read = [](const std::string& file) {
        return measure::from_json(read_text_input(file), input_name(file));
    };
    const auto old = read(old_file), now = read(new_file);
    const auto difference = measure::diff(old, now, bound);
    std::cout << (json ? measure::to_json(difference) : measure::to_terminal(difference, style_of_stdout()));
    if (difference.compared() == 0) return kUsage; // must not read as a tie
    return difference.regressions() > 0 ? kDifferent : kDone;
}

} // namespace kg
