#include "app/batch/run/work.hpp"

#include "app/process/hash.hpp"
#include "app/process/output_folder.hpp"
#include "app/process/file_request.hpp"
#include "app/process/recipe_record.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg::batch {

namespace {

/// Before it has its name: whatever has the name and is not in the journal was not made here.
template <typename File>
void name(const FileOnWay& work, const RunWish& wish, File& file) {
    const auto& task = *work.result.task;
    wish.journal->add({task.name,
                       task.output,
                       wish.job,
                       {work.result.input_hash, work.input_stamp},
                       {work.result.output_hash, file.stamp()}});
    if (!file.take_name(task.may_replace))
        throw Error(quoted(wish.out / task.output) + " has come into being meanwhile; it stays as it is");
}

} // namespace

void take_notes(const Picture& picture, FileResult& result) {
    for (const auto& note : picture.notes)
        if (is_damage_note(note)) result.damage = note;
        else if (!is_plain_note(picture, note)) result.notes.push_back(note);
}

void decode(FileOnWay& work, const RunWish& wish) {
    if (work.in_bands) return;
    const auto& task = *work.result.task;
    auto& result = work.result;
    result.input_hash = hash_of(work.bytes);
    work.picture = decode_picture(work.bytes, quoted(task.input.path), wish.read);
    work.bytes = {};
    auto& picture = work.picture;
    result.input_format = picture.format;
    auto [request, notes, opaque] = file_request(picture, wish.recipe, task.format);
    take_notes(picture, result); // file_request() adds what it converted
    work.request = std::move(request);
    std::ranges::move(notes, std::back_inserter(result.notes));
}

void encode(FileOnWay& work, const RunWish& wish) {
    if (work.in_bands) return;
    auto& result = work.result;
    auto encoded = encode_result(work.outcome.image.view(), work.picture, wish.recipe, result.task->format,
                                 quoted(wish.out / result.task->output), wish.write);
    work.outcome = {};
    work.bytes = std::move(encoded.bytes);
    std::ranges::move(encoded.notes, std::back_inserter(result.notes));
    result.output_format = format_of(result.task->format).id;
    result.output_hash = hash_of(work.bytes);
    result.output_bytes = work.bytes.size();
}

void store(FileOnWay& work, const RunWish& wish) {
    if (!wish.journal) return;
    if (work.pending) return name(work, wish, *work.pending);
    const auto target = wish.out / work.result.task->output;
    make_folder_of(target);
    PendingFile file(target, work.bytes, wish.journal->tag());
    name(work, wish, file);
}

} // namespace kg::batch
