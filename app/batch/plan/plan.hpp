#pragma once
// Decides for each input where its output goes, and whether it is up to date.

#include "app/batch/plan/inputs.hpp"
#include "app/batch/plan/journal.hpp"
#include "app/batch/plan/names.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

/// What happens to an existing file with an output's name that the journal does not attribute to the same
/// job.
enum class OnExists : std::uint8_t { fail, skip, overwrite, rename };

struct Shard {
    std::uint64_t number = 1, of = 1; ///< from 1
};

struct PlanOptions {
    std::filesystem::path out;
    NameTemplate name;
    std::string format;      ///< to write, an id or extension; empty = by the name
    std::string recipe_name; ///< value of {recipe}
    std::string job;         ///< hash of everything that determines the bytes
    OnExists on_exists = OnExists::fail;
    bool redo = false; ///< redo outputs that are up to date
    Shard shard;
    std::stop_token stop{}; ///< cancels the decision
};

struct Task {
    enum class State : std::uint8_t {
        wanted,
        up_to_date, ///< the journal verifies that this job made the output from this input
        kept,       ///< a file has the name and is kept
        refused     ///< a file has the name unexpectedly
    };
    Input input;
    std::filesystem::path name;   ///< planned, relative to the output folder
    std::filesystem::path output; ///< the same, or a free name where files are renamed
    std::string format;           ///< to write: id or extension
    State state = State::wanted;
    bool may_replace = false;
};

/// Names the outputs in the order of the inputs; nothing is decided yet. Throws Error if two outputs would
/// have the same name, or if one would replace an input, Cancelled when stopped. Reads files but writes
/// nothing.
std::vector<Task> name_tasks(std::vector<Input> inputs, const PlanOptions& options);

/// Decides each task and drops those of other shards. Reads files whose stamps are not in the journal. Throws
/// Cancelled when stopped.
void decide_tasks(std::vector<Task>& tasks, const PlanOptions& options, const JournalRecord& record);

/// At most `most` tasks, spread over the list.
std::vector<Task> sample_of(std::vector<Task> tasks, std::size_t most);

} // namespace kg::batch
