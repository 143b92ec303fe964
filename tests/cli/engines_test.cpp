// Engines with limits on the command line: memory limits, missing engines, the list of devices.

#include "core/plan/parts.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

class CommandEngines : public Program {
protected:
    bool has_gpu() const { return gpu::make_engine()->usable().empty(); }
};

TEST_F(CommandEngines, AMemoryLimitMeansBandsOrRegionsWithTheSamePixels) {
    write_image(path("in.png"), random_image({400, 300}, {Depth::u8, 4, 3}, 1).view());
    const std::string steps = " -f gaussian:sigma=2 -f sobel --engine cpu ",
                      line = "$K filter in.png out.png" + steps;
    ASSERT_EQ(shell("$K filter in.png whole.png" + steps), 0) << err_;
    EXPECT_EQ(err_, "");
    ASSERT_EQ(shell(line + "--memory 500K --json"), 0) << err_;
    EXPECT_GT(Json::parse(out_).at("bands"), 1);
    EXPECT_TRUE(
        same_pixels(read_image(path("out.png")).pixels.view(), read_image(path("whole.png")).pixels.view()));
    ASSERT_EQ(shell(line + "--memory 1G --json"), 0) << err_;
    EXPECT_EQ(Json::parse(out_).at("parts"), 1);
    EXPECT_EQ(shell(line + "--memory 4K"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"image-too-large"}) << err_;
    for (const auto* wrong : {"12", "0M", "M", "1.5G", "2T", "-1M", "9999999G", "''"}) {
        EXPECT_EQ(shell(line + "--memory " + wrong), 2) << wrong;
        EXPECT_EQ(codes_, std::vector<std::string>{"bad-value"}) << wrong << ": " << err_;
    }

    // The batch has enough memory for the image, but the engine does not.
    ASSERT_EQ(shell("$K batch in.png out --memory 500K --json" + steps), 0) << err_;
    const auto file = Json::parse(out_).at("files").at(0);
    EXPECT_GT(file.at("parts"), 1);
    const auto notes = file.at("notes").get<std::vector<std::string>>();
    const auto engine = cpu::make_engine(0, std::size_t{500} << 10);
    EXPECT_EQ(std::ranges::count(notes, parts_text(engine->device(), file.at("parts"))), 1) << file;
    EXPECT_TRUE(same_pixels(read_image(path("out/in.png")).pixels.view(),
                            read_image(path("whole.png")).pixels.view()));
}

TEST_F(CommandEngines, AMissingEngineIsExitCode3WithARemedy) {
    if (has_gpu()) GTEST_SKIP() << "there is a GPU";
    write_image(path("in.png"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
    const auto why = gpu::make_engine()->usable();
    EXPECT_EQ(shell("$K filter in.png out.png -f box --engine cuda"), 3);
    EXPECT_EQ(err_, "kernelglass: The CUDA engine cannot be used: " + why +
                        ". --engine auto or cpu computes on the CPU\n");
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
    EXPECT_EQ(shell("$K batch in.png out -f box --engine cuda"), 3);
    EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
    EXPECT_EQ(out_, "");
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    EXPECT_EQ(shell("$K batch in.png out -f box --engine cuda --dry-run"), 3);
    EXPECT_EQ(shell("$K batch in.png out -f box --device 0"), 3);
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    EXPECT_EQ(shell("$K filter in.png out.png -f box --device 0"), 3);
    EXPECT_EQ(shell("$K explain -f box --engine cuda"), 3);
    EXPECT_EQ(shell("$K filter in.png out.png -f box -v"), 0);
    EXPECT_NE(err_.find("Using the CPU: " + why), std::string::npos) << err_;
}

TEST_F(CommandEngines, ABatchDoesNotWaitForCudaEvenIfItIsNamed) {
    if (gpu::algorithms().empty()) GTEST_SKIP() << "built without CUDA";
    write_image(path("in.png"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
    const std::string line =
        "KERNELGLASS_TEST_CUDA=starts LD_LIBRARY_PATH=" KG_FAKE_CUDA
        "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} $K batch in.png out -f box --json --engine ";
    EXPECT_EQ(shell(line + "cuda"), 3);
    EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    EXPECT_EQ(read_file(path("starts"), {}), "its own\n") << "started by a separate thread";
    EXPECT_EQ(shell(line + "auto"), 0) << err_;
    EXPECT_EQ(Json::parse(out_).at("engine"), "cpu");
    EXPECT_EQ(read_file(path("starts"), {}), "its own\nits own\n");
    EXPECT_EQ(shell(line + "cpu --redo"), 0) << err_;
    EXPECT_EQ(read_file(path("starts"), {}), "its own\nits own\n") << "not started for the CPU";
}

TEST_F(CommandEngines, CtrlCWhileCudaStartsLeavesNoFolder) {
    if (gpu::algorithms().empty()) GTEST_SKIP() << "built without CUDA";
    write_image(path("in.png"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
    // Four threads: the main thread, one waiting for the signal, one starting CUDA, and one waiting for CUDA
    // while images are read.
    EXPECT_EQ(shell("KERNELGLASS_TEST_CUDA_WAITS=go LD_LIBRARY_PATH=" KG_FAKE_CUDA
                    "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
                    " env --default-signal=INT \"$K\" batch in.png out -f box &\n"
                    "until [ $(ls /proc/$!/task | wc -l) -ge 4 ]; do pause; done\n"
                    "kill -INT $!\nuntil grep -q 'ShdPnd:.*00$' /proc/$!/status; do pause; done\n"
                    "echo > go; wait $!; code=$?; ls -A; exit $code"),
              130)
        << err_;
    EXPECT_EQ(out_, "No image was made; 1 was not begun.\ngo\nin.png\n");
    EXPECT_EQ(err_, "kernelglass: stopped; run the same command again to resume\n");
}

TEST_F(CommandEngines, DevicesAreListedUsableOrNot) {
    ASSERT_EQ(shell("$K list devices --json"), 0) << err_;
    const auto rows = Json::parse(out_).at("rows");
    const auto gpus = static_cast<std::size_t>(std::max(1, gpu::device_count()));
    ASSERT_EQ(rows.size(), 1 + gpus);
    EXPECT_EQ(rows[0].at("id"), "cpu:0");
    EXPECT_TRUE(rows[0].at("usable"));
    EXPECT_GT(rows[0].at("memory_bytes"), 1 << 20);
    for (std::size_t i = 1; i <= gpus; ++i) {
        const auto engine = gpu::make_engine(static_cast<int>(i) - 1);
        const auto& info = engine->device();
        EXPECT_EQ(rows[i].at("id"), "cuda:" + std::to_string(i - 1));
        EXPECT_EQ(rows[i].at("usable"), engine->usable().empty());
        EXPECT_EQ(rows[i].at("why_not"), engine->usable());
        EXPECT_EQ(rows[i].at("name"), info.name);
        EXPECT_EQ(rows[i].at("memory_bytes"), info.memory_bytes);
        EXPECT_EQ(rows[i].at("compute_capability"), info.compute_capability);
        EXPECT_EQ(rows[i].at("driver"), info.driver);
        if (engine->usable().empty()) {
            EXPECT_FALSE(info.compute_capability.empty());
            EXPECT_EQ(info.driver.find("CUDA "), 0u);
        }
    }
    ASSERT_EQ(shell("$K list devices"), 0);
    if (const auto why = gpu::make_engine()->usable(); !why.empty()) {
        EXPECT_NE(out_.find("not usable: " + why), std::string::npos) << out_;
    }
}

} // namespace
} // namespace kg::testing
