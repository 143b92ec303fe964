#pragma once
// A report as JSON, schema kernelglass-bench/1: described in docs/bench.schema.json and docs/json.md.

#include "measure/report/report.hpp"

#include <string>
#include <string_view>

namespace kg::measure {

/// One row per line, so that files can be compared by line. from_json() returns the same report, bit for bit,
/// if its texts are UTF-8 (other bytes become U+FFFD) and its times are finite. An infinite max_error or
/// error_bound is null, as are unknown values.
std::string to_json(const Report& report);

/// Ignores unknown keys. Throws Error naming `name` and the place if the text is not such a report: old.json:
/// rows[3].median_us: a number is expected here, not a text.
Report from_json(std::string_view text, const std::string& name);

} // namespace kg::measure
