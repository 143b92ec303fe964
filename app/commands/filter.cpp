// kernelglass filter IN OUT: one picture through a recipe.

#include "app/commands/command.hpp"
#include "app/commands/recipe_flags.hpp"
#include "app/document/engines.hpp"
#include "app/document/job.hpp"
#include "app/io/image_file.hpp"
#include "core/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace kg {

namespace {

namespace fs = std::filesystem;

void report(const Outcome& outcome, const Engine& engine, const std::string& in, const std::string& out,
            bool as_json) {
    if (as_json) {
        nlohmann::json document{{"schema", "kernelglass-filter/1"},
                                {"input", in},
                                {"output", out},
                                {"width", outcome.image.size().width},
                                {"height", outcome.image.size().height},
                                {"depth", name(outcome.image.format().depth)},
                                {"channels", outcome.image.format().channels},
                                {"engine", engine.device().id},
                                {"device", engine.device().name},
                                {"algorithm", outcome.algorithm},
                                {"reason", outcome.reason}};
        for (const auto& span : outcome.report.spans) document["microseconds"][span.name] = span.microseconds;
        std::cout << document.dump(2) << '\n';
        return;
    }
    double filter_us = 0;
    for (const auto& span : outcome.report.spans)
        if (span.name == "filter") filter_us = span.microseconds;
    char time[32];
    std::snprintf(time, sizeof time, "%.2f ms", filter_us / 1000);
    std::cout << out << ": " << outcome.image.size().width << " x " << outcome.image.size().height << " "
              << name(outcome.image.format().depth) << ", " << outcome.algorithm << " on "
              << engine.device().id << ", " << time << '\n';
}

int run(std::vector<std::string> arguments) {
    CLI::App app("Filters one picture.\n\nExamples:\n"
                 "  kernelglass filter photo.jpg soft.jpg -f gaussian:sigma=2\n"
                 "  kernelglass filter photo.png edges.png -f gaussian:sigma=1 -f sobel --border replicate\n"
                 "  kernelglass filter photo.png out.png -f custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
                 "filter");
    std::string in, out;
    bool as_json = false, quiet = false;
    RecipeFlags flags;
    app.add_option("IN", in, "Picture to read")->required();
    app.add_option("OUT", out, "Picture to write; its ending chooses the format")->required();
    flags.add_to(app);
    app.add_flag("--json", as_json, "Report as one JSON document");
    app.add_flag("-q,--quiet", quiet, "Say nothing but errors");
    int exit_code = kDone;
    if (!parse(app, std::move(arguments), exit_code)) return exit_code;

    std::error_code ignored;
    if (fs::equivalent(in, out, ignored))
        throw Error("the output would replace the input \"" + in + "\"; choose another name");
    if (fs::is_directory(out)) throw Error("\"" + out + "\" is a folder; name the file to write");
    const auto extension = fs::path(out).extension().string();
    storable(extension, Depth::u8); // refuse an unknown ending before any work
    const auto picture = read_picture(in);
    auto request = request_for(flags.recipe, picture.image.size(), picture.image.format());
    const auto stored = storable(extension, request.out.depth);
    if (stored.depth != request.out.depth) {
        std::cerr << "kernelglass: " << extension << " does not hold " << name(request.out.depth)
                  << ", writing " << name(stored.depth) << '\n';
        request.out.depth = stored.depth;
    }
    if (picture.image.format().alpha >= 0 && !stored.alpha)
        std::cerr << "kernelglass: " << extension << " does not hold alpha, leaving it out\n";

    const auto choice = choose_engine(flags.engine, flags.threads, flags.device);
    if (!choice.notice.empty() && !quiet) std::cerr << "kernelglass: " << choice.notice << '\n';
    const auto outcome = run_job(*choice.engine, request, picture.image.view(), flags.algorithm);
    write_picture(out, outcome.image.view());
    if (!quiet) report(outcome, *choice.engine, in, out, as_json);
    return kDone;
}

} // namespace

extern const Command kFilterCommand;
const Command kFilterCommand{"filter", "Filter one picture: filter IN OUT -f STEP", run};

} // namespace kg
