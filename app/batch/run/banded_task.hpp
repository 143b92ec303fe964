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

/// All of it at once. `counter` counts what is clipped, in host memory; `needed`: bytes that it would take as a whole; `threads` may compress. Fills
/// `result`, of which the task is set, the times too. Throws Error, and Cancelled where the run gives up.
BandedTask do_in_bands(const RunOptions& options, const std::shared_ptr<Engine>& counter, std::size_t needed,
                       int threads, FileResult& result);

} // namespace kg::batch
