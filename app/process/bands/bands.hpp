#pragma once
// Filters an image that does not fit in memory: its rows are read, filtered and written a band at a time,
// with the bytes of the whole image (semantics 13). If memory allows, a band is read and another one written
// while one is filtered.

#include "app/io/row_files.hpp"
#include "app/process/job.hpp"
#include "core/support/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct BandsOptions : JobOptions {
    std::string format{};               ///< the output's: id or extension
    std::string name{};                 ///< the output's, in messages
    std::size_t memory = 0;             ///< limit in bytes, besides a few MiB for codecs
    std::int64_t most_rows = INT64_MAX; ///< per band; at least the algorithm's row quantum is used
    /// Counts what is clipped, in host memory. May be null.
    std::shared_ptr<Engine> counter{};
    std::string input_name{}; ///< in messages; empty = its path
    /// Receives the number of rows written, and the total, in the caller's thread.
    std::function<void(std::int64_t rows, std::int64_t of)> progress{};
    /// Receives the number of rows known to be opaque, and the total, while alpha is read.
    std::function<void(std::int64_t rows, std::int64_t of)> alpha_progress{};
};

struct BandsOutcome : JobOutcome {
    LoadedImage source; ///< the input, without its pixels
};

/// Writes to `out` the file that encode_result() would make of the image in `in`. Throws NotByRows with the
/// reason if the formats, the recipe or the memory do not allow it ("it is interlaced"), Error naming the
/// file, Cancelled.
BandsOutcome filter_in_bands(const std::filesystem::path& in, const BandsOptions& options, ByteSink& out,
                             const std::stop_token& stop = {});

/// "Done in 37 bands of rows, because it needs 10.2 GiB of memory, and the limit is 1 GiB"
std::string bands_text(std::int64_t bands, std::size_t needed, std::size_t limit);
/// "cannot open NAME: it needs 10.2 GiB of memory, and the limit is 1 GiB; nor can it be done in bands of
/// rows: REASON; FLAG sets another limit", with the reason's code
Error no_bands_error(std::string_view name, const NotByRows& reason, std::size_t needed, std::size_t limit,
                     std::string_view flag);

} // namespace kg
