// The errors about command lines that no other test meets, by their codes.

#include "app/process/file/own_presets.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace kg::testing {
namespace {

class CommandErrorCodes : public Program {
protected:
    void SetUp() override {
        write_image(path("in.png"), sample_image({40, 30}).view());
        write_image(path("in.webp"), sample_image({40, 30}).view());
        std::filesystem::create_directories(path("folder"));
    }
};

TEST_F(CommandErrorCodes, OfMistakesInTheLine) {
    const std::pair<const char*, const char*> lines[] = {
        {"$K completion tcsh", "unknown-shell"},
        {"$K filter in.png out.png -f 'box | sobel'", "several-steps"},
        {"$K filter in.png out.png -f lens_blur:size=3", "preset-without-parameters"},
        {"XDG_CONFIG_HOME=$PWD/config $K filter in.png out.png -f my_blur:sigma=2",
         "preset-without-parameters"},
        {"$K filter in.png out.png box sigma=2", "misplaced-step"},
        {"$K filter in.png out.png -f gaussian sigma=2", "detached-parameter"},
        {"$K filter in.png out.png -f", "missing-value"},
        {"$K filter in.png out", "no-extension"},
        {"$K filter - out.png --kernel - < in.png", "shared-standard-input"},
        {"$K batch -o folder -f box", "no-inputs"},
        {"$K bench image in.png in.png", "too-many-arguments"},
        {"$K bench image in.png --depth u8,u16", "too-many-values"},
        {"$K -", "standard-input-in-window"},
    };
    Recipe recipe;
    recipe.steps = {parse_step("box")};
    save_own_preset(path("config/kernelglass/presets"), "My blur", "other", recipe);
    expect_refused(lines);
    shell("XDG_CONFIG_HOME=$PWD/config $K filter in.png out.png -f my_blurr");
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-filter"});
    EXPECT_TRUE(prints("did you mean \"my_blur\"?")) << err_;
}

TEST_F(CommandErrorCodes, OfTerminals) {
    if (!has("script")) GTEST_SKIP() << "there is no script(1) to make a terminal";
    if (shell("script -qec true /dev/null") != 0) GTEST_SKIP() << "no terminal can be made here: " << out_;
    const auto in_terminal = [this](const std::string& line, const std::string& code) {
        EXPECT_EQ(shell("export K; script -qec '" + line + "' /dev/null"), 2) << line << out_ << err_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << out_;
    };
    in_terminal("\"$K\" filter - out.png", "terminal-input");
    in_terminal("\"$K\" filter in.png -", "terminal-output");
}

TEST_F(CommandErrorCodes, OfImagesThatNeedMoreMemoryThanAllowed) {
    for (const auto* line :
         {"$K filter in.webp out.png --memory 1K", "$K filter in.png out.webp --memory 1K",
          "cat in.png | \"$K\" filter - out.png --memory 1K", "$K filter in.png out.png --memory 1K"}) {
        EXPECT_EQ(shell(line), 2) << line;
        EXPECT_EQ(codes_, std::vector<std::string>{"image-too-large"}) << line << err_;
    }
}

TEST_F(CommandErrorCodes, OfAWindowThatCannotShowWhatIsAsked) {
    const std::pair<const char*, const char*> lines[] = {
        {"$K in.png --headless --screenshot w.png --pin 40,0", "outside-image"},
        {"$K folder/none.png --headless --screenshot w.png", "unknown-command"},
        {"$K --lesson borders --headless --screenshot w.png", "unknown-lesson"},
    };
    if (shell("$K in.png --headless --screenshot w.png") == 3) GTEST_SKIP() << err_;
    expect_refused(lines);
}

TEST_F(CommandErrorCodes, AWindowLogsTheFilesThatItCannotOpen) {
    write_file(path("a.txt"), "not an image");
    if (shell("$K in.png --headless --screenshot w.png") == 3) GTEST_SKIP() << err_;
    for (const auto* quiet : {"", " -q"}) {
        EXPECT_EQ(shell(std::string("rm -f errors; export KERNELGLASS_ERROR_LOG=errors; $K a.txt in.png "
                                    "--headless --screenshot w.png") +
                        quiet),
                  1)
            << err_;
        EXPECT_NE(err_, "") << "errors are printed even with -q";
        std::istringstream log(read_file(path("errors")));
        std::vector<nlohmann::json> logged;
        for (std::string line; std::getline(log, line);) logged.push_back(nlohmann::json::parse(line));
        ASSERT_EQ(logged.size(), 1u) << err_;
        EXPECT_EQ(logged.front().at("code"), "not-an-image");
        EXPECT_EQ(err_, "kernelglass: " + logged.front().at("message").get<std::string>() + "\n");
    }
}

} // namespace
} // namespace kg::testing
