#pragma once
// A report as JSON, schema kernelglass-bench/1: docs/bench.schema.json and docs/json.md describe it.

#include "measure/report/report.hpp"

#include <string>
#include <string_view>

namespace kg::measure {

/// One row a line, so that files can be compared line by line. from_json() gives the same report back, bit for bit, if its
/// texts are UTF-8 (other bytes become U+FFFD) and its times are finite. A max_error or error_bound that is infinite is
/// null, and so is what is not known.
std::string to_json(const Report& report);

/// Keys it does not know are passed over. Throws Error naming `name` and the place if the text is not such a report:
/// old.json: rows[3].median_us: a number is expected here, not a text.
Report from_json(std::string_view text, const std::string& name);

} // namespace kg::measure
