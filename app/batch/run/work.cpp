#include "app/batch/run/work.hpp"

#include "app/process/file/file_request.hpp"
#include "app/process/file/hash.hpp"
#include "app/process/file/output_folder.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg::batch {

namespace {

/// Checked before the file gets its name: an existing file that is not in the journal was not made by this
/// job.
template <typename File>
void name(const FileInFlight& work, const RunOptions& options, File& file) {
    const auto& task = *work.result.task;
    options.journal->add({task.name,
                          task.output,
                          options.job,
                          {work.result.input_hash, work.input_stamp},
                          {work.result.output_hash, file.stamp()}});
    if (!file.take_name(task.may_replace))
        throw Error("created-meanwhile", "{} was created meanwhile by another program; it is not replaced",
                    quoted(options.out / task.output));
}

} // namespace

void take_notes(const LoadedImage& image, FileResult& result) {
    result.damage = image.damage;
    for (const auto& note : image.notes)
        if (!is_plain_note(image, note)) result.notes.push_back(note);
}

void read_input(FileInFlight& work, const ReadOptions& options) {
    const auto& path = work.result.task->input.path;
    work.bytes = read_file(path, image_limits(quoted(path), options));
    work.input_stamp = work.watch->stamp(work.bytes.size());
    work.result.input_bytes = work.bytes.size();
    work.is_read = true;
}

void decode(FileInFlight& work, const RunOptions& options, ImageMemorySource* memory) {
    if (work.in_bands) return;
    if (!work.is_read) read_input(work, options.read);
    const auto& task = *work.result.task;
    auto& result = work.result;
    result.input_hash = hash_of(work.bytes);
    auto read = options.read;
    read.memory = memory;
    work.image = decode_image(work.bytes, quoted(task.input.path), read);
    work.bytes = {};
    auto& image = work.image;
    result.input_format = image.format;
    auto [request, notes, opaque] = file_request(image, options.recipe, task.format, memory);
    take_notes(image, result); // file_request() adds what it converted
    work.request = std::move(request);
    result.opaque = opaque;
    std::ranges::move(notes, std::back_inserter(result.notes));
}

void encode(FileInFlight& work, const RunOptions& options, int threads) {
    if (work.in_bands) return;
    auto& result = work.result;
    auto write = options.write;
    write.threads = threads;
    auto encoded = encode_result(result.image.view(), work.image, options.recipe, result.task->format,
                                 quoted(options.out / result.task->output), write);
    result.image = {};
    work.bytes = std::move(encoded.bytes);
    std::ranges::move(encoded.notes, std::back_inserter(result.notes));
    result.output_format = format_of(result.task->format).id;
    result.output_hash = hash_of(work.bytes);
    result.output_bytes = work.bytes.size();
}

void store(FileInFlight& work, const RunOptions& options) {
    if (!options.journal) return;
    if (work.pending) return name(work, options, *work.pending);
    const auto target = options.out / work.result.task->output;
    make_folder_of(target);
    PendingFile file(target, work.bytes, options.journal->tag());
    name(work, options, file);
}

} // namespace kg::batch
