#pragma once
// Runs a batch: reads, decodes, filters, encodes and writes many images at a time, within a memory budget.

#include "app/batch/plan/failures.hpp"
#include "app/batch/plan/plan.hpp"
#include "app/batch/run/load.hpp"
#include "app/batch/run/pause.hpp"
#include "app/process/job.hpp"
#include "core/support/error.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

struct RunOptions : JobOptions {
    std::vector<std::shared_ptr<Engine>> further{}; ///< the machine's other GPUs, used in turn
    std::filesystem::path out;
    std::string job;
    Journal* journal = nullptr;     ///< null: nothing is written, for dry runs
    FailureLog* failures = nullptr; ///< log of failures; may be null
    /// Waits for an engine and a journal that are not ready yet, and sets them in the options. Called once,
    /// in a thread of its own, while images are read and decoded, before any is inspected or written. An
    /// exception ends the run.
    std::function<void(RunOptions&)> get_ready{};
    int images = 1; ///< at a time; half as many more if they wait for a GPU
    /// For use beside a window: the caller starts all threads, which inherit its priority. The threads of
    /// oneTBB, which compute what the window shows, are not used.
    bool in_background = false;
    /// Memory of the images in flight together. An image that needs more runs alone.
    std::size_t bytes_in_flight = 0;
    std::size_t largest_image = 0;            ///< bytes; a larger image is refused
    std::optional<std::size_t> most_errors{}; ///< the number of failures that ends the run
    /// While set, no further file is begun; files in flight are completed. May be null.
    Pause* pause = nullptr;
    /// Cancels an image that is done in bands, which takes long, as if it had not been begun.
    std::stop_token cancel{};
    /// For dry runs: receives each image, in the colours of the file to write, and the result. Called from
    /// any thread.
    std::function<void(const Task&, const LoadedImage& image, const ConstImageView& result)> inspect{};
};

/// The outcome of one file of a batch. The image is empty once it is encoded.
struct FileResult : JobOutcome {
    const Task* task = nullptr;
    std::optional<Error> error; ///< empty = done
    std::string input_hash, output_hash;
    std::uint64_t input_bytes = 0, output_bytes = 0;
    std::ptrdiff_t device = 0; ///< index of the GPU; the first is 0
    Load load;                 ///< load of the whole run so far
};

/// The result of a run; files that are in none of its counts were not begun.
struct RunResult {
    std::size_t done = 0, failed = 0;
    bool stopped = false; ///< by a token or by too many errors
};

/// Runs the wanted tasks. A file that fails does not stop the others. The token prevents further files from
/// being begun; files in flight are completed. `sink` is called once for every file, from any thread, one
/// call at a time. Throws Error if no file could be done.
RunResult run_tasks(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& stop,
                    const std::function<void(const FileResult&)>& sink);

} // namespace kg::batch
