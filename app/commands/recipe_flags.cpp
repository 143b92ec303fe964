#include "app/commands/recipe_flags.hpp"

#include "app/commands/command.hpp"
#include "app/io/image_file.hpp"
#include "core/error.hpp"
#include "filters/kernel_file.hpp"

#include <iostream>

namespace kg {

namespace {

std::string kernel_text(const std::string& path) {
    if (path != "-") return read_file(path);
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

/// An option that takes exactly one value and acts where it stands on the line.
template <typename Action>
CLI::Option* in_order(CLI::App& app, const std::string& flags, const std::string& help, Action action) {
    return app.add_option_function<std::string>(flags, action, help)
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->expected(1);
}

} // namespace

void RecipeFlags::add_to(CLI::App& app) {
    in_order(app, "-f,--filter", "A step: id[:key=value]..., such as gaussian:sigma=2; repeat for more",
             [this](const std::string& text) { recipe.steps.push_back(parse_step(text)); })
        ->type_name("STEP");
    in_order(app, "--kernel", "A kernel from a file of numbers or JSON, as a step (- reads stdin)",
             [this](const std::string& path) {
                 recipe.steps.push_back({"custom", {}, parse_kernel(kernel_text(path), "\"" + path + "\"")});
             })
        ->type_name("FILE");
    in_order(app, "--border", "What lies outside: zero, replicate, reflect, reflect101 (default), wrap",
             [this](const std::string& word) { recipe.border = parse_border(word); })
        ->type_name("WORD");
    in_order(app, "--light", "Sum stored numbers (stored, default) or linear light (linear)",
             [this](const std::string& word) { recipe.light = parse_light(word); })
        ->type_name("WORD");
    in_order(app, "--alpha", "premultiplied (default), straight or keep", [this](const std::string& word) {
        recipe.alpha = parse_alpha(word);
    })->type_name("WORD");
    in_order(app, "--channels", "Channels to compute, letters of rgba; the others pass through",
             [this](const std::string& word) { recipe.channels = word; })
        ->type_name("LETTERS");
    in_order(app, "--depth", "Depth of the result: u8, u16, f16, f32 (default: as the input)",
             [this](const std::string& word) { recipe.depth = parse_depth(word); })
        ->type_name("WORD");
    in_order(app, "--signed", "Negative results: clamp (default), absolute, half, keep",
             [this](const std::string& word) { recipe.sign = parse_sign(word); })
        ->type_name("WORD");
    app.add_option("--engine", engine, "auto (default), cpu or cuda")->type_name("WORD");
    app.add_option("--algorithm", algorithm, "Force one way of computing (see `kernelglass list algorithms`)")
        ->type_name("ID");
    app.add_option("--device", device, "Which GPU, from 0")->type_name("N");
    app.add_option("--threads", threads, "CPU threads, 0 = all cores")->type_name("N");
}

bool parse(CLI::App& app, std::vector<std::string> arguments, int& exit_code) {
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    try {
        app.parse(std::move(arguments));
        return true;
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        exit_code = kDone;
    } catch (const CLI::ParseError& error) {
        std::cerr << "kernelglass " << app.get_name() << ": " << error.what() << "\nTry `kernelglass "
                  << app.get_name() << " --help`.\n";
        exit_code = kUsage;
    }
    return false;
}

} // namespace kg
