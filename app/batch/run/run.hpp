#pragma once
// The work itself: read, decode, filter, encode, write, many pictures at a time, bounded by the memory that they take.

#include "app/batch/plan/failures.hpp"
#include "app/batch/run/load.hpp"
#include "app/batch/run/pause.hpp"
#include "app/batch/plan/plan.hpp"
#include "app/process/stage_times.hpp"
#include "app/process/engines.hpp"
#include "app/process/clipping.hpp"
#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

struct RunWish {
    Recipe recipe;
    EngineChoice choice;
    std::vector<std::shared_ptr<Engine>> further{}; ///< that take turns with it: the machine's other GPUs
    std::string algorithm;                          ///< forced; empty = any
    ReadOptions read;
    WriteOptions write; ///< the metadata are each picture's own
    std::filesystem::path out;
    std::string job;
    Journal* journal = nullptr;     ///< null: nothing is written, for rehearsals
    FailureLog* failures = nullptr; ///< where failures are kept; null: nowhere
    /// Where engine and journal are still on their way: waits for them, and sets them in here. It is called once, by a thread of its own,
    /// while pictures are read and decoded, and before any is seen or written; what it throws ends the run.
    std::function<void(RunWish&)> get_ready{};
    int pictures = 1; ///< at a time; half as many more where they wait for a GPU
    /// Beside a window: all threads are started by the one that calls and inherit its priority, and oneTBB's, which compute what the
    /// window shows, have no part in it.
    bool in_background = false;
    std::size_t bytes_in_flight =
        0; ///< what the pictures on their way take together; one that needs more goes alone
    std::size_t largest_picture = 0;          ///< bytes; one that needs more is refused
    std::optional<std::size_t> most_errors{}; ///< so many failures end the work
    /// While set no further file is begun, and those that are begun are brought to an end. Null: never.
    Pause* pause = nullptr;
    /// A picture that is done in bands, which takes long, is given up when this asks for it, as if it had not been begun.
    std::stop_token give_up{};
    /// For rehearsals: is shown each picture, as the file to write has its colours, and the result. From any thread.
    std::function<void(const Task&, const ConstImageView& picture, const ConstImageView& result)> look{};
};

struct FileResult {
    const Task* task = nullptr;
    std::string error; ///< a sentence; empty = done
    Extent size{};
    PixelFormat pixels{};                    ///< of the output
    std::string input_format, output_format; ///< ids
    std::string input_hash, output_hash;
    std::uint64_t input_bytes = 0, output_bytes = 0;
    std::string engine, algorithm;
    std::ptrdiff_t device = 0;          ///< of those that take turns; the first is 0
    std::vector<std::string> notes;     ///< what was converted, left out or done otherwise than asked
    std::string damage;                 ///< why a part of the input is missing; empty = whole
    std::optional<Clipping> clipping{}; ///< of pixels all over the picture; empty = not known
    StageTimes seconds;
    Load load; ///< of the whole run by now
};

/// What a picture's notes say beside what it is.
void take_notes(const Picture& picture, FileResult& result);

/// What a run came to; files that are not among them were not begun.
struct RunResult {
    std::size_t done = 0, failed = 0;
    bool stopped = false; ///< by a token or by too many errors
    double share = 1;     ///< of the processor, that it got of what it asked for
};

/// Does the tasks that are wanted. A file that fails does not stop the others. The token stops the beginning of further files;
/// those that are begun are brought to an end. `sink` is called once for every file, from any thread, one call at a time. Throws Error
/// where no file could be done.
RunResult run_tasks(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& stop,
                    const std::function<void(const FileResult&)>& sink);

} // namespace kg::batch
