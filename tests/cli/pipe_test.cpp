// `-` as a file, and commands that the window copies for a shell.

#include "app/process/command_text.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

namespace kg::testing {
namespace {

class CommandPipe : public Program {
protected:
    void SetUp() override { write_image(path("in.png"), sample_image({40, 30}).view()); }
};

TEST_F(CommandPipe, FilterReadsAndWritesPixels) {
    ASSERT_EQ(
        shell(
            "$K filter in.png a.png -f sobel && $K filter - - -f sobel < in.png > b.png && cmp a.png b.png"),
        0)
        << err_;
    EXPECT_NE(err_.find("standard output: 40 x 30"), std::string::npos)
        << "the report goes to stderr: " << err_;
    ASSERT_EQ(shell("$K filter in.png a.png -f gaussian -f box && "
                    "cat in.png | $K filter - - -f gaussian --format tif -q | $K filter - b.png -f box -q && "
                    "$K compare a.png b.png --tolerance 0.02"),
              0)
        << out_ << err_;
}

TEST_F(CommandPipe, TheFormatIsThatOfTheFlagOrElseOfTheInput) {
    for (const auto& [line, format] :
         {std::pair{"$K filter in.png - -f box --format bmp", "bmp"},
          {"$K filter in.png in.tif -q; cat in.tif | $K filter - - -q -f box", "tiff"}}) {
        ASSERT_EQ(shell(std::string(line) + " | $K info - --json"), 0) << err_;
        const auto file = nlohmann::json::parse(out_).at("files").at(0);
        EXPECT_EQ(file.at("format"), format);
        EXPECT_EQ(file.at("width"), 40);
        EXPECT_EQ(file.at("height"), 30);
    }
}

TEST_F(CommandPipe, KernelsAndRecipesCanComeFromAPipe) {
    ASSERT_EQ(shell("echo '1 2 1' | $K filter in.png a.png --kernel - -f box && "
                    "echo 'custom:size=3x1:weights=1,2,1 | box' | $K filter in.png b.png --recipe - && cmp "
                    "a.png b.png"),
              0)
        << err_;
    EXPECT_EQ(shell("echo '1 2 x' | $K filter in.png a.png --kernel -"), 2);
    ASSERT_EQ(joined_codes(), "not-a-number") << err_;
    EXPECT_EQ(arguments_.front().front(), "kernel from standard input");
}

TEST_F(CommandPipe, CompareAndInfoReadStandardInput) {
    EXPECT_EQ(shell("$K compare - in.png < in.png"), 0) << err_;
    EXPECT_EQ(shell("$K info - --json < in.png"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("files").at(0).at("file"), "-");
    EXPECT_EQ(shell("printf nonsense | $K info - --json"), 2);
    EXPECT_EQ(joined_codes(), "not-an-image") << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("files").at(0).at("file"), "-");
}

TEST_F(CommandPipe, PixelsAreNotWrittenToATerminal) {
    if (!has("script") || shell("script -qec true /dev/null") != 0)
        GTEST_SKIP() << "no terminal can be made here (no `script`, or no pseudo-terminals)";
    EXPECT_EQ(shell("script -qec \"$K filter in.png - -f box\" /dev/null"), 2);
    EXPECT_EQ(joined_codes(), "terminal-output");
    EXPECT_TRUE(prints("standard output is a terminal; redirect it")) << out_;
}

TEST_F(CommandPipe, ACopiedCommandGivesTheSameBytesInEveryShell) {
    const std::string odd = "it's \"a\" $x [1].png";
    write_image(path(odd), sample_image({40, 30}).view());
    CommandParts parts;
    parts.in = path(odd);
    parts.out = path("o " + odd);
    parts.recipe.steps = {parse_step("gaussian:sigma=2"),
                          parse_step("custom:size=3x1:weights=-1,0,1:offset=0.5")};
    parts.recipe.border = Border::wrap;
    const auto copied = command_text(parts);
    ASSERT_EQ(
        shell(
            "$K filter in.png expected.png -f gaussian:sigma=2 -f custom:size=3x1:weights=-1,0,1:offset=0.5 "
            "--border wrap"),
        0)
        << err_;
    for (const auto* interpreter : {"dash", "bash", "zsh"}) {
        if (!has(interpreter)) {
            std::printf("skipped: %s is not installed\n", interpreter);
            continue;
        }
        std::filesystem::remove(parts.out);
        ASSERT_EQ(shell("PATH=$(dirname \"$K\"):$PATH\n" + copied.text, interpreter), 0)
            << interpreter << err_;
        EXPECT_EQ(read_file(parts.out), read_file(path("expected.png"))) << interpreter;
    }
}

} // namespace
} // namespace kg::testing
