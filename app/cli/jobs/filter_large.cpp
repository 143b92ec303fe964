#include "app/cli/jobs/filter_large.hpp"

#include "app/process/bands/bands.hpp"
#include "app/process/memory_need.hpp"
#include "app/cli/terminal/picture_notes.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/io/files/filled_file.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;

bool is_cpu(const EngineChoice& choice) { return choice.engine->device().id == "cpu"; }

/// For standard output as the input.
std::string format_of_file(const std::string& place) {
    constexpr std::size_t kStart = 16;
    const auto* format = format_of_bytes(FileBytes(place).piece(0, kStart));
    return format ? std::string(format->id) : std::string();
}

/// The limit is that of the bands themselves: the engine computes in them.
EngineChoice without_limit(const FilterOptions& o, const EngineChoice& choice) {
    auto wish = o.flags.engine_wish();
    if (!is_cpu(choice) || wish.memory == 0) return choice;
    wish.engine = "cpu";
    wish.memory = 0;
    auto unlimited = choose_engine(wish);
    unlimited.reason = choice.reason;
    return unlimited;
}

void write_out(const std::string& out, const std::function<void(ByteSink&)>& fill) {
    if (out == kStandardStream) write_filled_descriptor(STDOUT_FILENO, output_name(out), fill);
    else write_filled_file(out, fill);
}

} // namespace

std::size_t most_memory(const FilterOptions& o, const EngineChoice& choice) {
    return is_cpu(choice) ? least_memory(o) : std::max(batch::most_for_one_picture(), o.flags.memory);
}

std::size_t least_memory(const FilterOptions& o) {
    return o.flags.memory == 0 ? batch::most_for_one_picture() : o.flags.memory;
}

std::string place_of(const std::string& in) {
    struct stat status {};
    if (in == kStandardStream)
        return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? "/dev/stdin" : "";
    std::error_code ignored;
    return fs::is_regular_file(in, ignored) ? in : "";
}

FilterDone filter_large(const FilterOptions& o, const Recipe& recipe, const EngineChoice& choice,
                        const std::string& place, std::size_t needed, std::size_t limit,
                        const std::stop_token& stop) {
    FilterDone result;
    batch::BandsDone done;
    const auto bands_choice = without_limit(o, choice);
    try {
        if (place.empty()) throw NotByRows("it comes through a pipe, and a file can be read in pieces");
        result.format = output_format(o.out, o.write, o.out == kStandardStream ? format_of_file(place) : "");
        batch::BandsWish wish{recipe,  bands_choice,  o.flags.algorithm,  o.read,
                              o.write, result.format, output_name(o.out), limit};
        wish.input_name = input_name(o.in);
        ProgressBar bar(!o.switches.quiet);
        const auto show = [&bar](std::int64_t rows, std::int64_t of, const std::string& whose) {
            bar.show(static_cast<double>(rows), static_cast<double>(of),
                     whose + std::to_string(rows) + " of " + counted(static_cast<std::size_t>(of), "row"));
        };
        wish.progress = [show](std::int64_t rows, std::int64_t of) { show(rows, of, ""); };
        wish.looked = [show](std::int64_t rows, std::int64_t of) { show(rows, of, "alpha of "); };
        write_out(o.out, [&](ByteSink& file) { done = batch::filter_in_bands(place, wish, file, stop); });
    } catch (const NotByRows& reason) {
        throw Error(batch::no_bands_text(input_name(o.in), reason.what(), needed, limit, "--memory"));
    }
    if (!done.damage.empty()) done.picture.notes.push_back(done.damage);
    say_notes(o.switches, input_name(o.in), done.picture);
    done.notes.push_back(batch::bands_text(done.bands, needed, limit));
    for (const auto& note : done.notes) o.switches.note(note);
    done.reason = bands_choice.with_reason(done.reason, *done.engine);
    o.switches.detail(done.reason);
    result.size = done.size;
    result.pixels = done.pixels;
    result.engine = std::move(done.engine);
    result.algorithm = std::move(done.algorithm);
    result.reason = std::move(done.reason);
    result.bands = done.bands;
    constexpr double kMicroseconds = 1e6;
    result.spans = {{"decode", done.seconds.decode * kMicroseconds},
                    {"filter", done.seconds.filter * kMicroseconds},
                    {"encode", done.seconds.encode * kMicroseconds}};
    for (const auto* notes : {&done.picture.notes, &done.picture.details, &done.notes})
        result.notes.insert(result.notes.end(), notes->begin(), notes->end());
    return result;
}

} // namespace kg
