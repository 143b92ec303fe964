// The headless window on the command line: --headless --screenshot, its files and messages.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace kg::testing {
namespace {

class CommandWindow : public Program {
protected:
    void SetUp() override {
        write_image(path("in.png"), sample_image({96, 64}).view());
        const auto whole = encode_image(random_image({200, 200}, {Depth::u8, 3}, 1).view(), "jpg", "x");
        write_file(path("cut.jpg"), whole.bytes.substr(0, whole.bytes.size() / 2));
    }
    /// Returns false if no window can be drawn; the program then exits with 3 and a message.
    bool can_draw() { return shell("$K in.png --headless --screenshot can.png -q") == 0; }
};

TEST_F(CommandWindow, MistakesAreDetectedBeforeTheWindowOpens) {
    EXPECT_EQ(shell("$K in.png --algorithm nosuch"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-algorithm"}) << err_;
    EXPECT_EQ(shell("$K in.png --algorithm seprable --engine cpu --headless --screenshot w.png"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-algorithm"}) << err_;
    EXPECT_EQ(shell("$K in.png --engine gpu"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-engine"}) << err_;
    EXPECT_EQ(shell("$K in.png --json"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"missing-flag"}) << err_;
    EXPECT_FALSE(std::filesystem::exists(path("w.png")));
}

TEST_F(CommandWindow, APresetOfAnotherWorkspaceIsNamed) {
    const std::tuple<const char*, const char*, const char*> lines[] = {
        {"$K in.png -f lowpass:cutoff=100", "preset-of-other-command", "--workspace signal"},
        {"$K --workspace signal -f gabor", "preset-of-other-command", "--workspace bank"},
        {"$K --workspace signal -f echo -f denoise", "several-presets", "echo and denoise"},
        {"$K --workspace bank -f gabor:orientations=none", "not-a-number", "orientations"},
        {"$K filter in.png out.png -f gabor", "preset-of-other-command", "`kernelglass bank`"},
        {"$K filter in.png out.png -f echo:delay=1", "preset-of-other-command", "`kernelglass signal`"},
    };
    for (const auto& [line, code, text] : lines) {
        EXPECT_EQ(shell(line), 2) << line << out_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << err_;
        EXPECT_TRUE(prints(text)) << line << err_;
    }
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
    if (!can_draw()) GTEST_SKIP() << err_;
    for (const auto* line : {"$K --workspace signal -f lowpass:cutoff=100 --headless --screenshot s.png",
                             "$K --workspace bank in.png -f laws --headless --screenshot b.png"})
        EXPECT_EQ(shell(line), 0) << line << err_;
}

TEST_F(CommandWindow, AMissingDeviceIsExitThree) {
    for (const auto* line : {"$K filter in.png out.png -f box --device 63", "$K explain -f box --device 63",
                             "$K filter in.png out.png -f box --engine cpu --device 1"}) {
        EXPECT_EQ(shell(line), 3) << line << out_ << err_;
        EXPECT_EQ(codes_.size(), 1U) << line << err_;
    }
    EXPECT_EQ(shell("$K filter in.png out.png -f box --engine cpu --device 0"), 0) << err_;
    if (!can_draw()) GTEST_SKIP() << err_;
    EXPECT_EQ(shell("$K in.png --headless --screenshot w.png --device 63"), 3) << out_;
    EXPECT_EQ(codes_, std::vector<std::string>{"unusable-device"}) << err_;
}

/// Checks the log of the dynamic loader. Draws in software, because NVIDIA's OpenGL may load the driver by
/// itself.
TEST_F(CommandWindow, TheCpuEngineDoesNotSearchForCudasDriver) {
    const auto looks_for_cuda = [this](const std::string& engine) {
        EXPECT_EQ(shell("rm -f libs.*; LD_DEBUG=libs LD_DEBUG_OUTPUT=libs KERNELGLASS_EGL_DEVICE=software "
                        "$K in.png --headless --screenshot w.png -q --engine " +
                        engine),
                  0)
            << err_;
        return shell("grep -q 'find library=libcuda[.]' libs.*") == 0;
    };
    if (!can_draw() || shell("KERNELGLASS_EGL_DEVICE=software $K in.png --headless --screenshot s.png") != 0)
        GTEST_SKIP() << err_;
    if (!looks_for_cuda("auto")) GTEST_SKIP() << "BUILT WITHOUT CUDA, NOTHING WAS TESTED";
    EXPECT_FALSE(looks_for_cuda("cpu"));
}

TEST_F(CommandWindow, ReportsDamageEvenWhenQuiet) {
    const auto damage = read_image(path("cut.jpg")).damage;
    ASSERT_NE(damage, "");
    const auto message = "\"cut.jpg\": " + damage + "\n";
    EXPECT_EQ(shell("$K filter cut.jpg out.png -f box -q"), 0);
    EXPECT_NE(err_.find(message), std::string::npos) << err_;
    EXPECT_EQ(out_, "");
    EXPECT_EQ(shell("$K compare cut.jpg cut.jpg -q"), 0);
    EXPECT_NE(err_.find(message), std::string::npos) << err_;
    if (!can_draw()) GTEST_SKIP() << err_;
    for (const auto* line :
         {"$K cut.jpg --headless --screenshot w.png -q", "$K cut.jpg --headless --screenshot w.png"}) {
        EXPECT_EQ(shell(line), 0) << err_;
        EXPECT_NE(err_.find(message), std::string::npos) << err_;
    }
}

TEST_F(CommandWindow, ReportsAsRequested) {
    if (!can_draw()) GTEST_SKIP() << err_;
    EXPECT_EQ(out_, "");
    ASSERT_EQ(
        shell("$K in.png -f box:size=5 --engine cpu --algorithm direct --headless --screenshot w.png --json"),
        0)
        << err_;
    const auto document = nlohmann::json::parse(out_);
    EXPECT_EQ(document.at("schema"), "kernelglass-window/1");
    EXPECT_EQ(document.at("screenshot"), "w.png");
    EXPECT_EQ(document.at("width"), 1280);
    EXPECT_EQ(document.at("input"), "in.png");
    EXPECT_EQ(document.at("recipe"), "box:size=5");
    EXPECT_NE(document.at("algorithm").get<std::string>().find("direct"), std::string::npos);
    ASSERT_EQ(shell("$K in.png -f box --headless --screenshot w.png -v"), 0) << err_;
    EXPECT_NE(err_, "") << "-v reports why the algorithm was chosen";
    write_file(path("a.txt"), "1 2 3\n");
    EXPECT_EQ(shell("$K a.txt in.png --headless --screenshot w.png"), 1) << "one of the files failed";
    EXPECT_EQ(joined_codes(), "not-an-image") << err_;
    EXPECT_NE(err_.find("a.txt"), std::string::npos) << err_;
    write_file(path("s.wav"), std::string("RIFF\x24\0\0\0WAVEfmt ", 16));
    EXPECT_EQ(shell("$K s.wav in.png --headless --screenshot w.png"), 1);
    EXPECT_EQ(joined_codes(), "not-an-image") << err_;
    EXPECT_NE(err_.find("--workspace signal"), std::string::npos) << err_;
    ASSERT_EQ(shell("$K in.png -f sobel --engine cpu --algorithm separable --headless --screenshot w.png"),
              0);
}

} // namespace
} // namespace kg::testing
