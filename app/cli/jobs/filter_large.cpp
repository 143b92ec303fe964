#include "app/cli/jobs/filter_large.hpp"

#include "app/cli/flags/streams.hpp"
#include "app/cli/terminal/image_notes.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/io/files/filled_file.hpp"
#include "app/process/bands/bands.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace kg {

namespace {

/// The format of the input, for an output to standard output.
std::string format_of_file(const std::string& place) {
    constexpr std::size_t kStart = 16;
    const auto* format = format_of_bytes(FileBytes(place).read_string(0, kStart));
    return format ? std::string(format->id) : std::string();
}

/// The engine without its own memory limit: the bands already keep within the limit.
EngineChoice without_limit(const FilterOptions& o, const EngineChoice& choice) {
    auto options = o.flags.engine_options;
    if (!choice.engine->device().host_memory || options.memory == 0) return choice;
    options.engine = "cpu";
    options.memory = 0;
    auto unlimited = choose_engine(options);
    unlimited.reason = choice.reason;
    return unlimited;
}

void write_out(const std::string& out, const std::function<void(ByteSink&)>& fill) {
    if (out == kStandardStream) write_filled_descriptor(STDOUT_FILENO, output_name(out), fill);
    else write_filled_file(out, fill);
}

} // namespace

JobOutcome filter_large(const FilterOptions& o, const std::string& place, std::size_t needed,
                        std::size_t limit, const std::stop_token& stop) {
    BandsOutcome done;
    BandsOptions options;
    static_cast<JobOptions&>(options) = o;
    options.choice = without_limit(o, o.choice);
    try {
        if (place.empty()) throw NotByRows("read-from-a-pipe", "it is read from a pipe, not from a file");
        options.format = output_format(o.out, o.write, o.out == kStandardStream ? format_of_file(place) : "");
        options.name = output_name(o.out);
        options.memory = limit;
        options.input_name = input_name(o.in);
        ProgressBar bar(!o.switches.quiet);
        const auto show = [&bar](std::int64_t rows, std::int64_t of, const std::string& whose) {
            bar.show(static_cast<double>(rows), static_cast<double>(of),
                     whose + std::to_string(rows) + " of " + counted(static_cast<std::size_t>(of), "row"));
        };
        options.progress = [show](std::int64_t rows, std::int64_t of) { show(rows, of, ""); };
        options.alpha_progress = [show](std::int64_t rows, std::int64_t of) { show(rows, of, "alpha of "); };
        write_out(o.out, [&](ByteSink& file) { done = filter_in_bands(place, options, file, stop); });
    } catch (const NotByRows& reason) {
        throw no_bands_error(input_name(o.in), reason, needed, limit, "--memory");
    }
    auto& source = done.source;
    source.damage = done.damage;
    report_notes(o.switches, input_name(o.in), source);
    done.notes.push_back(bands_text(done.bands, needed, limit));
    for (const auto& note : done.notes) o.switches.note(note);
    done.reason = options.choice.with_reason(done.reason, *done.engine);
    o.switches.detail(done.reason);
    done.output_format = format_of(options.format).id;
    constexpr double kMicroseconds = 1e6;
    done.report.spans = {{"decode", done.seconds.decode * kMicroseconds},
                         {"filter", done.seconds.filter * kMicroseconds},
                         {"encode", done.seconds.encode * kMicroseconds}};
    const auto all = all_notes(source);
    done.notes.insert(done.notes.begin(), all.begin(), all.end());
    return done;
}

} // namespace kg
