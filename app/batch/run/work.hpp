#pragma once
// A file in flight, and the stages of it that need only the options of the run.

#include "app/batch/run/run.hpp"
#include "app/io/files/growing_file.hpp"
#include "app/process/file/input_watch.hpp"
#include "app/process/job.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/thread.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace kg::batch {

/// One thread at a time owns it; the mutex publishes its changes to the next one.
struct FileInFlight {
    FileResult result;
    std::mutex mutex;
    std::size_t bytes_taken = 0;
    std::size_t bytes_owed = 0; ///< to be reserved before it continues
    bool is_decoded = false;
    std::optional<InputWatch> watch; ///< of the input, since its memory was reserved
    FileStamp input_stamp;
    bool is_read = true; ///< false for a large file until it is decoded
    std::string bytes;   ///< bytes of the input, later of the output
    LoadedImage image;
    ImageRequest request;
    bool in_bands = false;  ///< it does not fit in memory
    bool cancelled = false; ///< treated as not begun
    std::size_t bytes_needed = 0;
    std::unique_ptr<GrowingFile> pending; ///< on the disk already
};

/// Calls `does`. Any exception becomes this file's error, with a message that names the file.
template <typename Does>
void attempt(FileInFlight& work, double StageTimes::*seconds, Does does) {
    const std::lock_guard lock(work.mutex);
    if (work.result.error) return;
    const auto began = std::chrono::steady_clock::now();
    const auto waited = work.result.seconds.wait;
    try {
        does(work);
    } catch (const std::bad_alloc&) {
        work.result.error = Error("out-of-memory", "there is not enough memory");
    } catch (const std::exception& error) {
        work.result.error = as_error(error);
    }
    const auto name = quoted(work.result.task->input.path);
    if (auto& error = work.result.error;
        error && std::string_view(error->what()).find(name) == std::string::npos)
        error = error->after(name + ": ");
    work.result.seconds.*seconds += seconds_since(began) - (work.result.seconds.wait - waited);
}

/// Copies the notes of an image, except those that only describe it.
void take_notes(const LoadedImage& image, FileResult& result);

/// Reads the input whole. Throws Error, also if it has changed since it was watched.
void read_input(FileInFlight& work, const ReadOptions& options);

/// From bytes, which are read first if they are not yet, to an image, in memory of the source as far as it
/// goes, and the request for its result. Throws Error.
void decode(FileInFlight& work, const RunOptions& options, ImageMemorySource* memory);

/// From the outcome to bytes, compressed by so many threads. Throws Error.
void encode(FileInFlight& work, const RunOptions& options, int threads);

/// Writes the bytes to a named file, if there is a journal. Throws Error.
void store(FileInFlight& work, const RunOptions& options);

} // namespace kg::batch
