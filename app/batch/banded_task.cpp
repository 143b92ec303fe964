#include "app/batch/banded_task.hpp"

#include "app/batch/bands.hpp"
#include "app/batch/hash.hpp"
#include "app/batch/input_watch.hpp"
#include "app/batch/output_folder.hpp"
#include "core/error.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg::batch {

BandedTask do_in_bands(const RunWish& wish, std::size_t needed, FileResult& result) {
    const auto& task = *result.task;
    const auto& path = task.input.path;
    const auto target = wish.out / task.output;
    const InputWatch watch(path);
    const BandsWish bands{wish.recipe, wish.choice, wish.algorithm, wish.read,
                          wish.write,  task.format, quoted(target), wish.bytes_in_flight};
    BandedTask banded;
    BandsDone done;
    try {
        const auto fill = [&](ByteSink& file) {
            done = filter_in_bands(path, bands, file);
            result.output_bytes = file.size();
        };
        if (!wish.journal) {
            NullSink nowhere;
            fill(nowhere);
        } else {
            make_folder_of(target);
            banded.output = std::make_unique<GrowingFile>(target, fill, wish.journal->tag());
            result.output_hash = hash_of_file(banded.output->place());
        }
    } catch (const NotByRows& reason) {
        throw Error("cannot open " + quoted(path) + ": it needs " + memory_text(needed) +
                    " of memory, and the limit is " + memory_text(wish.largest_picture) +
                    "; nor can it be done in bands of rows: " + reason.what() +
                    "; --in-flight sets another limit");
    }
    result.input_hash = hash_of_file(path);
    banded.input = watch.stamp();
    result.input_bytes = watch.before()->bytes;
    result.input_format = done.picture.format;
    result.output_format = format_of(task.format).id;
    result.damage = done.damage;
    take_notes(done.picture, result);
    std::ranges::move(done.notes, std::back_inserter(result.notes));
    result.notes.push_back(bands_text(done.bands, needed, wish.largest_picture));
    result.engine = done.engine->device().id;
    result.algorithm = done.algorithm;
    result.size = done.size;
    result.pixels = done.pixels;
    result.seconds += done.seconds;
    result.seconds.filter -= done.seconds.decode + done.seconds.filter + done.seconds.encode; // counts again
    return banded;
}

} // namespace kg::batch
