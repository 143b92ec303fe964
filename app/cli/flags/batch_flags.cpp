#include "app/cli/flags/batch_flags.hpp"

#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/shard_flag.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace kg {

namespace {

batch::OnExists parse_on_exists(const std::string& word) {
    constexpr std::array<std::string_view, 4> kWords{"fail", "skip", "overwrite", "rename"};
    const auto found = std::ranges::find(kWords, word);
    if (found == kWords.end())
        throw Error("bad-value", "--on-exists must be one of {}, not {}{}", listed(kWords), in_quotes(word),
                    suggestion(word, kWords));
    return static_cast<batch::OnExists>(found - kWords.begin());
}

void add_file_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o) {
    constexpr auto kFiles = "Files";
    add_value(app, "-o,--output", "DIR", "Folder to write to; all arguments are then inputs",
              [o](const std::string& folder) { o->out = folder; })
        ->group(kFiles);
    app.add_flag("-r,--recursive", o->inputs.recursive,
                 "Include subfolders and recreate their tree in OUT_DIR")
        ->group(kFiles);
    app.add_flag("--follow-links", o->inputs.follow_links, "Follow symbolic links inside folders")
        ->group(kFiles);
    add_value(
        app, "--files-from", "FILE",
        "Read names of images and folders from FILE, one per line, at most 10 million; - is standard input",
        [o](const std::string& file) { o->list = file; })
        ->group(kFiles);
    app.add_flag("-0,--null", o->zero_bytes,
                 "Names in the list of --files-from end in zero bytes, as find -print0 writes them")
        ->group(kFiles);
    add_value(
        app, "--name", "TEMPLATE",
        "Template of output names: {dir} is the path below the folder; {stem}, {ext}, {recipe}, {index} "
        "(default: {dir}/{stem}{ext})",
        [o](const std::string& name) { o->name = name; })
        ->group(kFiles);
    add_value(app, "--on-exists", "fail|skip|overwrite|rename",
              "Action if an output exists that this job did not write (default: fail)",
              [o](const std::string& word) { o->on_exists = parse_on_exists(word); })
        ->group(kFiles);
    add_value(app, "--format", "FORMAT", "Output format (default: that of each input)",
              [o](const std::string& word) {
                  format_of(word); // throws Error with the list of formats
                  o->write.format = word;
              })
        ->group(kFiles);
    add_integer(app, "--quality", "JPEG quality (default: 95)", 1, 100, [o](std::int64_t n) {
        o->write.jpeg_quality = static_cast<int>(n);
    })->group(kFiles);
    add_metadata_flags(app, o->write);
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
}

void add_work_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o) {
    constexpr auto kWork = "Work";
    constexpr int kMostImages = 256;
    constexpr std::int64_t kMany = std::int64_t{1} << 40;
    add_integer(app, "-j,--jobs", "Images to process at a time (default: the number of threads)", 1,
                kMostImages, [o](std::int64_t n) { o->images = static_cast<int>(n); })
        ->group(kWork);
    add_size(
        app, "--in-flight",
        "Memory limit for images in flight, such as 2G (default: a quarter of the memory, at most 4 GiB or, "
        "if that is more, 1 GiB for each image at a time). A larger image is filtered in bands of rows; "
        "without this flag, one above three quarters of the memory",
        [o](std::size_t bytes) { o->in_flight = bytes; })
        ->group(kWork);
    app.add_flag("--redo", o->redo, "Write outputs again even if they are up to date")->group(kWork);
    app.add_flag("--dry-run", o->dry_run,
                 "Write nothing; list what would be written and estimate the time and the space")
        ->group(kWork);
    add_integer(app, "--sample", "Process only N images, taken from all over the list", 1, kMany,
                [o](std::int64_t n) { o->sample = static_cast<std::size_t>(n); })
        ->group(kWork);
    app.add_flag("--fail-fast", o->fail_fast, "Start no further image after the first failure")->group(kWork);
    add_integer(app, "--max-errors", "Start no further image after N failures", 1, kMany,
                [o](std::int64_t n) { o->most_errors = static_cast<std::size_t>(n); })
        ->group(kWork);
    add_value(app, "--shard", "I/N",
              "Process only the I-th of N shards; an image belongs to the same shard on every machine; auto "
              "takes the share of a task of a Slurm job array",
              [o](const std::string& text) { o->shard = parse_shard(text); })
        ->group(kWork);
}

} // namespace

void add_batch_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o) {
    app.add_option("IN", o->inputs.words,
                   "Images, folders and globs; an existing file takes precedence over a glob of its name")
        ->type_name("FILE");
    app.add_option("OUT_DIR", o->unused_out, "Folder to write to; created if it does not exist")
        ->type_name("DIR");
    o->flags.add_to(app);
    add_file_flags(app, o);
    add_work_flags(app, o);
    o->switches.add_to(app);
    app.add_flag("--jsonl", o->json_lines,
                 "Print a line of JSON for each file as it completes (docs/json.md)")
        ->group("Report");
}

} // namespace kg
