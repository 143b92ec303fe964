#pragma once
// One file on its way through a run, and the steps of it that need nothing but what the run was asked for.

#include "app/batch/run/run.hpp"
#include "app/process/job.hpp"
#include "app/io/files/growing_file.hpp"
#include "core/support/thread.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace kg::batch {

/// Only one thread has it at a time; the mutex hands what it wrote to the next one.
struct FileOnWay {
    FileResult result;
    std::mutex mutex;
    std::size_t bytes_taken = 0;
    std::size_t bytes_owed = 0; ///< to be taken before it goes on
    bool is_decoded = false;
    FileStamp input_stamp;
    std::string bytes; ///< of the input, then of the output
    Picture picture;
    ImageRequest request;
    Outcome outcome;
    bool in_bands = false; ///< it needs more memory than there is
    bool given_up = false; ///< as if it had not been begun
    std::size_t bytes_needed = 0;
    std::unique_ptr<GrowingFile> pending; ///< what is on the disk already
};

inline double seconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Whatever goes wrong is this file's failure, in a sentence that names it.
template <typename Does>
void attempt(FileOnWay& work, double StageTimes::*seconds, Does does) {
    const std::lock_guard lock(work.mutex);
    if (!work.result.error.empty()) return;
    const auto began = std::chrono::steady_clock::now();
    const auto waited = work.result.seconds.wait;
    try {
        does(work);
    } catch (const std::bad_alloc&) {
        work.result.error = "there is not enough memory";
    } catch (const std::exception& error) {
        work.result.error = message_of(error);
    }
    const auto name = quoted(work.result.task->input.path);
    if (auto& error = work.result.error; !error.empty() && error.find(name) == std::string::npos)
        error = name + ": " + error;
    work.result.seconds.*seconds += seconds_since(began) - (work.result.seconds.wait - waited);
}

/// From bytes to a picture and the request for its result. Throws Error.
void decode(FileOnWay& work, const RunWish& wish);

/// From the outcome to bytes. Throws Error.
void encode(FileOnWay& work, const RunWish& wish);

/// From bytes to a file that has its name, if there is a journal. Throws Error.
void store(FileOnWay& work, const RunWish& wish);

} // namespace kg::batch
