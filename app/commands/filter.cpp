// kernelglass filter IN OUT: one picture through a recipe.

#include "app/commands/command.hpp"
#include "app/commands/support/interrupts.hpp"
#include "app/commands/support/picture_notes.hpp"
#include "app/commands/support/picture_flags.hpp"
#include "app/commands/support/recipe_flags.hpp"
#include "app/commands/support/streams.hpp"
#include "app/commands/support/switches.hpp"
#include "app/document/engines.hpp"
#include "app/document/file_request.hpp"
#include "app/document/job.hpp"
#include "app/document/recipe_record.hpp"
#include "core/error.hpp"
#include "filters/recipe_file.hpp"
#include "filters/text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <memory>

namespace kg {

namespace {

namespace fs = std::filesystem;

struct FilterOptions {
    std::string in, out;
    RecipeFlags flags;
    ReadOptions read;
    WriteOptions write;
    Switches switches;
};

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

nlohmann::ordered_json document_of(const FilterOptions& o, const std::string& format, const Outcome& outcome,
                                   const Recipe& recipe, const std::vector<std::string>& notes) {
    nlohmann::ordered_json document{{"schema", "kernelglass-filter/1"},
                                    {"input", o.in},
                                    {"output", o.out},
                                    {"format", format_of(format).id},
                                    {"width", outcome.image.size().width},
                                    {"height", outcome.image.size().height},
                                    {"depth", name(outcome.image.format().depth)},
                                    {"channels", outcome.image.format().channels},
                                    {"alpha", outcome.image.format().alpha >= 0},
                                    {"recipe", to_text(recipe)},
                                    {"engine", outcome.engine->device().id},
                                    {"device", outcome.engine->device().name},
                                    {"algorithm", outcome.algorithm},
                                    {"reason", outcome.reason},
                                    {"parts", outcome.parts},
                                    {"notes", notes}};
    for (const auto& span : outcome.report.spans) document["microseconds"][span.name] = span.microseconds;
    return document;
}

std::string line_of(const FilterOptions& o, const Outcome& outcome) {
    double filter_us = 0;
    for (const auto& span : outcome.report.spans)
        if (span.name == "filter") filter_us = span.microseconds;
    char time[32];
    std::snprintf(time, sizeof time, "%.2f ms", filter_us / 1000);
    const auto size = outcome.image.size();
    return heading_name(o.out, "standard output") + ": " + std::to_string(size.width) + " x " +
           std::to_string(size.height) + " " + std::string(name(outcome.image.format().depth)) + ", " +
           outcome.algorithm + " on " + outcome.engine->device().id + ", " + time + "\n";
}

int filter(const FilterOptions& o) {
    check_words(o);
    const auto recipe = o.flags.recipe();
    auto picture = read_picture_input(o.in, o.read);
    const auto format = output_format(o.out, o.write, picture.format);
    auto [request, losses] = file_request(picture, recipe, format);
    auto notes = picture.notes;
    notes.insert(notes.end(), picture.details.begin(), picture.details.end());
    notes.insert(notes.end(), losses.begin(), losses.end());
    for (const auto& note : o.flags.notes(recipe)) o.switches.note(note), notes.push_back(note);
    say_notes(o.switches, input_name(o.in), picture);
    for (const auto& loss : losses) o.switches.note(loss);
    if (o.write.jpeg_quality && format_of(format).id != "jpeg")
        o.switches.note("--quality is for JPEG; " + std::string(format_of(format).title) +
                        " is written without it");
    for (const auto& note : brightness_notes(recipe)) o.switches.note(note), notes.push_back(note);
    if (request.stages.empty()) o.switches.note("no steps are given, so the picture is only converted");

    Interrupts interrupts;
    try {
        const auto choice = choose_engine(o.flags.engine_wish());
        if (!choice.notice.empty()) o.switches.detail(choice.notice);
        o.switches.detail("filtering on " + choice.engine->device().name);
        const auto outcome = run_job(choice, request, picture.image.view(), o.flags.algorithm,
                                     interrupts.token());
        if (!outcome.notice.empty()) o.switches.note(outcome.notice), notes.push_back(outcome.notice);
        o.switches.detail(outcome.reason);
        const auto encoded = encode_result(outcome.image.view(), picture, recipe, format, output_name(o.out),
                                           o.write);
        if (interrupts.received()) throw Cancelled();
        write_output(o.out, encoded.bytes);
        for (const auto& note : encoded.notes) o.switches.note(note), notes.push_back(note);

        auto& report = o.out == kStandardStream ? std::cerr : std::cout;
        if (o.switches.json) report << document_text(document_of(o, format, outcome, recipe, notes));
        else if (!o.switches.quiet) report << line_of(o, outcome);
        return interrupts.received() ? interrupts.exit_code() : kDone;
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts.exit_code();
    } catch (const std::bad_alloc&) {
        const auto size = picture.image.size();
        throw Error("there is not enough memory to filter " + input_name(o.in) + " (" +
                    std::to_string(size.width) + " x " + std::to_string(size.height) + ")");
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
    "written into PNG, JPEG, TIFF, WebP and OpenEXR, where --recipe, info and the window find it.",
    {{"kernelglass filter photo.jpg soft.jpg -f gaussian:sigma=2", "blur a photo"},
     {"kernelglass filter photo.png edges.png -f gaussian:sigma=1 -f sobel --border replicate",
      "smooth, then find edges"},
     {"kernelglass filter photo.png out.png -f custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
      "any kernel, row by row"},
     {"kernelglass filter scan.tif out.tif --recipe mine.json --depth u16",
      "a recipe from a file, its depth overruled"},
     {"kernelglass filter other.jpg out.jpg --recipe result.png", "the recipe that a result carries"},
     {"kernelglass filter - - -f sobel < a.png > b.png", "in a pipe"}},
    declare,
    false,
    kOneByOne};

} // namespace kg
