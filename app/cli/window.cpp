// kernelglass [FILES]: opens the window if no command is named.

#include "app/window.hpp"

#include "app/batch/session/session.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/recipe_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/terminal/image_notes.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/process/command_text.hpp"
#include "app/process/engine/engines.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"
#include "filters/bank_recipe.hpp"
#include "filters/recipe_file.hpp"
#include "filters/signal_filter.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stop_token>
#include <tuple>
#include <utility>

namespace kg {

namespace {

struct WindowFlags {
    WindowOptions window;
    RecipeFlags recipe;
    std::vector<std::string> files;
    Switches switches;
};

/// The path of the file in the same folder whose name is the nearest, quoted for a shell; empty without one.
std::string nearest_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    std::vector<std::string> names;
    auto entry = std::filesystem::directory_iterator(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names); // the order of a folder is not that of every machine
    const std::vector<std::string_view> words(names.begin(), names.end());
    const auto near = did_you_mean(file.filename().string(), words);
    return near.empty() ? near : shell_quoted((file.parent_path() / near).string());
}

/// Throws Error unless the window can open `file`. The message covers a mistyped command, a folder and,
/// unless the file is the first, an output file.
void check_file(const std::string& file, bool first, Workspace workspace) {
    std::error_code ignored;
    if (file.empty()) throw Error("no-name", "the name of the image to open is empty");
    if (file == kStandardStream)
        throw Error("standard-input-in-window",
                    "the window opens files, not standard input; use `kernelglass filter - OUT` to read it");
    if (std::filesystem::is_directory(file, ignored)) {
        if (workspace == Workspace::batch) return;
        throw Error(
            "is-a-folder",
            "{} is a folder, and the window opens images. To filter a folder: kernelglass batch FOLDER "
            "OUT_FOLDER -f STEP, or in the window: kernelglass --workspace batch FOLDER",
            kg::quoted(file));
    }
    if (std::filesystem::exists(file, ignored)) return;
    if (is_step(file))
        throw Error("misplaced-step",
                    "{} is a filter; write `kernelglass filter IN OUT -f {}`, or `kernelglass FILE -f {}` "
                    "for the window",
                    in_quotes(file), file, file);
    if (!first)
        throw Error("not-a-file",
                    "{} is not a file, and the window opens files; to write one, use `kernelglass filter IN "
                    "OUT -f STEP`",
                    in_quotes(file));
    std::vector<std::string_view> names;
    for (const auto* command : commands())
        if (!command->hidden) names.push_back(command->name);
    auto near = did_you_mean(file, names);
    if (near.empty()) near = nearest_file(file);
    throw Error("unknown-command", "{} is neither a command nor a file{}", in_quotes(file),
                near.empty() ? ". `kernelglass --help` shows the commands"
                             : "; did you mean `kernelglass " + near + "`?");
}

/// Parses "1280x800". Every graphics driver can draw the largest size.
std::pair<int, int> parse_size(const std::string& text) {
    constexpr int kSmallestWidth = 320, kSmallestHeight = 240, kLargest = 8192;
    int width = 0, height = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x') {
        const auto second = std::from_chars(first.ptr + 1, end, height);
        if (second.ec == std::errc{} && second.ptr == end && width >= kSmallestWidth &&
            height >= kSmallestHeight && width <= kLargest && height <= kLargest)
            return {width, height};
    }
    throw Error("bad-value", "--size must be WxH, such as 1280x800, from 320x240 to 8192x8192, not {}",
                in_quotes(text));
}

std::vector<std::string> notes_of(const WindowReport& report) {
    auto notes = report.image->notes;
    notes.insert(notes.end(), report.image->details.begin(), report.image->details.end());
    for (const auto& warning : report.warnings) notes.push_back(warning.text);
    return notes;
}

void print(const WindowFlags& o, const WindowReport& report) {
    const auto file = o.window.screenshot.string();
    report_notes(o.switches, kg::quoted(report.image->path), *report.image);
    for (const auto& [text, error] : report.warnings)
        if (error) print_error(*error);
        else o.switches.note(text);
    o.switches.detail(report.reason);
    if (o.switches.json)
        std::cout << document_text({{"schema", "kernelglass-window/1"},
                                    {"screenshot", file},
                                    {"width", report.size.width},
                                    {"height", report.size.height},
                                    {"drawn_by", report.drawn_by},
                                    {"input", report.image->path.string()},
                                    {"recipe", to_text(report.recipe)},
                                    {"engine", report.engine},
                                    {"algorithm", report.algorithm},
                                    {"reason", report.reason},
                                    {"notes", notes_of(report)}});
    else if (!o.switches.quiet)
        std::cout << safe_name(file) << ": the window, " << report.size.width << " x " << report.size.height
                  << ", drawn by " << report.drawn_by << '\n';
}

/// Parses "120,64": column and row. Whether the image contains that pixel is checked once it is open.
std::pair<std::int64_t, std::int64_t> parse_pixel(const std::string& text) {
    std::int64_t x = 0, y = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, x);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == ',') {
        const auto second = std::from_chars(first.ptr + 1, end, y);
        if (second.ec == std::errc{} && second.ptr == end && x >= 0 && y >= 0) return {x, y};
    }
    throw Error("bad-value", "--pin must be a column and a row counted from 0, such as 120,64, not {}",
                in_quotes(text));
}

Workspace parse_workspace(const std::string& name) {
    std::vector<std::string_view> ids;
    for (const auto& workspace : kWorkspaces) ids.emplace_back(workspace.id);
    const auto found = std::ranges::find(ids, name);
    if (found != ids.end()) return static_cast<Workspace>(found - ids.begin());
    throw Error("bad-value", "--workspace must be one of {}, not {}", listed(ids), in_quotes(name));
}

/// Completes the batch after the window is closed, and reports on standard error as the command does.
int finish_batch(batch::Session& session, const Switches& switches) {
    Interrupts interrupts;
    const std::stop_callback on_stop(interrupts.token(), [&session] { session.stop(); });
    auto work = session.work();
    switches.note("the window is closed, and the batch continues: " + std::to_string(work->settled) + " of " +
                  counted(work->all, "image") + " so far, to " + kg::quoted(work->settings.out) +
                  "; Ctrl+C stops it after the images in flight");
    ProgressBar bar(!switches.quiet);
    const auto before = work->bytes_settled; // the bar estimates the time from its own progress
    while (!session.wait_for(std::chrono::milliseconds(200))) {
        work = session.work();
        bar.show(static_cast<double>(work->bytes_settled - before),
                 static_cast<double>(work->bytes_all - before),
                 std::to_string(work->settled) + " of " + counted(work->all, "image"));
    }
    bar.clear();
    work = session.work();
    if (work->failure) throw Error(*work->failure);
    for (const auto& finding : work->findings)
        if (finding.error) print_error(*finding.error);
    switches.note(work->summary);
    if (interrupts.received() && work->settled < work->all) return interrupts.exit_code();
    return work->counts.failed > 0 ? kSomeFailed : kDone;
}

/// The preset after -f for the workspace of signals or banks; empty without one. Throws Error.
std::string preset_for(Workspace workspace, const std::vector<std::string>& presets) {
    for (const auto& preset : presets) {
        const auto own = is_signal_preset(preset) ? Workspace::signal : Workspace::bank;
        const auto* const id = kWorkspaces[static_cast<std::size_t>(own)].id;
        if (workspace != own)
            throw Error("preset-of-other-command",
                        "-f {} is a preset of another workspace: add --workspace {}", preset, id);
        if (presets.size() > 1)
            throw Error("several-presets", "-f takes one preset in the workspace {}, not {} and {}", id,
                        presets[0], presets[1]);
        if (own == Workspace::signal) parse_signal_filter(preset);
        else weights_of_preset(preset);
    }
    return presets.empty() ? std::string() : presets.front();
}

int open_window(const WindowFlags& o) {
    auto options = o.window;
    for (const auto& file : o.files) {
        check_file(file, &file == &o.files.front(), options.workspace);
        options.files.emplace_back(file);
    }
    if (!options.screenshot.empty() && !options.headless)
        throw Error("missing-flag",
                    "--screenshot needs --headless: it captures a window that is drawn off-screen");
    if (o.switches.json && !options.headless)
        throw Error("missing-flag",
                    "--json needs --headless --screenshot FILE: an interactive window has no single result");
    if (!o.recipe.engine_options.algorithm.empty())
        choose_engine(o.recipe.engine_options); // throws if it does not exist
    refuse_shared_stream(o.recipe.files());
    auto inputs = o.recipe.files();
    inputs.insert(inputs.end(), o.files.begin(), o.files.end());
    if (!options.screenshot.empty()) check_extension(options.screenshot, "name a file, such as window.png");
    if (!options.screenshot.empty()) refuse_overwriting(options.screenshot.string(), inputs);
    options.preset = preset_for(options.workspace, *o.recipe.other_presets);
    options.recipe = o.recipe.recipe();
    for (const auto& note : o.recipe.notes(options.recipe)) o.switches.note(note);
    options.has_recipe = !options.recipe.steps.empty();
    options.engine_options = o.recipe.engine_options;
    const auto report = run_window(options);
    if (options.headless) print(o, report);
    if (report.unfinished) return finish_batch(*report.unfinished, o.switches);
    return report.failed ? kSomeFailed : kDone;
}

Action declare_window(CLI::App& app) {
    const auto o = std::make_shared<WindowFlags>();
    constexpr auto kWindow = "Window";
    app.add_option("FILE", o->files, "Images to open")->type_name("FILE");
    o->recipe.other_presets.emplace();
    o->recipe.add_to(app);
    app.add_flag("--headless", o->window.headless, "Draw the window off-screen, for --screenshot")
        ->group(kWindow);
    add_value(app, "--screenshot", "FILE", "With --headless, write an image of the window to FILE",
              [o](const std::string& file) { o->window.screenshot = file; })
        ->group(kWindow);
    add_value(
        app, "--size", "WxH", "Size of the headless window (default: 1280x800)",
        [o](const std::string& text) { std::tie(o->window.width, o->window.height) = parse_size(text); })
        ->group(kWindow);
    add_value(app, "--pin", "X,Y", "Inspect the pixel at column X and row Y, counted from 0",
              [o](const std::string& text) { o->window.pin = parse_pixel(text); })
        ->group(kWindow);
    add_value(
        app, "--workspace", "play|explain|bench|batch|signal|bank",
        "Workspace to start in (default: play); batch also accepts folders, signal opens WAV, NumPy and CSV, "
        "and bank images of one size or a NumPy array; -f names a preset of these two",
        [o](const std::string& name) { o->window.workspace = parse_workspace(name); })
        ->group(kWindow);
    add_value(app, "--lesson", "ID",
              "Start with a lesson: one of the program's, such as 03_borders, or a Markdown file",
              [o](const std::string& name) {
                  o->window.lesson = name;
                  o->window.workspace = Workspace::explain;
              })
        ->group(kWindow);
    add_value(app, "--display", "auto|interop|host",
              "Presentation path of results to the screen (default: auto)",
              [o](const std::string& word) {
                  if (word != "auto" && word != "interop" && word != "host")
                      throw Error("bad-value", "--display must be one of auto, interop, host, not {}",
                                  in_quotes(word));
                  o->window.display = word;
              })
        ->group(kWindow);
    add_max_pixels_flag(app, o->window.read);
    o->switches.add_to(app);
    app.set_version_flag("--version", "kernelglass " KG_VERSION, "Show the version")->group("Report");
    return [o] { return open_window(*o); };
}

} // namespace

extern const Command kWindowCommand;
const Command kWindowCommand{
    "",
    "Kernelglass: convolution filters one can see",
    "Without a command, a window opens. To open a file that has the name of a command, write ./NAME or put "
    "it after --.",
    {{"kernelglass photo.jpg", "open an image in the window"},
     {"kernelglass --workspace batch photos",
      "open a folder in the window: preview some images, then filter all"},
     {"kernelglass --workspace signal voice.wav -f lowpass:cutoff=1000", "open a signal under a preset"},
     {"kernelglass --workspace bank photo.jpg", "see the feature maps of a bank of filters"},
     {"kernelglass filter in.jpg out.jpg -f gaussian:sigma=2", "apply one filter to one image"},
     {"kernelglass explain -f gaussian:sigma=2", "describe a kernel and the algorithm chosen for it"},
     {"kernelglass compare a.png b.png --tolerance 1/255", "compare two images"},
     {"kernelglass photo.jpg -f sobel --headless --screenshot window.png", "write an image of the window"}},
    declare_window,
    false,
    "Put a name with spaces in quotation marks"};

} // namespace kg
