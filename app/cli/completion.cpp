// kernelglass completion SHELL: prints a script that completes commands, flags, their values and filters.

#include "app/cli/command.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/cli/manual/completion_scripts.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace kg {

namespace {

struct CompletionOptions {
    std::string shell;
    Switches switches;
};

int completion(const CompletionOptions& o) {
    const auto table = completion_table();
    const auto script = o.shell == "bash"  ? bash_completion(table)
                        : o.shell == "zsh" ? zsh_completion(table)
                        : o.shell == "fish"
                            ? fish_completion(table)
                            : throw Error("unknown-shell",
                                          "{} is not a supported shell; the shells are bash, zsh, fish",
                                          in_quotes(o.shell));
    if (o.switches.json)
        std::cout << document_text(
            {{"schema", "kernelglass-completion/1"}, {"shell", o.shell}, {"script", script}});
    else std::cout << script;
    return kDone;
}

Action declare_completion(CLI::App& app) {
    const auto o = std::make_shared<CompletionOptions>();
    app.add_option("SHELL", o->shell, "Shell to complete for")->required()->type_name("bash|zsh|fish");
    o->switches.add_to(app);
    return [o] { return completion(*o); };
}

} // namespace

extern const Command kCompletionCommand;
const Command kCompletionCommand{
    "completion",
    "Print the completion script for bash, zsh or fish",
    "An installation already contains the completion scripts.",
    {{"source <(kernelglass completion bash)", "enable completion in this bash; in ~/.bashrc, in every bash"},
     {"kernelglass completion zsh > ~/.zfunc/_kernelglass",
      "enable completion in zsh, with ~/.zfunc in fpath"},
     {"kernelglass completion fish > ~/.config/fish/completions/kernelglass.fish",
      "enable completion in fish"}},
    declare_completion};

} // namespace kg
