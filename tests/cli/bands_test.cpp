// `batch` with images that exceed its memory limit, on the command line.

#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class CommandBands : public Program {
protected:
    void SetUp() override {
        fs::create_directories(path("in"));
        for (int i = 0; i < 8; ++i)
            write_image(path("in/small" + std::to_string(i) + ".png"),
                        random_image({60 + i, 40}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    }
};

TEST_F(CommandBands, HaveTheBytesOfTheWholeAndAreReported) {
    write_image(path("in/large.tif"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    write_image(path("in/large.jpg"), random_image({901, 700}, {Depth::u8, 3}, 2).view());
    const std::string steps = " -f gaussian:sigma=2 -f sobel -q";
    ASSERT_EQ(shell("$K batch in whole" + steps), 0) << err_;
    const auto* const line = "$K batch --json in out --in-flight 5M -f gaussian:sigma=2 -f sobel";
    EXPECT_EQ(shell(line), 0) << err_;
    EXPECT_EQ(batch_counts(out_), BatchCounts{.done = 10});
    EXPECT_TRUE(prints("the limit is 5 MiB (1 image)")) << err_;
    for (const auto& entry : fs::directory_iterator(path("in"))) {
        const auto name = entry.path().filename().string();
        EXPECT_TRUE(read_file(path("out/" + name)) == read_file(path("whole/" + name))) << name;
    }
    EXPECT_EQ(shell(line), 0) << err_;
    EXPECT_EQ(batch_counts(out_), BatchCounts{.up_to_date = 10});
    EXPECT_EQ(shell("$K batch in other --in-flight 5M --dry-run" + steps), 0) << err_;
    EXPECT_FALSE(fs::exists(path("other")));
}

TEST_F(CommandBands, ImagesThatCannotBeDoneSoAreRefusedAndTheOthersAreDone) {
    write_image(path("in/large.bmp"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    EXPECT_EQ(shell("$K batch --json in out -f box --in-flight 5M"), 1);
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 8, .failed = 1}));
    EXPECT_EQ(codes_, std::vector<std::string>{"image-too-large"}) << err_;
    EXPECT_TRUE(prints("; --in-flight sets another limit")) << err_;
    EXPECT_EQ(shell("find out -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

TEST_F(CommandBands, APngWithLittleMemoryHasTheSamePixels) {
    write_image(path("in/large.png"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    ASSERT_EQ(shell("$K filter in/large.png whole.png -f box -q"), 0) << err_;
    EXPECT_EQ(shell("$K batch in out -f box -q --in-flight 5M"), 0) << err_;
    EXPECT_EQ(shell("$K compare whole.png out/large.png"), 0) << out_;
}

TEST_F(CommandBands, AreReportedAsWholeImagesAre) {
    write_image(path("in/large.tif"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    const auto row_of = [this](const std::string& flags) {
        EXPECT_EQ(shell("$K batch in/large.tif out --redo -f sharpen --engine cpu --jsonl -q " + flags), 0)
            << err_;
        return Json::parse(out_);
    };
    const auto whole = row_of(""), bands = row_of("--in-flight 5M");
    EXPECT_EQ(bands.at("notes").size(), 1U);
    for (const auto* same :
         {"status", "width", "height", "depth", "channels", "format", "input_bytes", "output_bytes",
          "input_hash", "output_hash", "engine", "algorithm", "damaged", "clipped"})
        EXPECT_EQ(bands.at(same), whole.at(same)) << same;
    EXPECT_GT(bands.at("clipped").at("below"), 0);
    for (const auto& [stage, milliseconds] : bands.at("milliseconds").items())
        EXPECT_GE(milliseconds.get<double>(), 0) << stage;
}

TEST_F(CommandBands, CtrlCAbandonsTheImageAndTheSameCommandResumes) {
    // The large image takes many seconds; at most one of the small images waits behind it.
    write_image(path("in/a-large.ppm"), random_image({3000, 3000}, {Depth::u8, 3}, 2).view());
    const std::string line = " batch in out -f box:size=61 --algorithm direct --engine cpu --in-flight 16M";
    EXPECT_EQ(
        shell("env --default-signal=INT \"$K\"" + line + " --jsonl -q" +
              " &\nuntil ls -A out 2>/dev/null | grep -q '^[.]kg'; do pause; done\n"
              "kill -INT $!; wait $!; code=$?; find out -name '.kg*' -o -name '*large*' 1>&2; exit $code"),
        130)
        << err_;
    EXPECT_EQ(err_, "") << "no trace of it";
    std::istringstream lines(out_);
    std::map<std::string, int> of_status;
    for (std::string each; std::getline(lines, each);) {
        const auto row = Json::parse(each);
        if (row.at("input") == "in/a-large.ppm") {
            EXPECT_EQ(row.at("status"), "not_begun");
        }
        ++of_status[row.at("status")];
    }
    EXPECT_EQ(of_status["done"] + of_status["not_begun"], 9) << out_;
    EXPECT_GE(of_status["not_begun"], 8) << out_;
    EXPECT_EQ(shell("$K" + line), 0) << err_;
    EXPECT_TRUE(fs::exists(path("out/a-large.ppm")));
}

TEST_F(CommandBands, AfterAKillTheSameCommandLeavesNothingBehind) {
    write_image(path("in/a-large.ppm"), random_image({3000, 2000}, {Depth::u8, 3}, 2).view());
    const std::string line = "$K batch in out -f box:size=21 --engine cpu --in-flight 16M -q";
    ASSERT_EQ(shell("$K batch in whole -f box:size=21 --engine cpu -q"), 0) << err_;
    shell(line + " &\nuntil ls -A out 2>/dev/null | grep -q '^[.]kg'; do pause; done\n"
                 "kill -9 $!; wait $!");
    EXPECT_FALSE(fs::exists(path("out/a-large.ppm")));
    EXPECT_EQ(shell(line), 0) << err_;
    EXPECT_TRUE(read_file(path("out/a-large.ppm")) == read_file(path("whole/a-large.ppm")));
    EXPECT_EQ(shell("ls -A out | grep -v -e kernelglass -e png -e ppm"), 1) << out_;
}

TEST_F(CommandBands, AFullDiskAndDamagedFilesFailOnlyTheirOwnImages) {
    write_image(path("in/large.ppm"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    write_image(path("whole.png"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    const auto bytes = read_file(path("whole.png"));
    write_file(path("in/cut.png"), bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(shell("ulimit -f 2000; $K batch --json in out -f box --in-flight 5M"), 1); // units of 512 bytes
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 8, .failed = 2}));
    std::ranges::sort(codes_); // errors of two images, in the order of their failure
    EXPECT_EQ(codes_, (std::vector<std::string>{"cannot-write", "damaged-file"})) << err_;
    EXPECT_FALSE(fs::exists(path("out/large.ppm")) || fs::exists(path("out/cut.png")));
    EXPECT_EQ(shell("find out -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

} // namespace
} // namespace kg::testing
