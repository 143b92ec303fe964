// kernelglass man PAGE: prints a manual page for packaging. Once installed, `man kernelglass` shows it.

#include "app/cli/command.hpp"
#include "app/cli/manual/manual.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace kg {

namespace {

Action declare_man(CLI::App& app) {
    const auto page = std::make_shared<std::string>();
    app.add_option("PAGE", *page, "1 for the program or 5 for recipes")->required()->type_name("1|5");
    return [page] {
        if (*page != "1" && *page != "5")
            throw Error("unknown-page",
                        "there is no manual page {}; the pages are 1 (the program) and 5 (recipes)",
                        in_quotes(*page));
        std::cout << (*page == "1" ? program_manual() : recipe_manual());
        return kDone;
    };
}

} // namespace

extern const Command kManCommand;
const Command kManCommand{
    "man",       "Print a manual page",
    {},          {{"kernelglass man 1 | man -l -", "read the manual page without installing it"}},
    declare_man, true};

} // namespace kg
