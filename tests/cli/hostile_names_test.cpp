// Names of files that hold control characters or bytes that are not UTF-8, or are as long as they may be.

#include "app/io/files/percent.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/text.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>

namespace kg::testing {
namespace {

class CommandHostileNames : public Program {
protected:
    void SetUp() override { write_image(path("in.png"), sample_image({40, 30}).view()); }
};

TEST_F(CommandHostileNames, NamesOfFilesDoNotReachTheTerminalRaw) {
    EXPECT_EQ(
        shell("cp in.png \"$(printf 'a\\033[31m\\302\\233b\\303\\244.bmp')\"; $K info -- *.bmp missing* -v; "
              "$K filter \"$(printf 'no\\033[2J.png')\" o.png -f box"),
        2);
    EXPECT_EQ(err_.find('\033'), std::string::npos) << err_;
    EXPECT_NE(err_.find("\"no%1B[2J.png\""), std::string::npos) << err_;
}

TEST_F(CommandHostileNames, NamesInResultsDoNotReachTheTerminalRaw) {
    const std::string name = "n=$(printf 'a\\033[31m\\302\\233b\\177\\303\\244.png')\n";
    for (const auto* line :
         {"$K filter in.png \"$n\" -f box", "$K sample \"$n\"", "cp in.png \"$n\"; $K info -- *.png"}) {
        EXPECT_EQ(shell(name + line), 0) << line << err_;
        EXPECT_NE(out_.find("a%1B[31m%C2%9Bb%7F\xc3\xa4.png: "), std::string::npos) << line << out_;
    }
    for (const auto* line :
         {"$K filter in.png \"$n\" -f box", "$K sample \"$n\"", "cp in.png \"$n\"; $K info a*.png"}) {
        EXPECT_EQ(shell(name + line + " --json"), 0) << line << err_;
        EXPECT_NE(out_.find("\"a\\u001b[31m\\u009bb\\u007f\xc3\xa4.png\""), std::string::npos)
            << line << out_;
        const auto document = nlohmann::json::parse(out_);
        const auto& named = document.contains("files") ? document.at("files").at(0).at("file")
                                                       : document.at("output");
        EXPECT_EQ(named, "a\033[31m\302\233b\177\303\244.png") << "nothing is lost";
    }
    EXPECT_EQ(shell("mkdir \"$(printf 'f\\033[2J')\"; \"$K\" f*"), 2);
    EXPECT_EQ(err_.find('\033'), std::string::npos) << err_;
    if (shell("$K in.png --headless --screenshot w.png -q") != 0) GTEST_SKIP() << err_;
    EXPECT_EQ(shell(name + "$K in.png --headless --screenshot \"$n\""), 0) << err_;
    EXPECT_EQ(out_.find('\033'), std::string::npos) << out_;
}

/// Messages are UTF-8 without control characters; JSON preserves the name of the file.
TEST_F(CommandHostileNames, NamesThatAreNotUtf8AreEncodedInMessagesAndJson) {
    const std::string name = "n=$(printf 'caf\\351 \\342\\200.png')\ncp in.png \"$n\"\n",
                      shown = "caf%E9 %E2%80.png";
    const auto expect_shown = [&](const std::string& line, int exit_code) {
        EXPECT_EQ(shell(name + line), exit_code) << line << out_ << err_;
        EXPECT_TRUE(is_utf8(out_ + err_)) << line << out_ << err_;
        EXPECT_NE((out_ + err_).find(shown), std::string::npos) << line << "\n" << out_ << err_;
    };
    expect_shown("$K filter in.png \"$n\" -f box", 0);
    expect_shown("$K info \"$n\"", 0);
    expect_shown("$K info \"no$n\"", 2);
    expect_shown("$K sample \"$n\"", 0);
    expect_shown("$K compare \"no$n\" in.png", 2);
    expect_shown("$K batch \"$n\" out --dry-run -f box", 0);
    expect_shown("$K batch \"no$n\" in.png out -f box", 1);
    expect_shown("$K batch in.png \"$n\" -f box", 2);
    expect_shown("$K explain --kernel \"no$n\"", 2);
    expect_shown("$K explain --recipe \"no$n\"", 2);
    expect_shown("$K bench diff \"no$n\" in.png", 2);

    const std::string encoded = "caf%E9%20%E2%80.png";
    const auto expect_encoded = [&](const std::string& line, const char* place, const std::string& key,
                                    const std::string& schema) {
        ASSERT_EQ(shell(name + line), 0) << line << err_;
        EXPECT_EQ(undocumented(out_, schema), std::vector<std::string>{}) << line;
        const auto document = nlohmann::json::parse(out_);
        const auto& object = *place ? document.at(place).at(0) : document;
        EXPECT_EQ(object.at(key), encoded) << line << out_;
        const auto keys = object.at("percent_encoded").get<std::set<std::string>>();
        EXPECT_TRUE(keys.contains(key)) << line << out_;
        EXPECT_EQ(percent_decoded(object.at(key).get<std::string>()), "caf\xe9 \xe2\x80.png");
    };
    expect_encoded("$K filter \"$n\" o.png -f box --json", "", "input", "kernelglass-filter/1");
    expect_encoded("$K filter in.png \"$n\" -f box --json", "", "output", "kernelglass-filter/1");
    expect_encoded("$K info \"$n\" --json", "files", "file", "kernelglass-info/1");
    expect_encoded("$K compare in.png \"$n\" --json", "", "b", "kernelglass-compare/1");
    expect_encoded("$K sample \"$n\" --json", "", "output", "kernelglass-sample/1");
    expect_encoded("$K batch \"$n\" out -f box --json", "files", "input", "kernelglass-batch/2");
    expect_encoded("$K batch \"$n\" out -f box --dry-run --json", "files", "output", "kernelglass-batch/2");
    expect_encoded("$K batch \"$n\" out -f box --jsonl -q", "", "input", "kernelglass-batch-file/1");
    expect_encoded("$K batch in.png -o \"$n.d\" -f box -q; $K batch merge \"$n.d\" -o \"$n.d\" --json | "
                   "sed 's/[.]d\"/\"/'",
                   "", "output", "kernelglass-batch-merge/1");
}

TEST_F(CommandHostileNames, NamesUpToTheLimitOfTheFileSystem) {
    for (const std::size_t length : {251, 255}) {
        const auto name = std::string(length - 4, 'n') + ".png";
        EXPECT_EQ(shell("$K filter in.png " + name + " -f box -q && $K filter in.png " + name +
                        " -f box -q && ls " + name),
                  0)
            << err_;
    }
    EXPECT_EQ(shell("$K filter in.png " + std::string(252, 'n') + ".png -f box"), 2);
    ASSERT_EQ(joined_codes(), "cannot-write") << err_;
    EXPECT_EQ(arguments_.front().back(), "File name too long");
}

} // namespace
} // namespace kg::testing
