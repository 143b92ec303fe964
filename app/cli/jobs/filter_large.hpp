#pragma once
// `filter` for an image that does not fit into memory: in bands of rows (app/process/bands/bands.hpp).

#include "app/cli/jobs/filter_report.hpp"
#include "app/process/engine/engines.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace kg {

/// Memory limit for an image as a whole: --memory if the engine computes in host memory, or else the limit of
/// the machine for one image.
std::size_t image_limit(const FilterOptions& options, const EngineChoice& choice);

/// The lowest value of that limit for any engine.
std::size_t lowest_image_limit(const FilterOptions& options);

/// The path of an input that can be read repeatedly and at any position: a file, also as standard input.
/// Empty for pipes.
std::string seekable_path(const std::string& in);

/// Reads `place`, writes the output and prints the notes, but not the report. `needed` and `limit` are in
/// bytes. Throws Error, also if the image cannot be filtered in bands, and Cancelled.
JobOutcome filter_large(const FilterOptions& options, const std::string& place, std::size_t needed,
                        std::size_t limit, const std::stop_token& stop);

} // namespace kg
