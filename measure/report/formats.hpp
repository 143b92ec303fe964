#pragma once
// A report in each of its formats. JSON, schema kernelglass-bench/1, is described in docs/bench.schema.json
// and docs/json.md.

#include "measure/report/report.hpp"
#include "measure/report/terminal_text.hpp"

#include <string>
#include <string_view>

namespace kg::measure {

/// One row per line, so that files can be compared by line. from_json() returns the same report, bit for bit,
/// if its texts are UTF-8 (other bytes become U+FFFD) and its times are finite. An infinite max_error or
/// error_bound is null, as are unknown values.
std::string to_json(const BenchReport& report);

/// Ignores unknown keys. Throws Error naming `name` and the place if the text is not such a report: old.json:
/// rows[3].median_us: a number is expected here, not a text.
BenchReport from_json(std::string_view text, const std::string& name);

/// For a terminal: the verdict, each request's algorithms from the fastest to the slowest with bars, and a
/// summary of all requests. Lines that fit the style's width; the last one ends with a newline.
std::string to_terminal(const BenchReport& report, const TerminalStyle& style);

/// One self-contained page, which loads nothing: the verdict, the fastest algorithm by kernel size, where
/// another library is faster, charts, the machine, and every row. Light or dark as the reader's system;
/// readable without a script.
std::string to_html(const BenchReport& report);

/// The rows of the JSON document for spreadsheets and data frames, by RFC 4180 in UTF-8: a header with a
/// row's keys, then a line for each row. A null becomes an empty cell; several algorithms that tie are joined
/// by a semicolon.
std::string to_csv(const BenchReport& report);

/// To be pasted into an issue or a page: the verdict; the machine; the fastest algorithm by kernel size and
/// where another library is faster; a table for each request. Tables in GitHub's syntax.
std::string to_markdown(const BenchReport& report);

} // namespace kg::measure
