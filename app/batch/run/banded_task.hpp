#pragma once
// A task of a job that is done in bands of rows (bands.hpp), because its image does not fit in memory.

#include "app/batch/run/run.hpp"
#include "app/io/files/files.hpp"
#include "app/io/files/growing_file.hpp"

#include <cstddef>
#include <memory>

namespace kg::batch {

struct BandedTask {
    FileStamp input;                     ///< as the journal records it
    std::unique_ptr<GrowingFile> output; ///< waits for its name; null if nothing is written
};

/// Reads, filters and encodes the task of `result` and fills the rest of it, also the times. `counter` counts
/// the clipped samples in host memory; `needed` is the number of bytes that the whole image would take; up to
/// `threads` threads compress. Throws Error, and Cancelled if options.cancel is requested.
BandedTask do_in_bands(const RunOptions& options, const std::shared_ptr<Engine>& counter, std::size_t needed,
                       int threads, FileResult& result);

} // namespace kg::batch
