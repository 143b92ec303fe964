// Manual pages, help and completions: complete, and valid for the programs that read them.

#include "tests/support/app/program.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

class CommandManual : public Program {
protected:
    std::string output(const std::string& line) {
        EXPECT_EQ(shell(line), 0) << line << err_;
        return out_;
    }
    /// The first words of the rows below a heading in the help of a command; empty without such a heading.
    std::set<std::string> rows_below(const std::string& heading, const std::string& command) {
        const auto help = output("$K " + command + " --help");
        const auto begin = help.find("\n" + heading);
        std::set<std::string> words;
        if (begin == std::string::npos) return words;
        const auto section = help.substr(begin, help.find("\n\n", begin + 1) - begin);
        static const std::regex line(R"(\n  ([a-z]+))");
        for (std::sregex_iterator i(section.begin(), section.end(), line), end; i != end; ++i)
            words.insert((*i)[1]);
        return words;
    }
    /// The commands that the help lists, which are those of the registry without the hidden ones.
    std::set<std::string> listed_commands() {
        const auto names = rows_below("Commands ", "");
        EXPECT_TRUE(names.contains("filter") && names.contains("bench"));
        return names;
    }
    /// All long flags in the help of a command.
    std::set<std::string> flags_of(const std::string& command) {
        const auto help = output("$K " + command + " --help");
        std::set<std::string> flags;
        static const std::regex line(R"(\n  (-\w, )?(--[a-z-]+))");
        for (std::sregex_iterator i(help.begin(), help.end(), line), end; i != end; ++i)
            flags.insert((*i)[2]);
        EXPECT_TRUE(flags.contains("--help")) << command;
        return flags;
    }
    /// The subcommands in the help of a command, such as diff of bench.
    std::set<std::string> subcommands_of(const std::string& command) {
        return rows_below("Subcommands:\n", command);
    }
    /// The first line with more columns than `columns`; empty if there is none.
    static std::string too_wide(const std::string& text, std::size_t columns) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.ends_with('\r')) line.pop_back(); // added by a terminal
            if (line.size() > columns) return line;
        }
        return {};
    }
    /// The completions that bash offers at the end of a line.
    std::set<std::string> completed(const std::string& line) {
        EXPECT_EQ(shell("\"$K\" completion bash > complete.bash; . ./complete.bash\n"
                        "COMP_LINE='" +
                            line + "' COMP_POINT=" + std::to_string(line.size()) +
                            "\n_kernelglass && printf '%s\\n' \"${COMPREPLY[@]}\"",
                        "bash"),
                  0)
            << line << err_;
        std::set<std::string> words;
        std::istringstream lines(out_);
        for (std::string word; std::getline(lines, word);)
            if (!word.empty()) words.insert(word);
        return words;
    }
};

TEST_F(CommandManual, PagesAreCleanForMandoc) {
    if (!has("mandoc")) GTEST_SKIP() << "mandoc is not installed: the manual pages are not checked";
    for (const auto* page : {"1", "5"})
        EXPECT_EQ(output(std::string("$K man ") + page + " > page; mandoc -Tlint page"), "") << page;
}

TEST_F(CommandManual, Page1HasEveryFlagAndPage5EveryFilter) {
    const auto hyphens = [](const std::string& text) {
        return std::regex_replace(text, std::regex("\\\\-"), "-");
    };
    const auto page = hyphens(output("$K man 1"));
    EXPECT_TRUE(page.starts_with(".TH KERNELGLASS 1 "));
    for (const auto& command : listed_commands()) {
        EXPECT_NE(page.find(".SS kernelglass " + command), std::string::npos) << command;
        for (const auto& flag : flags_of(command))
            EXPECT_NE(page.find(flag), std::string::npos) << command << flag;
    }
    const auto recipes = hyphens(output("$K man 5"));
    const auto filters = nlohmann::json::parse(output("$K list filters --json"));
    for (const auto& filter : filters.at("rows")) {
        const auto at = recipes.find(".SS " + filter.at("id").get<std::string>() + "\n");
        EXPECT_NE(at, std::string::npos) << filter.at("id");
        for (const auto& parameter : filter.at("parameters"))
            EXPECT_NE(recipes.find("\\fB" + parameter.at("id").get<std::string>() + "\\fR", at),
                      std::string::npos)
                << filter.at("id") << parameter.at("id");
    }
    EXPECT_EQ(shell("$K man 2"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-page"}) << err_;
}

TEST_F(CommandManual, EveryCommandHasExamplesAndTheCommonSwitches) {
    auto commands = listed_commands();
    commands.insert(""); // the window
    for (const auto& command : commands) {
        const auto help = output("$K " + command + " --help");
        EXPECT_NE(help.find("Example"), std::string::npos) << command;
        for (const auto* flag : {"--json", "-q, --quiet", "-v, --verbose", "-h, --help"})
            EXPECT_NE(help.find(flag), std::string::npos) << command << " " << flag;
    }
}

TEST_F(CommandManual, TextHas80ColumnsWithoutATerminal) {
    std::vector<std::string> lines;
    for (const auto& command : listed_commands()) lines.push_back(command + " --help");
    for (const auto* line :
         {"--help", "man --help", "explain -f gaussian:sigma=2 -v", "explain -f sobel -f box",
          "explain -f custom:size=3x1:weights=-70000.5,140001,-70000.5"})
        lines.emplace_back(line);
    for (const auto& line : lines) {
        EXPECT_EQ(too_wide(output("$K " + line), 80), "") << line;
        EXPECT_EQ(too_wide(output("COLUMNS=74 $K " + line), 74), "") << line; // the longest word has 64
    }
    for (const auto* list :
         {"filters", "presets", "borders", "algorithms", "engines", "devices", "formats", "peers"}) {
        const auto rows = [&](const std::string& line) {
            return std::ranges::count(output(line + list), '\n');
        };
        EXPECT_EQ(rows("$K list "), rows("$K list -q ")) << list << ": a row is a line for a program";
        EXPECT_EQ(too_wide(output(std::string("COLUMNS=70 $K list -v ") + list), 70), "") << list;
    }
    for (const auto* wrong : {"", "39", "1001", "80x", "-5"})
        EXPECT_EQ(output(std::string("COLUMNS=") + wrong + " $K --help"), output("$K --help")) << wrong;
    EXPECT_NE(too_wide(output("COLUMNS=200 $K batch --help"), 150), "") << "wider lines are used";
}

TEST_F(CommandManual, ASubcommandWithFlagsOfItsOwnHasItsHelp) {
    const auto help = output("$K batch merge --help");
    EXPECT_TRUE(help.starts_with("Combine the journals of shards.\n")) << help;
    EXPECT_NE(help.find("Usage: kernelglass batch merge [JOURNAL_OR_OUT_DIR...] [OUT_DIR] [flags]\n"),
              std::string::npos)
        << help;
    EXPECT_EQ(flags_of("batch merge"),
              (std::set<std::string>{"--output", "--json", "--quiet", "--verbose", "--help"}));
    EXPECT_EQ(output("$K help batch merge"), help);
    EXPECT_EQ(output("$K batch merge -h"), help);
    EXPECT_EQ(too_wide(help, 80), "");
    EXPECT_NE(output("$K man 1").find(".SS kernelglass batch merge "), std::string::npos);
    ASSERT_EQ(shell("mkdir merge"), 0);
    EXPECT_EQ(output("$K batch merge --help"), output("$K batch --help")) << "merge is a folder of images";
}

TEST_F(CommandManual, TextIsAsWideAsTheTerminalUpTo100Columns) {
    if (!has("script") || shell("script -qec true /dev/null") != 0)
        GTEST_SKIP() << "no terminal can be made here (no `script`, or no pseudo-terminals)";
    const auto shown = [&](int columns) {
        return output("script -qec \"stty cols " + std::to_string(columns) +
                      "; '$K' batch --help\" /dev/null");
    };
    EXPECT_EQ(too_wide(shown(70), 70), "");
    EXPECT_EQ(too_wide(shown(200), 100), "");
    EXPECT_NE(too_wide(shown(200), 90), "") << out_;
}

TEST_F(CommandManual, ALongExampleIsBrokenWithBackslashes) {
    const auto whole = output("COLUMNS=1000 $K batch --help"), broken = output("$K batch --help");
    constexpr auto kExample =
        "find . -name '*.jpg' -print0 | kernelglass batch --files-from - -0 -o out -f box\n";
    EXPECT_NE(whole.find(kExample), std::string::npos) << whole;
    EXPECT_EQ(broken.find(kExample), std::string::npos) << "it has more than 80 columns";
    EXPECT_NE(std::regex_replace(broken, std::regex(" \\\\\n +"), " ").find(kExample), std::string::npos)
        << broken;
}

TEST_F(CommandManual, ASwitchTakesNoValueInAnyCommand) {
    auto all = listed_commands();
    all.insert({"", "man"});
    static const std::regex row(R"(\n  (?:(-\w), )?(--[a-z-]+)(?=  |\n))");
    constexpr std::array kValues{"=1", "=x", "=true", "=false", "="};
    std::size_t next = 0; // every switch gets one of the values, and every command all of them
    for (const auto& command : all) {
        const auto help = output("$K " + command + " --help");
        std::set<std::string> switches;
        for (std::sregex_iterator i(help.begin(), help.end(), row), end; i != end; ++i)
            for (const auto& name : {(*i)[1].str(), (*i)[2].str()})
                if (!name.empty()) switches.insert(name);
        EXPECT_TRUE(switches.contains("--help")) << help;
        for (const auto& name : switches) {
            const auto line = "$K " + command + " " + name + kValues[next++ % kValues.size()];
            EXPECT_EQ(shell(line), 2) << line << out_;
            EXPECT_EQ(codes_, std::vector<std::string>{"unexpected-value"}) << line << err_;
            EXPECT_EQ(out_, "") << line;
        }
    }
    EXPECT_EQ(shell("$K info -qv=1 x"), 2);
    ASSERT_EQ(joined_codes(), "unexpected-value") << err_;
    EXPECT_EQ(arguments_.front().front(), "-v") << "not -q";
    EXPECT_EQ(shell("$K sample -q -- --json=1"), 2) << "a file name without an extension";
    ASSERT_EQ(joined_codes(), "no-extension") << err_;
    EXPECT_EQ(arguments_.front().front(), "\"--json=1\"");
    EXPECT_EQ(shell("$K sample a.png -q && $K batch a.png out -f box --name --json=1.png -q"), 0)
        << "the value of another flag" << err_;
}

TEST_F(CommandManual, EveryShellCompletesTheSubcommandsOfTheHelp) {
    const auto of_bench = subcommands_of("bench"), of_batch = subcommands_of("batch");
    EXPECT_EQ(of_bench, (std::set<std::string>{"image", "signal", "bank", "volume", "diff", "display",
                                               "slider", "tune"}));
    EXPECT_EQ(of_batch, std::set<std::string>{"merge"});
    if (has("bash")) {
        ASSERT_EQ(shell("touch merged.png data.json"), 0);
        EXPECT_EQ(completed("kernelglass bench "), of_bench);
        EXPECT_EQ(completed("kernelglass bench d"), (std::set<std::string>{"diff", "display"}));
        EXPECT_EQ(completed("kernelglass bench diff d"), std::set<std::string>{}) << "bash completes files";
        EXPECT_EQ(completed("kernelglass batch m"), (std::set<std::string>{"merge", "merged.png"}));
        EXPECT_EQ(completed("kernelglass batch da"), std::set<std::string>{"data.json"});
        EXPECT_EQ(completed("kernelglass batch merge m"), std::set<std::string>{});
    }
    for (const auto* each : {"zsh", "fish"}) {
        const auto script = output(std::string("$K completion ") + each);
        for (const auto& words : {of_bench, of_batch})
            for (const auto& word : words)
                EXPECT_TRUE(std::regex_search(script, std::regex("(compadd|-a).*\\b" + word + "\\b")))
                    << each << " " << word;
    }
    if (has("fish")) {
        const auto offered = output("$K completion fish > kernelglass.fish; fish --no-config -c '"
                                    "source kernelglass.fish; complete -C \"kernelglass bench d\"'");
        EXPECT_NE(offered.find("diff"), std::string::npos) << offered;
        EXPECT_EQ(offered.find("slider"), std::string::npos) << offered;
    }
    if (has("zsh")) {
        const auto handed = output("$K completion zsh > _kernelglass; zsh -fc '"
                                   "compdef() { }; _arguments() { print -l -- \"$@\" }; _describe() { }\n"
                                   "source ./_kernelglass; words=(kernelglass bench d) CURRENT=3\n"
                                   "_kernelglass'");
        EXPECT_NE(handed.find("1:WHAT:{ compadd image signal bank volume diff display slider tune }"),
                  std::string::npos)
            << handed;
    }
}

TEST_F(CommandManual, BashCompletesCommandsFlagsWordsAndSteps) {
    if (!has("bash")) GTEST_SKIP() << "bash is not installed";
    const auto names = listed_commands();
    EXPECT_EQ(completed("kernelglass "), names);
    EXPECT_EQ(completed("kernelglass com"), (std::set<std::string>{"compare", "completion"}));
    for (const auto& command : names) {
        const auto offered = completed("kernelglass " + command + " --");
        EXPECT_EQ(offered, flags_of(command)) << command;
    }
    EXPECT_EQ(completed("kernelglass list f"), (std::set<std::string>{"filters", "formats"}));
    EXPECT_EQ(completed("kernelglass filter a.png b.png --border ref"),
              (std::set<std::string>{"reflect", "reflect101"}));
    EXPECT_EQ(completed("kernelglass bench --border ref"), (std::set<std::string>{"reflect", "reflect101"}));
    EXPECT_EQ(completed("kernelglass filter a.png b.png -f gaussian:si"),
              (std::set<std::string>{"sigma=", "size="}))
        << "bash splits words at a colon, so only the text after it is offered";
    EXPECT_EQ(completed("kernelglass filter a.png b.png -f sobel:direction=m"),
              (std::set<std::string>{"magnitude"}));
    EXPECT_TRUE(completed("kernelglass filter a.png b.png -f ").contains("unsharp"));
    EXPECT_EQ(completed("kernelglass filter "), std::set<std::string>{})
        << "bash itself completes file names";
    EXPECT_EQ(completed("kernelglass filter --kernel "), std::set<std::string>{});
}

TEST_F(CommandManual, ZshAndFishAcceptTheirScripts) {
    for (const auto* each : {"zsh", "fish"}) {
        if (!has(each)) {
            std::printf("skipped: %s is not installed, its completions are not checked\n", each);
            continue;
        }
        EXPECT_EQ(output(std::string("$K completion ") + each + " > script; " + each + " -n script"), "");
    }
    if (has("fish")) {
        const auto offered = output(
            "$K completion fish > kernelglass.fish; fish --no-config -c '"
            "source kernelglass.fish; complete -C \"kernelglass filter a b --border re\"'");
        EXPECT_NE(offered.find("reflect101"), std::string::npos) << offered;
        EXPECT_NE(offered.find("replicate"), std::string::npos) << offered;
        EXPECT_EQ(offered.find("wrap"), std::string::npos) << offered;
    }
    if (has("zsh")) {
        // Without a terminal there is no completion, so the arguments passed to zsh's functions are checked.
        const auto handed = output("$K completion zsh > _kernelglass; zsh -fc '"
                                   "compdef() { }; _arguments() { print -l -- \"$@\" }; _describe() { }\n"
                                   "source ./_kernelglass; words=(kernelglass compare a b) CURRENT=4\n"
                                   "_kernelglass'");
        EXPECT_NE(handed.find("--tolerance[Largest difference"), std::string::npos) << handed << err_;
        EXPECT_EQ(handed.find("--border"), std::string::npos) << "not a flag of compare";
    }
}

TEST_F(CommandManual, CompletionsOfAllShellsHaveEveryFlag) {
    for (const auto* each : {"bash", "zsh", "fish"}) {
        const auto script = output(std::string("$K completion ") + each);
        for (const auto& command : listed_commands())
            for (const auto& flag : flags_of(command))
                EXPECT_NE(script.find(std::string_view(each) == "fish" ? "-l " + flag.substr(2) : flag),
                          std::string::npos)
                    << each << " " << command << " " << flag;
    }
}

} // namespace
} // namespace kg::testing
