#include "app/batch/run/banded_task.hpp"

#include "app/batch/run/work.hpp"
#include "app/process/bands/bands.hpp"
#include "app/process/file/hash.hpp"
#include "app/process/file/input_watch.hpp"
#include "app/process/file/output_folder.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace kg::batch {

BandedTask do_in_bands(const RunOptions& options, const std::shared_ptr<Engine>& counter, std::size_t needed,
                       int threads, FileResult& result) {
    const auto& task = *result.task;
    const auto& path = task.input.path;
    const auto target = options.out / task.output;
    const InputWatch watch(path);
    BandsOptions bands{static_cast<const JobOptions&>(options), task.format, quoted(target),
                       options.bytes_in_flight};
    bands.write.threads = threads;
    bands.counter = counter;
    BandedTask banded;
    BandsOutcome done;
    std::chrono::steady_clock::time_point filtered;
    try {
        const auto fill = [&](ByteSink& file) {
            done = filter_in_bands(path, bands, file, options.cancel);
            result.output_bytes = file.size();
            filtered = std::chrono::steady_clock::now();
        };
        if (!options.journal) {
            NullSink nowhere;
            fill(nowhere);
        } else {
            make_folder_of(target);
            banded.output = std::make_unique<GrowingFile>(target, fill, options.journal->tag());
            result.output_hash = hash_of_file(banded.output->place());
        }
    } catch (const NotByRows& reason) {
        throw no_bands_error(quoted(path), reason, needed, options.largest_image, "--in-flight");
    }
    const auto written = std::chrono::steady_clock::now();
    result.seconds.write += seconds_between(filtered, written);
    result.input_hash = hash_of_file(path);
    banded.input = watch.stamp();
    result.input_bytes = watch.before()->bytes;
    result.seconds.read += seconds_since(written);
    result.output_format = format_of(task.format).id;
    take_notes(done.source, result);
    done.input_format = done.source.format;
    done.notes.push_back(bands_text(done.bands, needed, options.largest_image));
    result.add(std::move(done));
    return banded;
}

} // namespace kg::batch
