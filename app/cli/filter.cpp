// kernelglass filter IN OUT: one picture through a recipe.

#include "app/process/memory_need.hpp"
#include "app/cli/command.hpp"
#include "app/cli/jobs/filter_large.hpp"
#include "app/cli/jobs/filter_report.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/picture_notes.hpp"
#include "app/cli/flags/picture_flags.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/job_engine.hpp"
#include "app/process/file_request.hpp"
#include "app/process/job.hpp"
#include "app/process/recipe_record.hpp"
#include "app/io/packing_threads.hpp"
#include "core/support/error.hpp"
#include "core/image/opaque.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOneByOne = "filter takes one picture at a time. For a folder: kernelglass batch "
                                       "FOLDER OUT_FOLDER -f STEP. A name with "
                                       "spaces needs quotation marks";

/// Everything that can be known to be wrong before the picture is read.
void check_words(const FilterOptions& o) {
    std::error_code ignored;
    if (fs::is_directory(o.in, ignored))
        throw Error(kg::quoted(o.in) + " is a folder; " + std::string(kOneByOne));
    if (fs::is_directory(o.out, ignored))
        throw Error(kg::quoted(o.out) + " is a folder; name the file to write, such as " +
                    quoted(fs::path(o.out) / fs::path(o.in).filename()));
    check_output(o.out, o.write);
    auto inputs = o.flags.files();
    inputs.push_back(o.in);
    refuse_shared_stream(inputs);
    refuse_overwriting(o.out, inputs);
}

/// A picture, or only how much memory it would need, if that is more than there is.
struct Looked {
    std::string bytes{};
    std::size_t needed = 0;
    std::optional<PictureInfo> info{}; ///< what is known before it is decoded
};

std::string read_input(const FilterOptions& o) {
    return o.in == kStandardStream ? read_standard_picture(o.read)
                                   : read_file(o.in, picture_limits(input_name(o.in), o.read));
}

/// A file that is large by itself is not read for its header alone.
Looked look_at(const FilterOptions& o, const Recipe& recipe, const std::string& place, std::size_t limit) {
    constexpr std::size_t kLarge = 16; // such a part of the memory
    std::error_code ignored;
    if (const auto file = place.empty() ? 0 : fs::file_size(place, ignored);
        !ignored && file >= limit / kLarge) {
        const auto info = batch::info_by_header(place, o.read);
        const auto needed = info ? batch::bytes_needed(*info, file, recipe) : file;
        if (needed > limit) return {{}, needed, info};
    }
    Looked looked{read_input(o)};
    looked.info = probe(looked.bytes, input_name(o.in), o.read);
    looked.needed = batch::bytes_needed(*looked.info, looked.bytes.size(), recipe);
    return looked;
}

/// By what is known of the picture: what it is asked for may be wrong, which is said later.
EngineChoice choice_for(const FilterOptions& o, const Recipe& recipe, const Looked& looked) {
    const auto wish = o.flags.engine_wish();
    std::optional<ImageRequest> request;
    if (looked.info) try {
            request = request_for(recipe, looked.info->size, looked.info->pixels);
        } catch (const Error&) {
        }
    return request ? choose_engine_for(wish, *request) : choose_engine(wish);
}

/// What is to be said whatever the picture is.
std::vector<std::string> say_first(const FilterOptions& o, const Recipe& recipe) {
    auto notes = o.flags.notes(recipe);
    for (const auto& note : brightness_notes(recipe)) notes.push_back(note);
    for (const auto& note : notes) o.switches.note(note);
    if (std::ranges::none_of(recipe.steps, &Step::enabled))
        o.switches.note("no steps are given, so the picture is only converted");
    return notes;
}

/// All of the picture at once.
FilterDone filter_whole(const FilterOptions& o, const Recipe& recipe, const EngineChoice& choice,
                        std::string bytes, std::optional<Interrupts>& interrupts) {
    FilterDone done;
    auto picture = decode_picture(bytes, input_name(o.in), o.read);
    bytes = {};
    done.format = output_format(o.out, o.write, picture.format);
    auto [request, losses, opaque] = file_request(picture, recipe, done.format);
    for (const auto* notes : {&picture.notes, &picture.details, &losses})
        done.notes.insert(done.notes.end(), notes->begin(), notes->end());
    say_notes(o.switches, input_name(o.in), picture);
    for (const auto& loss : losses) o.switches.note(loss);
    interrupts.emplace();
    o.switches.detail("filtering on " + choice.engine->device().name);
    const auto outcome = run_job(choice, request, picture.image.view(), o.flags.algorithm,
                                 interrupts->token());
    if (!outcome.notice.empty()) o.switches.note(outcome.notice), done.notes.push_back(outcome.notice);
    done.reason = choice.with_reason(reason_with_alpha(outcome.reason, opaque), *outcome.engine);
    o.switches.detail(done.reason);
    const auto encoded = encode_result(outcome.image.view(), picture, recipe, done.format, output_name(o.out),
                                       o.write);
    if (interrupts->received()) throw Cancelled();
    write_output(o.out, encoded.bytes);
    for (const auto& note : encoded.notes) o.switches.note(note), done.notes.push_back(note);
    done.size = outcome.image.size();
    done.pixels = stored_pixels(outcome.image.format(), picture);
    done.engine = outcome.engine;
    done.algorithm = outcome.algorithm;
    done.parts = outcome.parts;
    done.spans = outcome.report.spans;
    return done;
}

int filter(const FilterOptions& o) {
    check_words(o);
    const PackingThreads threads(o.flags.threads);
    const auto recipe = o.flags.recipe();
    const auto place = place_of(o.in);
    if (o.flags.engine != "auto") choose_engine(o.flags.engine_wish()); // before the picture is read
    auto looked = look_at(o, recipe, place, least_memory(o));
    const auto choice = choice_for(o, recipe, looked);
    const auto limit = most_memory(o, choice);
    const auto first = say_first(o, recipe);
    if (!choice.notice.empty()) o.switches.detail(choice.notice);
    std::optional<Interrupts> interrupts;
    try {
        const bool large = looked.needed > limit;
        if (!large && looked.bytes.empty()) looked.bytes = read_input(o); // a GPU has other memory
        if (large) interrupts.emplace();
        auto done = large ? filter_large(o, recipe, choice, place, looked.needed, limit, interrupts->token())
                          : filter_whole(o, recipe, choice, std::move(looked.bytes), interrupts);
        if (o.write.jpeg_quality && format_of(done.format).id != "jpeg")
            o.switches.note("--quality is for JPEG; " + std::string(format_of(done.format).title) +
                            " is written without it");
        done.notes.insert(done.notes.begin(), first.begin(), first.end());
        report(o, recipe, done);
        return kDone; // also where a signal came too late to leave anything undone
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts->exit_code();
    } catch (const std::bad_alloc&) {
        const auto [width, height] = looked.info ? looked.info->size : Extent{};
        throw Error("there is not enough memory to filter " + input_name(o.in) +
                    (width > 0 ? " (" + std::to_string(width) + " x " + std::to_string(height) + ")" : ""));
    }
}

Action declare(CLI::App& app) {
    const auto o = std::make_shared<FilterOptions>();
    app.add_option("IN", o->in, "Picture to read; - is standard input")->required()->type_name("FILE");
    app.add_option("OUT", o->out, "Picture to write; its ending chooses the format; - is standard output")
        ->required()
        ->type_name("FILE");
    o->flags.add_to(app);
    add_format_flag(app, "for - as the input", o->write);
    add_integer(app, "--quality", "Quality of a JPEG (default: 95)", 1, 100, [o](std::int64_t n) {
        o->write.jpeg_quality = static_cast<int>(n);
    })->group("Files");
    add_metadata_flags(app, o->write);
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
    o->switches.add_to(app);
    return [o] { return filter(*o); };
}

} // namespace

extern const Command kFilterCommand;
const Command kFilterCommand{
    "filter",
    "Filter one picture into another",
    "OUT is replaced as cp does it, but never a file that is read. It is written beside its place and "
    "renamed, so "
    "that a failure leaves nothing new and destroys nothing old. Depth, format, profile and metadata are the "
    "input's "
    "unless a flag or the format wants otherwise; what cannot be kept is said on standard error. The recipe "
    "is "
    "written into PNG, JPEG, TIFF, WebP and OpenEXR, where --recipe, info and the window find it. A picture "
    "that "
    "needs more memory than --memory, or than three quarters of the machine's, is read, computed and written "
    "in "
    "bands of rows, with the same pixels: PNG, TIFF, JPEG, PNM, PAM and PFM can be, other formats are "
    "refused then.",
    {{"kernelglass filter photo.jpg soft.jpg -f gaussian:sigma=2", "blur a photo"},
     {"kernelglass filter photo.png edges.png -f gaussian:sigma=1 -f sobel --border replicate",
      "smooth, then find edges"},
     {"kernelglass filter photo.png out.png -f custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
      "any kernel, row by row"},
     {"kernelglass filter scan.tif out.tif --recipe mine.json --depth u16",
      "a recipe from a file, its depth overruled"},
     {"kernelglass filter other.jpg out.jpg --recipe result.png", "the recipe that a result carries"},
     {"kernelglass filter map.tif out.tif -f gaussian:sigma=2 --memory 1G",
      "a picture larger than the memory"},
     {"kernelglass filter - - -f sobel < a.png > b.png", "in a pipe"}},
    declare,
    false,
    kOneByOne};

} // namespace kg
