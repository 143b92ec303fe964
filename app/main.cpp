// The program: a subcommand by its name, or else the window.

#include "app/commands/command.hpp"
#include "app/commands/recipe_flags.hpp"
#include "app/window.hpp"
#include "core/error.hpp"

#include <csignal>
#include <filesystem>
#include <iostream>

namespace {

using namespace kg;

void print_help() {
    std::cout << "Kernelglass: convolution filters one can see.\n\n"
                 "Examples:\n"
                 "  kernelglass                                   open the playground\n"
                 "  kernelglass photo.jpg                         open a picture in it\n"
                 "  kernelglass filter in.jpg out.jpg -f gaussian:sigma=2\n"
                 "  kernelglass photo.jpg -f sobel --headless --screenshot window.png\n\n"
                 "Commands:\n";
    for (const auto* command : commands())
        std::cout << "  " << command->name << std::string(12 - command->name.size(), ' ') << command->summary
                  << '\n';
    std::cout << "\n`kernelglass COMMAND --help` shows a command's flags.\n";
}

int run_playground(std::vector<std::string> arguments) {
    CLI::App app("Opens the playground.", "");
    WindowOptions options;
    RecipeFlags flags;
    std::vector<std::string> files;
    app.add_option("FILES", files, "Pictures to open");
    flags.add_to(app);
    app.add_flag("--headless", options.headless, "No window: draw it off-screen");
    std::string screenshot;
    app.add_option("--screenshot", screenshot, "With --headless: write the window as a picture")
        ->type_name("FILE");
    app.add_option("--size", "Width and height of the headless window, such as 1280x800")
        ->each([&options](const std::string& text) {
            if (std::sscanf(text.c_str(), "%dx%d", &options.width, &options.height) != 2 ||
                options.width < 320 || options.height < 240)
                throw Error("--size is written 1280x800, and at least 320x240");
        })
        ->type_name("WxH");
    app.add_option("--display", options.display, "auto (default), interop or host")
        ->check(CLI::IsMember({"auto", "interop", "host"}));
    int exit_code = kDone;
    if (!parse(app, std::move(arguments), exit_code)) return exit_code;
    for (const auto& file : files) {
        if (!std::filesystem::exists(file)) {
            std::vector<std::string_view> names;
            for (const auto* command : commands()) names.push_back(command->name);
            const auto near = did_you_mean(file, names);
            throw Error("\"" + file + "\" is neither a command nor a file" +
                        (near.empty() ? "" : "; did you mean `kernelglass " + near + "`?"));
        }
        options.files.emplace_back(file);
    }
    options.recipe = flags.recipe;
    options.has_recipe = !flags.recipe.steps.empty();
    options.engine = flags.engine;
    options.algorithm = flags.algorithm;
    options.device = flags.device;
    options.threads = flags.threads;
    options.screenshot = screenshot;
    return run_window(options);
}

int dispatch(std::vector<std::string> arguments) {
    if (!arguments.empty()) {
        if (arguments.front() == "--help" || arguments.front() == "-h" || arguments.front() == "help") {
            print_help();
            return kDone;
        }
        if (arguments.front() == "--version") {
            std::cout << "kernelglass " KG_VERSION "\n";
            return kDone;
        }
        for (const auto* command : commands())
            if (command->name == arguments.front()) {
                arguments.erase(arguments.begin());
                return command->run(std::move(arguments));
            }
    }
    return run_playground(std::move(arguments));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_DFL); // `list filters | head -1` ends quietly
    try {
        return dispatch({argv + 1, argv + argc});
    } catch (const Unavailable& error) {
        std::cerr << "kernelglass: " << error.what() << '\n';
        return kUnavailable;
    } catch (const std::bad_alloc&) {
        std::cerr << "kernelglass: there is not enough memory for this picture\n";
        return kUsage;
    } catch (const std::exception& error) {
        std::cerr << "kernelglass: " << error.what() << '\n';
        return kUsage;
    }
}
