// kernelglass sample: writes the generated sample image, or the sample signal, to a file.

#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/io/signals/signal_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "app/process/sample_signal.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace kg {

namespace {

struct SampleOptions {
    std::string out;
    WriteOptions write;
    Switches switches;
};

bool is_wav(const std::string& out) {
    return lower_case(std::filesystem::path(out).extension().string()) == ".wav";
}

int sample_signal(const SampleOptions& o) {
    const auto file = sample_signal_file();
    write_file(o.out, file);
    const auto signal = read_signals(file, "the sample");
    if (o.switches.json)
        std::cout << document_text({{"schema", "kernelglass-sample/1"},
                                    {"output", o.out},
                                    {"samples", signal.samples()},
                                    {"rate", signal.rate}});
    else if (!o.switches.quiet)
        std::cout << heading_name(o.out, "standard output") << ": " << signal.samples() << " samples at "
                  << signal.rate << " Hz\n";
    return kDone;
}

void check_image(const SampleOptions& o) {
    try {
        check_output(o.out, o.write);
    } catch (const Error& error) {
        if (error.code() != "unknown-format" || !o.write.format.empty()) throw;
        throw Error(error, "", ", or wav for a signal");
    }
}

int sample(const SampleOptions& o) {
    if (is_wav(o.out)) return sample_signal(o);
    check_image(o);
    const auto image = sample_image();
    const auto encoded = encode_image(image.view(), output_format(o.out, o.write, "png"), output_name(o.out),
                                      o.write);
    if (o.out == kStandardStream) write_standard_output(encoded.bytes);
    else write_file(o.out, encoded.bytes);
    for (const auto& note : encoded.notes) o.switches.note(note);
    const auto size = image.size();
    auto& report = o.out == kStandardStream ? std::cerr : std::cout;
    if (o.switches.json)
        report << document_text({{"schema", "kernelglass-sample/1"},
                                 {"output", o.out},
                                 {"width", size.width},
                                 {"height", size.height}});
    else if (!o.switches.quiet)
        report << heading_name(o.out, "standard output") << ": " << size.width << " x " << size.height
               << '\n';
    return kDone;
}

Action declare_sample(CLI::App& app) {
    const auto o = std::make_shared<SampleOptions>();
    app.add_option(
           "OUT", o->out,
           "Image to write, or signal as .wav; its extension chooses the format; - is standard output")
        ->required()
        ->type_name("FILE");
    add_format_flag(app, "for - PNG", o->write);
    o->switches.add_to(app);
    return [o] { return sample(*o); };
}

} // namespace

extern const Command kSampleCommand;
const Command kSampleCommand{
    "sample",
    "Write the generated sample image or signal to a file",
    "The image is 8-bit RGBA: a glass ball over a test chart with fine detail, hard edges and smooth ramps. "
    "The signal is a chirp with two tones and noise, 2 s at 44.1 kHz.",
    {{"kernelglass sample sample.png", "write an image to try filters on"},
     {"kernelglass sample sample.wav", "write a signal for `kernelglass signal`"},
     {"kernelglass sample - | kernelglass filter - soft.png -f gaussian:sigma=2",
      "filter the sample image in a pipe"}},
    declare_sample,
    false,
    "Put a name with spaces in quotation marks"};

} // namespace kg
