// kernelglass volume IN OUT: applies a kernel in three dimensions, or steps of the heat or wave equation.

#include "app/cli/command.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "app/cli/jobs/verified.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/process/engine/job_engine.hpp"
#include "app/process/volume_job.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"
#include "filters/volume_filter.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <optional>

#include <unistd.h>

namespace kg {

namespace {

struct VolumeOptions {
    std::string in, out, kernel, filter;
    std::optional<Border> border;
    float outside = 0;
    std::int64_t steps = 1;
    bool flip = false, verify = false;
    EngineOptions engine;
    Switches switches;
};

VolumeData read_input(const std::string& word, const std::string& what) {
    const ReadLimits limits{.of = "volumes", .of_file = "volumes"};
    return read_volume(word == kStandardStream ? read_descriptor(STDIN_FILENO, input_name(word), limits)
                                               : read_file(word, limits),
                       what);
}

VolumeDesign design_of(const VolumeOptions& o) {
    if (o.kernel.empty() == o.filter.empty())
        throw Error("no-kernel", "{}",
                    o.kernel.empty() ? "there is no kernel: give --kernel or a preset with -f"
                                     : "--kernel and -f exclude each other");
    if (!o.filter.empty()) {
        const auto [filter, values] = parse_volume_filter(o.filter);
        return filter->build(values);
    }
    const auto what = "--kernel: " + input_name(o.kernel);
    auto kernel = read_input(o.kernel, what);
    if (kernel.volumes > 1) throw Error("two-volumes", "{}: there are two kernels in it", what);
    return {{kernel.size, std::move(kernel.samples)}};
}

VolumeRequest request_of(const VolumeOptions& o, const VolumeData& volume) {
    auto design = design_of(o);
    VolumeRequest request;
    request.size = volume.size;
    request.kernel = std::move(design.kernel);
    request.second_order = design.second_order;
    request.border = o.border.value_or(design.border);
    request.outside = o.outside;
    request.flip = o.flip;
    request.steps = o.steps;
    validate(request);
    return request;
}

nlohmann::ordered_json document_of(const VolumeOptions& o, const VolumeRequest& request,
                                   const VolumeOutcome& done) {
    const auto size_of = [](const VolumeExtent& size) {
        return nlohmann::ordered_json{size.width, size.height, size.depth};
    };
    nlohmann::ordered_json document{{"schema", "kernelglass-volume/1"},
                                    {"input", o.in},
                                    {"output", o.out},
                                    {"size", size_of(request.size)},
                                    {"kernel", size_of(request.kernel.size)},
                                    {"border", name(request.border)},
                                    {"flip", request.flip},
                                    {"steps", request.steps},
                                    {"volumes", done.result.volumes},
                                    {"engine", done.engine},
                                    {"algorithm", done.algorithm},
                                    {"reason", done.reason},
                                    {"microseconds", done.microseconds}};
    document["verification"] = verification_document(done.verification);
    return document;
}

std::string line_of(const VolumeOptions& o, const VolumeRequest& request, const VolumeOutcome& done) {
    const auto& [width, height, depth] = request.size;
    const auto line = heading_name(o.out, "standard output") + ": " + std::to_string(width) + " x " +
                      std::to_string(height) + " x " + std::to_string(depth) + ", " +
                      (request.steps > 1 ? std::to_string(request.steps) + " steps, " : std::string()) +
                      done.algorithm + " on " + done.engine + ", " + time_text(done.microseconds);
    return line + verified_text(done.verification) + "\n";
}

int volume(const VolumeOptions& o) {
    const auto format = o.out == kStandardStream
                            ? VolumeFormat::npy
                            : volume_format(std::filesystem::path(o.out).extension().string());
    const std::string inputs[] = {o.in, o.kernel};
    const auto named = std::span(inputs).first(o.kernel.empty() ? 1 : 2);
    refuse_shared_stream(named);
    refuse_overwriting(o.out, named);
    const auto input = read_input(o.in, input_name(o.in));
    const auto request = request_of(o, input);
    Interrupts interrupts;
    try {
        const auto choice = choose_engine_for(o.engine, request);
        const auto done = run_volume_job(*choice.engine, request, input, o.engine.algorithm, o.verify,
                                         interrupts.token());
        expect_right(done.algorithm, done.verification);
        o.switches.detail(done.reason);
        const auto bytes = write_volume(done.result, format);
        if (interrupts.received()) throw Cancelled();
        if (o.out == kStandardStream) write_standard_output(bytes);
        else write_file(o.out, bytes);
        auto& stream = o.out == kStandardStream ? std::cerr : std::cout;
        if (o.switches.json) stream << document_text(document_of(o, request, done));
        else if (!o.switches.quiet) stream << line_of(o, request, done);
        return kDone;
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts.exit_code();
    } catch (const std::bad_alloc&) {
        throw Error("out-of-memory", "there is not enough memory for {} x {} x {} samples",
                    request.size.width, request.size.height, request.size.depth);
    }
}

Action declare_volume(CLI::App& app) {
    const auto o = std::make_shared<VolumeOptions>();
    app.add_option("IN", o->in,
                   "Volume to read: NumPy (.npy) of slices, rows and columns, or TIFF with a page for each "
                   "slice; - is standard input")
        ->required()
        ->type_name("FILE");
    app.add_option("OUT", o->out, "File to write: .npy, .tif or .tiff; - is standard output, as .npy")
        ->required()
        ->type_name("FILE");
    constexpr auto kKernel = "Kernel", kSums = "Sums";
    add_value(app, "--kernel", "FILE", "A kernel of slices, rows and columns: .npy or .tif",
              [o](const std::string& word) { o->kernel = word; })
        ->group(kKernel);
    add_value(
        app, "-f,--filter", "PRESET",
        "A preset, id[:key=value]..., such as heat:rate=0.1; it sets the border unless --border is given",
        [o](const std::string& word) { o->filter = word; })
        ->group(kKernel);
    app.add_flag("--flip", o->flip, "Convolve: reverse the kernel along each axis (default: correlate)")
        ->group(kSums);
    add_integer(app, "--steps", "How often the kernel is applied (default: 1)", 1, kMostVolumeSteps,
                [o](std::int64_t n) { o->steps = n; })
        ->group(kSums);
    add_tensor_border(app, "What lies outside (default: reflect101, or that of the preset)",
                      [o](Border border, double outside) {
                          o->border = border;
                          o->outside = static_cast<float>(outside);
                      });
    add_tensor_algorithm(app, o->engine, o->verify,
                         "Engine to compute on (default: auto, which accounts for the start of CUDA)",
                         "separable, time_blocks, direct or reference");
    o->switches.add_to(app);
    return [o] { return volume(*o); };
}

} // namespace

extern const Command kVolumeCommand;
const Command kVolumeCommand{
    "volume",
    "Filter volumes, or compute steps of the heat or wave equation",
    "Numbers stay as stored, whatever their type; the result is float32. Several steps give the bytes of "
    "single "
    "steps, whichever algorithm combines them.\n\n"
    "Walls of the equations are borders: replicate is an insulated wall or a free end (Neumann), constant=K "
    "has "
    "the value K (Dirichlet), and wrap is periodic. A wave begins at rest, or with the two volumes of an "
    "array of "
    "four dimensions, the earlier one first, which it then also writes.",
    {{"kernelglass volume scan.tif smooth.tif -f gaussian:sigma=1.5", "smooth a stack of slices"},
     {"kernelglass volume room.npy later.npy -f heat:rate=0.15 --steps 200",
      "let heat flow in a closed room"},
     {"kernelglass volume drum.npy later.npy -f wave:courant=0.5 --steps 64 --border zero --verify",
      "let a wave run between fixed walls, and compare with the reference"},
     {"kernelglass volume scan.npy edges.npy --kernel k.npy --border replicate",
      "apply a kernel of one's own"}},
    declare_volume,
    false,
    {},
    {},
    [] { return presets_text(volume_filters()); }};

} // namespace kg
