// kernelglass sample: writes the generated sample image to a file.

#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/image/sample_image.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace kg {

namespace {

struct SampleOptions {
    std::string out;
    WriteOptions write;
    Switches switches;
};

int sample(const SampleOptions& o) {
    check_output(o.out, o.write);
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
    app.add_option("OUT", o->out, "Image to write; its extension chooses the format; - is standard output")
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
    "Write the generated sample image to a file",
    "The image is 8-bit RGBA: a glass ball over a test chart with fine detail, hard edges and smooth ramps.",
    {{"kernelglass sample sample.png", "write an image to try filters on"},
     {"kernelglass sample - | kernelglass filter - soft.png -f gaussian:sigma=2",
      "filter the sample image in a pipe"}},
    declare_sample,
    false,
    "Put a name with spaces in quotation marks"};

} // namespace kg
