// Manual pages and completions say what the program can do, in the form that their readers take.

#include "tests/app/support/program.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <set>
#include <sstream>

namespace kg::testing {
namespace {

class CommandManual : public Program {
protected:
    std::string output(const std::string& line) {
        EXPECT_EQ(shell(line), 0) << line << err_;
        return out_;
    }
    std::vector<std::string> commands() {
        return {"filter", "batch", "list", "explain", "info", "compare", "sample", "bench", "completion"};
    }
    /// All --flags that a command's help shows.
    std::set<std::string> flags_of(const std::string& command) {
        const auto help = output("$K " + command + " --help");
        std::set<std::string> flags;
        static const std::regex line(R"(\n  (-\w, )?(--[a-z-]+))");
        for (std::sregex_iterator i(help.begin(), help.end(), line), end; i != end; ++i)
            flags.insert((*i)[2]);
        EXPECT_TRUE(flags.contains("--help")) << command;
        return flags;
    }
    /// What bash offers behind a line.
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

TEST_F(CommandManual, ThePageOfTheProgramHasEveryFlagAndTheOtherEveryFilter) {
    const auto hyphens = [](const std::string& text) {
        return std::regex_replace(text, std::regex("\\\\-"), "-");
    };
    const auto page = hyphens(output("$K man 1"));
    EXPECT_TRUE(page.starts_with(".TH KERNELGLASS 1 "));
    for (auto command : commands()) {
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
}

TEST_F(CommandManual, BashCompletesCommandsFlagsWordsAndSteps) {
    if (!has("bash")) GTEST_SKIP() << "bash is not installed";
    const auto names = commands();
    EXPECT_EQ(completed("kernelglass "), std::set<std::string>(names.begin(), names.end()));
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
        << "bash ends words at a colon, so only what is behind it is offered";
    EXPECT_EQ(completed("kernelglass filter a.png b.png -f sobel:direction=m"),
              (std::set<std::string>{"magnitude"}));
    EXPECT_TRUE(completed("kernelglass filter a.png b.png -f ").contains("unsharp"));
    EXPECT_EQ(completed("kernelglass filter "), std::set<std::string>{})
        << "bash itself completes file names";
    EXPECT_EQ(completed("kernelglass filter --kernel "), std::set<std::string>{});
}

TEST_F(CommandManual, ZshAndFishReadTheirScripts) {
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
        // Without a terminal there is no completion, so what the functions hand to zsh's own is looked at.
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
        for (const auto& command : commands())
            for (const auto& flag : flags_of(command))
                EXPECT_NE(script.find(std::string_view(each) == "fish" ? "-l " + flag.substr(2) : flag),
                          std::string::npos)
                    << each << " " << command << " " << flag;
    }
}

} // namespace
} // namespace kg::testing
