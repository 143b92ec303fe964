// kernelglass sample: the generated picture as a file, to try things on.

#include "app/cli/command.hpp"
#include "app/cli/flags/picture_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/sample_picture.hpp"

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
    const auto picture = sample_picture();
    const auto encoded = encode_picture(picture.view(), output_format(o.out, o.write, "png"),
                                        output_name(o.out), o.write);
    write_output(o.out, encoded.bytes);
    for (const auto& note : encoded.notes) o.switches.note(note);
    const auto size = picture.size();
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

Action declare(CLI::App& app) {
    const auto o = std::make_shared<SampleOptions>();
    app.add_option("OUT", o->out, "Picture to write; its ending chooses the format; - is standard output")
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
    "Write the generated sample picture to a file",
    "A glass ball over a test chart, 8-bit RGBA: fine detail, hard edges, smooth ramps.",
    {{"kernelglass sample sample.png", "something to try filters on"},
     {"kernelglass sample - | kernelglass filter - soft.png -f gaussian:sigma=2", "without a file between"}},
    declare,
    false,
    "A name with spaces needs quotation marks"};

} // namespace kg
