#pragma once
// `filter` of a picture for which there is not enough memory: in bands of rows (app/process/bands/bands.hpp).

#include "app/cli/jobs/filter_report.hpp"
#include "app/process/engines.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace kg {

/// The most that a picture may take as a whole: --memory where the engine computes in the same memory, else what the machine has
/// for one.
std::size_t most_memory(const FilterOptions& options, const EngineChoice& choice);

/// The least that it can be, whoever computes.
std::size_t least_memory(const FilterOptions& options);

/// Where a picture can be read again and again, a piece at a time: a file, also one that standard input is. Empty for pipes.
std::string place_of(const std::string& in);

/// Reads `place`, writes the output and says what there is to say but for the report. `needed` and `limit` are bytes. Throws Error,
/// also where it cannot be done in bands, and Cancelled.
FilterDone filter_large(const FilterOptions& options, const Recipe& recipe, const EngineChoice& choice,
                        const std::string& place, std::size_t needed, std::size_t limit,
                        const std::stop_token& stop);

} // namespace kg
