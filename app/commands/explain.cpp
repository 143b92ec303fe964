// kernelglass explain: what a kernel is and how it would be computed.

#include "app/commands/command.hpp"
#include "app/commands/recipe_flags.hpp"
#include "app/document/engines.hpp"
#include "core/error.hpp"
#include "core/planner.hpp"
#include "filters/analysis.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace kg {

namespace {

void print_weights(const Kernel& kernel) {
    constexpr int kLargestShown = 15;
    if (kernel.width > kLargestShown || kernel.height > kLargestShown) return;
    for (int i = 0; i < kernel.height; ++i) {
        std::cout << "   ";
        for (int j = 0; j < kernel.width; ++j) {
            char cell[24];
            std::snprintf(
                cell, sizeof cell, " %8.5g",
                static_cast<double>(kernel.weights[static_cast<std::size_t>(i * kernel.width + j)]));
            std::cout << cell;
        }
        std::cout << '\n';
    }
}

void print(const Kernel& kernel, const Analysis& a, std::string_view title) {
    std::cout << verdict(kernel, a) << '\n';
    std::cout << "  " << title << ": " << kernel.width << " x " << kernel.height << ", anchor "
              << kernel.anchor_x << "," << kernel.anchor_y << ", divisor " << to_text(kernel.divisor)
              << (kernel.flip ? ", flipped" : "") << '\n';
    print_weights(kernel);
    std::cout << "  A constant picture is multiplied by " << to_text(a.gain) << ".";
    if (a.zeros) std::cout << " " << a.zeros << " of " << a.taps << " weights are zero.";
    if (a.symmetric_x && a.symmetric_y) std::cout << " Symmetric in x and y.";
    else if (a.symmetric_x || a.symmetric_y)
        std::cout << " Symmetric in " << (a.symmetric_x ? "x" : "y") << ".";
    if (a.integer) std::cout << " Whole numbers: every way gives the same bytes.";
    std::cout << '\n';
}

int run(std::vector<std::string> arguments) {
    CLI::App app("Says what a kernel is and how it would be computed.\n\nExamples:\n"
                 "  kernelglass explain -f gaussian:sigma=2\n  kernelglass explain --kernel my.txt",
                 "explain");
    RecipeFlags flags;
    bool as_json = false;
    flags.add_to(app);
    app.add_flag("--json", as_json, "One JSON document");
    int exit_code = kDone;
    if (!parse(app, std::move(arguments), exit_code)) return exit_code;
    if (flags.recipe.steps.empty())
        throw Error("explain needs a step: -f gaussian:sigma=2, or --kernel FILE");

    const auto choice = choose_engine(flags.engine, flags.threads, flags.device);
    const auto request = request_for(flags.recipe, {1920, 1080}, {Depth::u8, 3, -1});
    const auto chosen = plan(*choice.engine, request, flags.algorithm);
    nlohmann::json document{{"schema", "kernelglass-explain/1"},
                            {"engine", choice.engine->device().id},
                            {"algorithm", chosen->algorithm},
                            {"reason", chosen->reason},
                            {"kernels", nlohmann::json::array()}};
    for (std::size_t i = 0; i < request.stages.size(); ++i)
        for (const auto& kernel : request.stages[i].kernels) {
            const auto a = analyse(kernel);
            if (as_json)
                document["kernels"].push_back({{"step", to_text(flags.recipe.steps[i])},
                                               {"verdict", verdict(kernel, a)},
                                               {"width", kernel.width},
                                               {"height", kernel.height},
                                               {"rank", a.rank},
                                               {"gain", a.gain},
                                               {"taps", a.taps},
                                               {"zeros", a.zeros},
                                               {"symmetric_x", a.symmetric_x},
                                               {"symmetric_y", a.symmetric_y},
                                               {"integer", a.integer}});
            else print(kernel, a, to_text(flags.recipe.steps[i]).substr(0, 60));
        }
    if (as_json) std::cout << document.dump(2) << '\n';
    else
        std::cout << "For 1920 x 1080 RGB on " << choice.engine->device().id << ": " << chosen->reason
                  << ".\n";
    return kDone;
}

} // namespace

extern const Command kExplainCommand;
const Command kExplainCommand{"explain", "Say what a kernel is and how it would be computed", run};

} // namespace kg
