#pragma once
// Turns inputs, an output folder, a recipe and settings into a job that can be run, for the command and for
// the window.

#include "app/batch/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kg::batch {

struct BatchJobOptions : JobOptions {
    InputOptions inputs; ///< with the output folder and the stop token for finding and deciding
    std::string name{kDefaultTemplate};
    OnExists on_exists = OnExists::fail;
    bool redo = false;
    Shard shard{};
    int images = 0;            ///< at a time; 0 = as many as threads
    int threads = 0;           ///< 0 = one per core
    std::size_t in_flight = 0; ///< bytes; 0 = default_in_flight()
    std::optional<std::size_t> most_errors{};
};

/// Bytes of images in flight for a machine with this memory that processes so many images at a time: a
/// quarter of the memory, at most 4 GiB, or 1 GiB for each image, which is what floats of 45 megapixels
/// take.
std::size_t default_in_flight(std::size_t memory, int images);

struct BatchJob {
    PlanOptions plan;
    RunOptions run; ///< the caller chooses its engine
    std::vector<Task> tasks{};
    std::vector<Missing> missing{};
    Skipped skipped{};
    std::unique_ptr<Journal> journal{};     ///< null if nothing is to be written
    std::unique_ptr<FailureLog> failures{}; ///< set where there is a journal
    /// Lines of journals that could not be read; known once the job is decided.
    std::size_t damaged_lines = 0;
};

/// Finds the inputs and names the outputs. Nothing is decided yet, and there may be no task. Reads files but
/// writes nothing. Throws Error if names collide, if an input would be replaced, or if the output folder is
/// one of the inputs.
BatchJob find_job(const BatchJobOptions& options);

/// Decides for each task whether it is wanted, and drops those of other shards. Writes nothing. If the job
/// `writes`, an existing journal is opened, which throws Error while another process has it open.
void decide_job(BatchJob& job, bool writes);

/// Prepares the job for writing: creates the output folder and its journal where they do not exist, which
/// throws Error as above, and logs the tasks that are refused.
void open_job(BatchJob& job);

/// Bytes of the inputs of the wanted tasks.
std::uint64_t wanted_bytes(std::span<const Task> tasks);

} // namespace kg::batch
