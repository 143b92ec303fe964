#pragma once
// From inputs, an output folder, a recipe and settings to work that can be run: the same for the command and the window.

#include "app/batch/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kg::batch {

struct JobWish {
    InputWish inputs; ///< and the output folder, and what stops finding and deciding
    std::string name{kDefaultTemplate};
    OnExists on_exists = OnExists::fail;
    bool redo = false;
    Shard shard{};
    Recipe recipe;
    std::string algorithm{}; ///< forced; empty = any
    ReadOptions read{};
    WriteOptions write{};      ///< the metadata are each picture's own
    int pictures = 0;          ///< at a time; 0 = as many as threads
    int threads = 0;           ///< 0 = as many as there are cores
    std::size_t in_flight = 0; ///< bytes; 0 = a quarter of the memory
    std::optional<std::size_t> most_errors{};
};

struct Job {
    PlanWish plan;
    RunWish run; ///< its engine is chosen by whoever runs it
    std::vector<Task> tasks{};
    std::vector<Missing> missing{};
    Skipped skipped{};
    std::unique_ptr<Journal> journal{};     ///< null: nothing will be written
    std::unique_ptr<FailureLog> failures{}; ///< where there is a journal
    std::size_t damaged_lines = 0;          ///< of journals, once it is decided
};

/// Finds the inputs and names the outputs; nothing is decided yet, and there may be no task at all. Looks at files, but writes
/// nothing. Throws Error where names collide, where an input would be replaced, and where the output folder is one of the inputs.
Job find_job(const JobWish& wish);

/// Says for each task whether it is wanted, and drops those of other shards. Writes nothing; but if it is going to, a journal that
/// is there is opened, which throws Error while another process has it open.
void decide_job(Job& job, bool writes);

/// From now on it writes: makes the output folder and its journal where there are none, which throws Error as above, and keeps in
/// the log of failures what cannot be done.
void open_job(Job& job);

/// Of the inputs of the tasks that are wanted.
std::uint64_t wanted_bytes(std::span<const Task> tasks);

} // namespace kg::batch
