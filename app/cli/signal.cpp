// kernelglass signal IN OUT: convolves or correlates signals (audio, measurements) with taps or a preset.

#include "app/cli/command.hpp"
#include "app/cli/flags/preset_help.hpp"
#include "app/cli/flags/signal_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/flags/tensor_flags.hpp"
#include "app/cli/jobs/verified.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/process/signal_job.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"
#include "filters/signal_filter.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include <unistd.h>

namespace kg {

namespace {

struct SignalOptions {
    std::string in, out;
    SignalFlags flags;
    EngineOptions engine;
    std::optional<WavSample> stored; ///< of a WAV file to write; that of the input by default
    bool verify = false;
    Switches switches;
};

std::string input_bytes(const std::string& word) {
    const ReadLimits limits{.of = "signals", .of_file = "signals"};
    return word == kStandardStream ? read_descriptor(STDIN_FILENO, input_name(word), limits)
                                   : read_file(word, limits);
}

/// The format by the extension of OUT, before anything is read; text for standard output.
SignalFormat output_format_of(const SignalOptions& o) {
    std::error_code ignored;
    if (std::filesystem::is_directory(o.out, ignored))
        throw Error("is-a-folder", "{} is a folder; name the file to write", kg::quoted(o.out));
    return o.out == kStandardStream ? SignalFormat::csv
                                    : signal_format(std::filesystem::path(o.out).extension().string());
}

nlohmann::ordered_json document_of(const SignalOptions& o, const SignalRequest& request,
                                   const SignalOutcome& done, std::int64_t clipped) {
    nlohmann::ordered_json document{{"schema", "kernelglass-signal/1"},
                                    {"input", o.in},
                                    {"output", o.out},
                                    {"type", name(element(request))},
                                    {"signals", request.signals},
                                    {"samples", request.samples},
                                    {"outputs", done.result.samples()},
                                    {"rate", done.result.rate},
                                    {"taps", tap_count(request)},
                                    {"mode", name(request.mode)},
                                    {"flip", request.flip},
                                    {"border", name(request.border)},
                                    {"dilation", request.dilation},
                                    {"stride", request.stride},
                                    {"engine", done.engine},
                                    {"algorithm", done.algorithm},
                                    {"reason", done.reason},
                                    {"microseconds", done.microseconds},
                                    {"clipped", clipped}};
    document["verification"] = verification_document(done.verification);
    return document;
}

std::string line_of(const SignalOptions& o, const SignalRequest& request, const SignalOutcome& done) {
    return heading_name(o.out, "standard output") + ": " +
           counted(static_cast<std::size_t>(request.signals), "signal") + " of " +
           counted(static_cast<std::size_t>(done.result.samples()), "sample") + ", " +
           std::string(name(element(request))) + ", " + done.algorithm + " on " + done.engine + ", " +
           time_text(done.microseconds) + verified_text(done.verification) + "\n";
}

int signal(const SignalOptions& o) {
    const auto format = output_format_of(o);
    if (o.stored && format != SignalFormat::wav)
        throw Error("flag-without-effect", "--bits has no effect here: it is for files of WAV");
    const auto inputs = o.flags.files(o.in);
    refuse_shared_stream(inputs);
    refuse_overwriting(o.out, inputs);
    const auto what = input_name(o.in);
    auto input = read_signals(input_bytes(o.in), what, o.flags.type());
    if (o.flags.rate()) input.rate = *o.flags.rate();
    const auto request = o.flags.request(input, input_bytes);
    Interrupts interrupts;
    try {
        std::string notice;
        const auto done = run_signals(o.engine, request, input, o.verify, interrupts.token(), notice);
        if (!notice.empty()) o.switches.detail(notice);
        expect_right(done.algorithm, done.verification);
        o.switches.detail(done.reason);
        const auto written = written_signals(done.result, format, o.stored);
        if (interrupts.received()) throw Cancelled();
        if (o.out == kStandardStream) write_standard_output(written.bytes);
        else write_file(o.out, written.bytes);
        for (const auto& note : notes_of_writing(input, done.result, format, o.stored)) o.switches.note(note);
        if (written.clipped > 0)
            o.switches.note(counted(static_cast<std::size_t>(written.clipped), "sample") +
                            " beyond the range of the file were clipped; --bits float keeps them");
        auto& stream = o.out == kStandardStream ? std::cerr : std::cout;
        if (o.switches.json) stream << document_text(document_of(o, request, done, written.clipped));
        else if (!o.switches.quiet) stream << line_of(o, request, done);
        return kDone;
    } catch (const Cancelled&) {
        o.switches.note("stopped; nothing was written");
        return interrupts.exit_code();
    } catch (const std::bad_alloc&) {
        throw Error("out-of-memory", "there is not enough memory for {} outputs",
                    output_count(request) * request.signals);
    }
}

WavSample parse_bits(const std::string& word) {
    for (const auto sample :
         {WavSample::u8, WavSample::s16, WavSample::s24, WavSample::s32, WavSample::f32, WavSample::f64})
        if (name(sample) == word) return sample;
    throw Error("bad-value", "--bits must be one of 8, 16, 24, 32, float and double, not {}",
                in_quotes(word));
}

Action declare_signal(CLI::App& app) {
    const auto o = std::make_shared<SignalOptions>();
    app.add_option("IN", o->in, "Signals to read: WAV, NumPy (.npy) or CSV; - is standard input")
        ->required()
        ->type_name("FILE");
    app.add_option("OUT", o->out, "File to write: .wav, .npy, .csv or .txt; - is standard output, as CSV")
        ->required()
        ->type_name("FILE");
    o->flags.add_to(app);
    add_value(app, "--bits", "8|16|24|32|float|double",
              "Samples of a WAV file to write (default: those of the input, or 16)",
              [o](const std::string& word) { o->stored = parse_bits(word); })
        ->group("Files");
    add_tensor_algorithm(app, o->engine, o->verify,
                         "Engine to compute on (default: auto, which accounts for the start of CUDA)",
                         "direct, fft, tiled_zones, tiled_uniform, block_partials, naive, constant (of cuda) "
                         "or reference (of cpu)");
    o->switches.add_to(app);
    return [o] { return signal(*o); };
}

} // namespace

extern const Command kSignalCommand;
const Command kSignalCommand{
    "signal",
    "Convolve or correlate signals with taps or a preset",
    "Channels of WAV, rows of NumPy arrays and columns of CSV are signals of their own; all are summed with "
    "the "
    "same taps. Samples of WAV are -1 to 1 as floats, and as stored with --type i32 or i64. Sums of integers "
    "are "
    "exact and wrap.\n\n"
    "Text has a sample per line; lines that are empty or begin with # are left out. Semicolons separate the "
    "signals of a file that has any, otherwise tabs, "
    "commas or spaces; beside semicolons and tabs a comma is a decimal comma. The first line has names if "
    "none "
    "of its words begins as a number.\n\n"
    "Frequencies of presets are in Hz and delays in seconds where the rate is known, and otherwise in "
    "periods "
    "per sample and in samples. To compound, a sample is what is paid in a year, and an output the balance "
    "of "
    "that year.",
    {{"kernelglass signal voice.wav clear.wav -f highpass:cutoff=120", "remove what is below 120 Hz"},
     {"kernelglass signal voice.wav hall.wav -f echo:delay=0.3:decay=0.4 --bits float",
      "add an echo, in a file that clips nothing"},
     {"kernelglass signal a.csv out.csv --taps 1,2,1 --mode same --border replicate", "smooth measurements"},
     {"kernelglass signal a.npy out.npy --taps b.npy --mode full --flip --verify",
      "convolve two signals, and compare with the reference"},
     {"kernelglass signal deposits.csv balances.csv -f compound:percent=5",
      "compute the balance after each yearly deposit, at 5 % a year"}},
    declare_signal,
    false,
    {},
    {},
    [] { return presets_text(signal_filters()); }};

} // namespace kg
