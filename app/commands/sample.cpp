// kernelglass sample: the generated picture as a file, to try things on.

#include "app/commands/command.hpp"
#include "app/commands/support/streams.hpp"
#include "app/commands/support/switches.hpp"
#include "app/document/sample_picture.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace kg {

namespace {

struct SampleOptions {
    std::string out;
    Switches switches;
};

int sample(const SampleOptions& o) {
    check_ending(o.out);
    const auto picture = sample_picture();
    for (const auto& note : write_picture(o.out, picture.view())) o.switches.note(note);
    const auto size = picture.size();
    if (o.switches.json)
        std::cout << document_text({{"schema", "kernelglass-sample/1"},
                                    {"output", o.out},
                                    {"width", size.width},
                                    {"height", size.height}});
    else if (!o.switches.quiet) std::cout << o.out << ": " << size.width << " x " << size.height << '\n';
    return kDone;
}

Action declare(CLI::App& app) {
    const auto o = std::make_shared<SampleOptions>();
    app.add_option("OUT", o->out, "Picture to write; its ending chooses the format")
        ->required()
        ->type_name("FILE");
    o->switches.add_to(app);
    return [o] { return sample(*o); };
}

} // namespace

extern const Command kSampleCommand;
const Command kSampleCommand{
    "sample",
    "Write the generated sample picture to a file",
    "A glass ball over a test chart, RGBA, 8 bit: fine detail, hard edges, smooth ramps.",
    {{"kernelglass sample sample.png", "something to try filters on"}},
    declare};

} // namespace kg
