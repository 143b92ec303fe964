#pragma once
// What is to be done for each input: where its output goes, and whether it is there already.

#include "app/batch/plan/inputs.hpp"
#include "app/batch/plan/journal.hpp"
#include "app/batch/plan/names.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

/// What becomes of an output whose name a file has that the journal does not know as the same job's.
enum class OnExists : std::uint8_t { fail, skip, overwrite, rename };

struct Shard {
    std::uint64_t number = 1, of = 1; ///< from 1
};

struct PlanWish {
    std::filesystem::path out;
    NameTemplate name;
    std::string format;      ///< to write, an id or ending; empty = by the name
    std::string recipe_name; ///< of {recipe}
    std::string job;         ///< hash of all that decides about the bytes
    OnExists on_exists = OnExists::fail;
    bool redo = false; ///< also what is up to date
    Shard shard;
    std::stop_token stop{}; ///< ends the deciding
};

struct Task {
    enum class State : std::uint8_t {
        wanted,
        up_to_date, ///< the journal proves that the output is what this job makes of this input
        kept,       ///< something has the name, and is to stay
        refused     ///< something has the name, which was not expected
    };
    Input input;
    std::filesystem::path name;   ///< planned, relative to the output folder
    std::filesystem::path output; ///< the same, or a free one where files are renamed
    std::string format;           ///< to write: id or ending
    State state = State::wanted;
    bool may_replace = false;
};

/// In the order of the inputs; nothing is decided yet. Throws Error if two outputs would have one name, or if one would replace
/// an input, Cancelled when stopped. Looks at files, but writes nothing.
std::vector<Task> name_tasks(std::vector<Input> inputs, const PlanWish& wish);

/// What is to be done for each; drops those of other shards. Reads files whose stamps the journal does not know. Throws Cancelled
/// when stopped.
void decide_tasks(std::vector<Task>& tasks, const PlanWish& wish, const JournalRecord& record);

/// `most` of them, from all over the list.
std::vector<Task> sample_of(std::vector<Task> tasks, std::size_t most);

} // namespace kg::batch
