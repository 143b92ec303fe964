#pragma once
// `filter` for an image that does not fit into memory: in bands of rows (app/process/bands/bands.hpp).

#include "app/cli/jobs/filter_options.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace kg {

/// Reads `place`, a file (empty for a pipe), writes the output and prints the notes, but not the report.
/// `needed` and `limit` are in bytes. Throws Error, also if the image cannot be filtered in bands, and
/// Cancelled.
JobOutcome filter_large(const FilterOptions& options, const std::string& place, std::size_t needed,
                        std::size_t limit, const std::stop_token& stop);

} // namespace kg
