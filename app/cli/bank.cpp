// kernelglass bank IN...: applies a bank of filters to images or tensors, and writes a tensor or a contact
// sheet of the feature maps.

#include "app/cli/command.hpp"
#include "app/cli/flags/bank_flags.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "app/cli/jobs/verified.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/io/tensors/tensor_file.hpp"
#include "app/process/bank_recipe.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"
#include "filters/bank_filter.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <unistd.h>

namespace kg {

namespace {

struct BankOptions {
    std::vector<std::string> inputs;
    std::string out;
    BankFlags flags;
    EngineOptions engine;
    SheetLook look;
    std::string of_sheet; ///< a flag that was given for a contact sheet
    bool verify = false;
    Switches switches;
};

std::string tensor_file_bytes(const std::string& word) {
    const ReadLimits limits{.whole_files = true, .of = "tensors"};
    return word == kStandardStream ? read_descriptor(STDIN_FILENO, input_name(word), limits)
                                   : read_file(word, limits);
}

bool writes_array(const BankOptions& o) { return o.out == kStandardStream || is_array_name(o.out); }

/// The value whose name the word is. Throws Error that names the flag.
template <typename Value>
Value one_of(std::string_view flag, const std::string& word, std::initializer_list<Value> values) {
    std::vector<std::string_view> names;
    for (const auto value : values) {
        if (name(value) == word) return value;
        names.push_back(name(value));
    }
    throw Error("bad-value", "{} must be one of {}, not {}", flag, listed(names), in_quotes(word));
}

/// Before anything is read.
void check_bank_output(const BankOptions& o) {
    std::error_code ignored;
    if (std::filesystem::is_directory(o.out, ignored))
        throw Error("is-a-folder", "{} is a folder; name the file to write", kg::quoted(o.out));
    if (!writes_array(o)) check_output(o.out, {});
    else if (!o.of_sheet.empty())
        throw Error("flag-without-effect", "{} has no effect on an array: it is for contact sheets",
                    o.of_sheet);
}

/// The array of a file. Of several tensors one must be named.
Batch read_array(const BankOptions& o, std::string_view bytes, const std::string& what) {
    const auto& name = o.flags.input_tensor();
    std::vector<std::string> names;
    for (const auto& tensor : tensor_names(bytes, what)) names.push_back(tensor.name);
    if (names.size() > 1 && name.empty())
        throw Error("many-tensors", "{}: there are {} tensors in it; name one with --input-tensor: {}", what,
                    names.size(), listed(std::vector<std::string_view>(names.begin(), names.end())));
    return batch_of(read_tensor(bytes, what, "batch", name), o.flags.layout(), what);
}

/// One array, or images of one size.
Batch read_batch(const BankOptions& o) {
    std::vector<LoadedImage> images;
    for (const auto& input : o.inputs) {
        auto bytes = tensor_file_bytes(input);
        if (is_tensor_file(bytes)) {
            if (o.inputs.size() > 1)
                throw Error("many-arrays", "{}: an array is a batch of its own; give it alone",
                            input_name(input));
            return read_array(o, bytes, input_name(input));
        }
        if (!o.flags.input_tensor().empty())
            throw Error("no-names", "--input-tensor: {} is no file of safetensors", input_name(input));
        images.push_back(decode_image(std::move(bytes), input_name(input)));
    }
    std::vector<ConstImageView> views;
    for (const auto& image : images) views.push_back(std::as_const(image.pixels).view());
    return batch_of(views, o.flags.layout());
}

nlohmann::ordered_json extents(const BatchShape& shape) {
    return {{"items", shape.items},
            {"channels", shape.channels},
            {"height", shape.size.height},
            {"width", shape.size.width}};
}

nlohmann::ordered_json document_of(const BankOptions& o, const BankRequest& r, const BatchShape& in,
                                   const BankOutcome& done) {
    return {{"schema", "kernelglass-bank/1"},
            {"inputs", o.inputs},
            {"output", o.out},
            {"layout", name(o.flags.layout())},
            {"in", extents(in)},
            {"out", extents(done.result.shape)},
            {"filters", r.filters},
            {"kernel", {{"height", r.kernel.height}, {"width", r.kernel.width}}},
            {"stride", {r.stride.rows, r.stride.columns}},
            {"dilation", {r.dilation.rows, r.dilation.columns}},
            {"padding", {r.padding.top, r.padding.left, r.padding.bottom, r.padding.right}},
            {"groups", r.groups},
            {"border", name(r.border)},
            {"engine", done.engine},
            {"algorithm", done.algorithm},
            {"reason", done.reason},
            {"microseconds", done.microseconds},
            {"verification", verification_document(done.verification)}};
}

std::string line_of(const BankOptions& o, const BankOutcome& done) {
    const auto& shape = done.result.shape;
    return heading_name(o.out, "standard output") + ": " +
           counted(static_cast<std::size_t>(shape.items * shape.channels), "map") + " of " +
           std::to_string(shape.size.width) + " x " + std::to_string(shape.size.height) + ", " +
           done.algorithm + " on " + done.engine + ", " + time_text(done.microseconds) +
           verified_text(done.verification) + "\n";
}

/// True if most outputs of a map are due to the padding.
bool is_mostly_padding(const BankRequest& r) {
    const auto out = output_size(r);
    const auto beside_input = static_cast<double>(r.size.width) * static_cast<double>(r.size.height) /
                              (static_cast<double>(r.stride.columns) * static_cast<double>(r.stride.rows));
    return static_cast<double>(out.width) * static_cast<double>(out.height) > 2 * beside_input;
}

int bank(const BankOptions& o) {
    check_bank_output(o);
    const auto files = o.flags.files(o.inputs);
    refuse_shared_stream(files);
    refuse_overwriting(o.out, files);
    auto batch = read_batch(o);
    auto recipe = o.flags.recipe(tensor_file_bytes);
    if (auto colour = without_alpha(batch, recipe)) {
        batch = std::move(*colour);
        o.switches.note(std::string(kWithoutAlpha));
    }
    const auto request = bank_request(std::move(recipe), batch.shape, batch.has_alpha);
    Interrupts interrupts;
    try {
        std::string notice;
        const auto done = run_banks(o.engine, request, batch, o.verify, interrupts.token(), notice);
        if (!notice.empty()) o.switches.detail(notice);
        expect_right(done.algorithm, done.verification);
        o.switches.detail(done.reason);
        const auto bytes = o.out == kStandardStream
                               ? write_batch(done.result)
                               : bank_file_bytes(o.out, request, batch, done.result, o.look);
        if (interrupts.received()) throw Cancelled();
        if (o.out == kStandardStream) write_standard_output(bytes);
        else write_file(o.out, bytes);
        auto& stream = o.out == kStandardStream ? std::cerr : std::cout;
        if (o.switches.json) stream << document_text(document_of(o, request, batch.shape, done));
        else if (!o.switches.quiet) stream << line_of(o, done);
        return kDone;
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts.exit_code();
    } catch (const Error& error) {
        const auto& padding = o.flags.padding_word();
        if (error.code() != "result-too-large" || padding.empty() || !is_mostly_padding(request)) throw;
        throw error.after("--pad " + padding + ": ");
    } catch (const std::bad_alloc&) {
        throw Error("out-of-memory", "there is not enough memory for the feature maps");
    }
}

Action declare_bank(CLI::App& app) {
    const auto o = std::make_shared<BankOptions>();
    app.add_option("IN", o->inputs,
                   "Images of one size, or one array (.npy, .safetensors) of items, channels, rows and "
                   "columns; - is standard input")
        ->required()
        ->type_name("FILE");
    add_value(app, "-o,--out", "FILE",
              "File to write: an array (.npy, or the tensor `output` of .safetensors; - is standard output, "
              "as .npy), or an image: a contact sheet",
              [o](const std::string& word) { o->out = word; })
        ->required()
        ->group("Files");
    add_value(
        app, "--colours", "signed|grey",
        "Colours of a contact sheet: orange for positive and blue for negative numbers, or grey from the "
        "least to the largest (default: signed)",
        [o](const std::string& word) {
            o->of_sheet = "--colours";
            o->look.colours = one_of("--colours", word, {SheetColours::sign, SheetColours::grey});
        })
        ->group("Files");
    add_value(
        app, "--scale", "percentile|largest|shared",
        "Numbers of the brightest colours of a contact sheet: those of a map without its lowest and highest "
        "0.5 %, its largest, or as percentile but of all maps together (default: percentile)",
        [o](const std::string& word) {
            o->of_sheet = "--scale";
            o->look.scale = one_of("--scale", word,
                                   {SheetScale::percentile, SheetScale::largest, SheetScale::shared});
        })
        ->group("Files");
    o->flags.add_to(app);
    add_tensor_algorithm(
        app, o->engine, o->verify,
        "Engine to compute on (default: auto, which accounts for the start of CUDA)",
        "direct, im2col_gemm, naive, reference (cpu), im2col_cublas, padded, spatial, texture (cuda), and "
        "under a --tolerance winograd, winograd_4x4, fft, implicit_gemm or im2col_tf32 (cuda)");
    o->switches.add_to(app);
    return [o] { return bank(*o); };
}

} // namespace

extern const Command kBankCommand;
const Command kBankCommand{
    "bank",
    "Apply a bank of filters to images or tensors",
    "Every filter sums all channels, as a layer of a neural network does: correlation, in f32. Images are "
    "their channels from 0 to 1; several images of one size are a batch. Weights of one channel, and "
    "presets, "
    "are applied to every channel by itself. Alpha is a channel, but it is left out, and that is reported, "
    "if the weights have as many channels as the colour, or if they are for every channel by itself and "
    "alpha "
    "is opaque everywhere.\n\n"
    "An output whose name ends in .npy or .safetensors is an array of all feature maps in the layout of the "
    "input. Any other is an image, a contact sheet of the maps, whose colours have the scale of --scale. "
    "Maps "
    "of nothing but rounding are black.",
    {{"kernelglass bank photo.png -f gabor:orientations=4 -o sheet.png",
      "show what waves in four directions respond to"},
     {"kernelglass bank x.npy --weights w.npy --bias b.npy --stride 2 --pad 1 -o y.npy --verify",
      "compute a layer of a network, and compare with the reference"},
     {"kernelglass bank a.png b.png --weights w.npy --pad same --layout nhwc -o maps.npy",
      "compute the feature maps of two images, channels last"}},
    declare_bank,
    false,
    {},
    {},
    [] { return presets_text(bank_filters()); }};

} // namespace kg
