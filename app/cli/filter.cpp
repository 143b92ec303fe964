// kernelglass filter IN OUT: applies a recipe to one image.

#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/jobs/filter_large.hpp"
#include "app/cli/terminal/image_notes.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/process/engine/job_engine.hpp"
#include "app/process/file/file_request.hpp"
#include "app/process/file/memory_need.hpp"
#include "app/process/job.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/recipe_file.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOneByOne = "filter takes one image at a time. For a folder: kernelglass batch "
                                       "FOLDER OUT_FOLDER -f STEP. Put a name with spaces in quotation marks";

/// Throws Error for mistakes that can be detected before the image is read.
void check_files(const FilterOptions& o) {
    std::error_code ignored;
    if (fs::is_directory(o.in, ignored))
        throw Error("is-a-folder", "{} is a folder; {}", kg::quoted(o.in), kOneByOne);
    if (fs::is_directory(o.out, ignored))
        throw Error("is-a-folder", "{} is a folder; name the file to write, such as {}", kg::quoted(o.out),
                    quoted(fs::path(o.out) / fs::path(o.in).filename()));
    check_output(o.out, o.write);
    auto inputs = o.flags.files();
    inputs.push_back(o.in);
    refuse_shared_stream(inputs);
    refuse_overwriting(o.out, inputs);
}

/// The bytes of the input and the memory that it needs. `bytes` is empty if the file was found to be too
/// large.
struct Input {
    std::string bytes{};
    std::size_t needed = 0;
    std::optional<ImageInfo> info{}; ///< the header, if it could be read
};

std::string read_input(const FilterOptions& o) {
    return o.in == kStandardStream ? read_standard_image(o.read)
                                   : read_file(o.in, image_limits(input_name(o.in), o.read));
}

/// Lowest memory limit of any engine for an image as a whole.
std::size_t lowest_image_limit(const FilterOptions& o) {
    return o.flags.engine_options.memory == 0 ? most_for_one_image() : o.flags.engine_options.memory;
}

/// Memory limit for an image as a whole: --memory if the engine computes in host memory, or else the limit of
/// the machine for one image.
std::size_t image_limit(const FilterOptions& o, const EngineChoice& choice) {
    return choice.engine->device().host_memory
               ? lowest_image_limit(o)
               : std::max(most_for_one_image(), o.flags.engine_options.memory);
}

/// Reads the input. Of a large file only the header is read unless the image fits into `limit`.
Input open_input(const FilterOptions& o, const std::string& place, std::size_t limit) {
    constexpr std::size_t kLarge = 16; // a file is large from 1/16 of the memory
    std::error_code ignored;
    if (const auto file = place.empty() ? 0 : fs::file_size(place, ignored);
        !ignored && file >= limit / kLarge) {
        const auto info = info_by_header(place, o.read);
        const auto needed = info ? bytes_needed(*info, file, o.recipe) : file;
        if (needed > limit) return {{}, needed, info};
    }
    Input input{read_input(o)};
    input.info = probe(input.bytes, input_name(o.in), o.read);
    input.needed = bytes_needed(*input.info, input.bytes.size(), o.recipe);
    return input;
}

/// Chooses the engine from the header of the image. An invalid request is reported later.
EngineChoice choice_for(const FilterOptions& o, const Input& input) {
    const auto options = o.flags.engine_options;
    std::optional<ImageRequest> request;
    if (input.info) try {
            request = request_for(o.recipe, input.info->size, input.info->pixels);
        } catch (const Error&) {
        }
    return request ? choose_engine_for(options, *request) : choose_engine(options);
}

/// Prints and returns the notes that do not depend on the image.
std::vector<std::string> print_first_notes(const FilterOptions& o) {
    auto notes = o.flags.notes(o.recipe);
    for (const auto& note : brightness_notes(o.recipe)) notes.push_back(note);
    for (const auto& note : notes) o.switches.note(note);
    if (std::ranges::none_of(o.recipe.steps, &Step::enabled))
        o.switches.note("no steps are given, so the image is only converted");
    return notes;
}

/// Filters the image as a whole.
JobOutcome filter_whole(const FilterOptions& o, std::string bytes, std::optional<Interrupts>& interrupts) {
    auto image = decode_image(bytes, input_name(o.in), o.read);
    bytes = {};
    const auto format = output_format(o.out, o.write, image.format);
    auto [request, losses, opaque] = file_request(image, o.recipe, format);
    report_notes(o.switches, input_name(o.in), image);
    for (const auto& loss : losses) o.switches.note(loss);
    interrupts.emplace();
    o.switches.detail("filtering on " + o.choice.engine->device().name);
    auto done = run_job(o.choice, request, image.pixels.view(), o.algorithm, interrupts->token());
    for (const auto& notes : {all_notes(image), losses})
        done.notes.insert(done.notes.end(), notes.begin(), notes.end());
    if (!done.notice.empty()) o.switches.note(done.notice);
    done.add_notice();
    done.opaque = opaque;
    done.reason = o.choice.with_reason(reason_with_alpha(done.reason, opaque), *done.engine);
    o.switches.detail(done.reason);
    const auto encoded = encode_result(done.image.view(), image, o.recipe, format, output_name(o.out),
                                       o.write);
    if (interrupts->received()) throw Cancelled();
    if (o.out == kStandardStream) write_standard_output(encoded.bytes);
    else write_file(o.out, encoded.bytes);
    for (const auto& note : encoded.notes) o.switches.note(note), done.notes.push_back(note);
    done.output_format = format_of(format).id;
    done.size = done.image.size();
    done.pixels = stored_pixels(done.image.format(), image);
    return done;
}

nlohmann::ordered_json document_of(const FilterOptions& o, const JobOutcome& done) {
    nlohmann::ordered_json document{{"schema", "kernelglass-filter/1"},
                                    {"input", o.in},
                                    {"output", o.out},
                                    {"format", done.output_format},
                                    {"width", done.size.width},
                                    {"height", done.size.height},
                                    {"depth", name(done.pixels.depth)},
                                    {"channels", done.pixels.channels},
                                    {"alpha", done.pixels.alpha >= 0},
                                    {"recipe", to_text(o.recipe)},
                                    {"engine", done.engine->device().id},
                                    {"device", done.engine->device().name},
                                    {"algorithm", done.algorithm},
                                    {"reason", done.reason},
                                    {"parts", done.parts},
                                    {"bands", done.bands},
                                    {"notes", done.notes}};
    for (const auto& span : done.report.spans) document["microseconds"][span.name] = span.microseconds;
    return document;
}

std::string line_of(const FilterOptions& o, const JobOutcome& done) {
    double filter_us = 0;
    for (const auto& span : done.report.spans)
        if (span.name == "filter") filter_us = span.microseconds;
    char time[32];
    std::snprintf(time, sizeof time, "%.2f ms", filter_us / 1000);
    return heading_name(o.out, "standard output") + ": " + std::to_string(done.size.width) + " x " +
           std::to_string(done.size.height) + " " + std::string(name(done.pixels.depth)) + ", " +
           done.algorithm + " on " + done.engine->device().id + ", " + time + "\n";
}

/// Prints one line, or the document of --json, or nothing with -q. Prints to standard error if pixels go to
/// standard output.
void report(const FilterOptions& o, const JobOutcome& done) {
    auto& stream = o.out == kStandardStream ? std::cerr : std::cout;
    if (o.switches.json) stream << document_text(document_of(o, done));
    else if (!o.switches.quiet) stream << line_of(o, done);
}

int filter(FilterOptions& o) {
    check_files(o);
    o.recipe = o.flags.recipe();
    o.algorithm = o.flags.engine_options.algorithm;
    o.write.threads = o.flags.engine_options.threads;
    const auto place = seekable_path(o.in);
    if (o.flags.engine_options.engine != "auto")
        choose_engine(o.flags.engine_options); // fails before the image is read
    auto input = open_input(o, place, lowest_image_limit(o));
    o.choice = choice_for(o, input);
    const auto limit = image_limit(o, o.choice);
    const auto first = print_first_notes(o);
    if (!o.choice.notice.empty()) o.switches.detail(o.choice.notice);
    std::optional<Interrupts> interrupts;
    try {
        const bool large = input.needed > limit;
        if (!large && input.bytes.empty()) input.bytes = read_input(o); // on a GPU the limit is higher
        if (large) interrupts.emplace();
        auto done = large ? filter_large(o, place, input.needed, limit, interrupts->token())
                          : filter_whole(o, std::move(input.bytes), interrupts);
        if (o.write.jpeg_quality && done.output_format != "jpeg")
            o.switches.note("--quality applies to JPEG; it is ignored for " +
                            std::string(format_of(done.output_format).title));
        done.notes.insert(done.notes.begin(), first.begin(), first.end());
        report(o, done);
        return kDone; // also if a signal came after the output was complete
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts->exit_code();
    } catch (const std::bad_alloc&) {
        const auto [width, height] = input.info ? input.info->size : Extent{};
        throw Error("out-of-memory", "there is not enough memory to filter {}{}", input_name(o.in),
                    width > 0 ? " (" + std::to_string(width) + " x " + std::to_string(height) + ")" : "");
    }
}

Action declare_filter(CLI::App& app) {
    const auto o = std::make_shared<FilterOptions>();
    app.add_option("IN", o->in, "Image to read; - is standard input")->required()->type_name("FILE");
    app.add_option("OUT", o->out, "Image to write; its extension chooses the format; - is standard output")
        ->required()
        ->type_name("FILE");
    o->flags.add_to(app);
    add_format_flag(app, "for - that of the input", o->write);
    add_integer(app, "--quality", "JPEG quality (default: 95)", 1, 100, [o](std::int64_t n) {
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
    "Filter one image into another",
    "An existing OUT is replaced, as with cp, unless it is one of the inputs. OUT is written under a "
    "temporary name and renamed, so that a failure leaves no new file and destroys no old one. Depth, "
    "format, profile and metadata are those of the input unless a flag or the format requires "
    "otherwise; losses are reported on standard error. The recipe is embedded in PNG, JPEG, TIFF, WebP "
    "and OpenEXR, where --recipe, info and the window read it.\n\n"
    "An image that needs more memory than --memory, or than three quarters of the machine's, is read, "
    "computed and written in bands of rows, with the same pixels. PNG, TIFF, JPEG, PNM, PAM and PFM "
    "support this; in other formats such an image is refused.",
    {{"kernelglass filter photo.jpg soft.jpg -f gaussian:sigma=2", "blur a photo"},
     {"kernelglass filter photo.png edges.png -f gaussian:sigma=1 -f sobel --border replicate",
      "smooth, then detect edges"},
     {"kernelglass filter photo.png out.png -f custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
      "apply any kernel, given row by row"},
     {"kernelglass filter scan.tif out.tif --recipe mine.json --depth u16",
      "apply a recipe from a file but override its depth"},
     {"kernelglass filter other.jpg out.jpg --recipe result.png", "reuse the recipe embedded in a result"},
     {"kernelglass filter map.tif out.tif -f gaussian:sigma=2 --memory 1G",
      "filter an image larger than the memory"},
     {"kernelglass filter - - -f sobel < a.png > b.png", "filter in a pipe"}},
    declare_filter,
    false,
    kOneByOne};

} // namespace kg
