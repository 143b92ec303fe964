#include "app/batch/run/banded_task.hpp"

#include "app/process/bands/bands.hpp"
#include "app/process/hash.hpp"
#include "app/process/input_watch.hpp"
#include "app/process/output_folder.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace kg::batch {

namespace {

/// Seconds since it was asked last, or made.
class Stopwatch {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<double>(now - std::exchange(began_, now)).count();
    }

private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void take(BandsDone& done, FileResult& result) {
    result.input_format = done.picture.format;
    result.damage = done.damage;
    take_notes(done.picture, result);
    std::ranges::move(done.notes, std::back_inserter(result.notes));
    result.engine = done.engine->device().id;
    result.algorithm = done.algorithm;
    result.size = done.size;
    result.pixels = done.pixels;
    result.clipping = done.clipping;
    result.seconds += done.seconds;
}

} // namespace

BandedTask do_in_bands(const RunWish& wish, const std::shared_ptr<Engine>& counter, std::size_t needed,
                       FileResult& result) {
    const auto& task = *result.task;
    const auto& path = task.input.path;
    const auto target = wish.out / task.output;
    const InputWatch watch(path);
    BandsWish bands{wish.recipe, wish.choice, wish.algorithm, wish.read,
                    wish.write,  task.format, quoted(target), wish.bytes_in_flight};
    bands.counter = counter;
    BandedTask banded;
    BandsDone done;
    Stopwatch watch_of_stages;
    try {
        const auto fill = [&](ByteSink& file) {
            done = filter_in_bands(path, bands, file, wish.give_up);
            result.output_bytes = file.size();
            watch_of_stages.lap();
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
        throw Error(no_bands_text(quoted(path), reason.what(), needed, wish.largest_picture, "--in-flight"));
    }
    result.seconds.write += watch_of_stages.lap();
    result.input_hash = hash_of_file(path);
    banded.input = watch.stamp();
    result.input_bytes = watch.before()->bytes;
    result.seconds.read += watch_of_stages.lap();
    result.output_format = format_of(task.format).id;
    take(done, result);
    result.notes.push_back(bands_text(done.bands, needed, wish.largest_picture));
    return banded;
}

} // namespace kg::batch
