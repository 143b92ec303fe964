// kernelglass sample: the generated picture as a file, to try things on.

#include "app/commands/command.hpp"
#include "app/commands/recipe_flags.hpp"
#include "app/document/sample_picture.hpp"
#include "app/io/image_file.hpp"

#include <iostream>

namespace kg {

namespace {

int run(std::vector<std::string> arguments) {
    CLI::App app("Writes the generated sample picture.\n\nExample:\n  kernelglass sample sample.png",
                 "sample");
    std::string out;
    app.add_option("OUT", out, "Picture to write")->required();
    int exit_code = kDone;
    if (!parse(app, std::move(arguments), exit_code)) return exit_code;
    write_picture(out, sample_picture().view());
    std::cout << out << '\n';
    return kDone;
}

} // namespace

extern const Command kSampleCommand;
const Command kSampleCommand{"sample", "Write the generated sample picture to a file", run};

} // namespace kg
