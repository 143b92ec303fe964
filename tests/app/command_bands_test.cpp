// Pictures beyond the memory that a batch may take, by the command line. KG_BANDS_HEIGHT=32768 makes the large one of
// 2 gigapixels, which takes minutes; scripts/endurance does so, and keeps what that took.

#include "app/io/growing_file.hpp"
#include "app/io/row_files.hpp"
#include "tests/app/support/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdio>
#include <cstdlib>
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
            write_picture(path("in/small" + std::to_string(i) + ".png"),
                          random_picture({60 + i, 40}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    }
    /// A file of a picture that is never in memory: steps and ramps, which pack well.
    void make_large(const std::string& name, Extent size) const {
        constexpr std::int64_t kRows = 64;
        GrowingFile file(
            path(name),
            [&](ByteSink& sink) {
                const PixelFormat grey{Depth::u8, 1};
                PictureRowsWriter writer(sink, size, grey, "tif", name, {}, 0);
                Image rows({size.width, kRows}, grey);
                for (std::int64_t y = 0; y < size.height; y += kRows) {
                    for (std::int64_t row = 0; row < kRows; ++row)
                        for (std::int64_t x = 0; x < size.width; ++x)
                            rows.view().row<std::uint8_t>(row)[x] = static_cast<std::uint8_t>(
                                (x / 64 + (y + row) / 16) % 200 + (x % 512 == 0));
                    writer.write(
                        rows.view().crop(intersect(whole(rows.size()), {0, 0, size.width, size.height - y})));
                }
                writer.finish();
            },
            1);
        ASSERT_TRUE(file.take_name(false));
    }
    /// Runs the line, and sees what memory the program had taken when it was last looked at, in MiB.
    int shell_watched(const std::string& line, double& mebibytes) {
        const auto code = shell(
            line +
            " & p=$!\nwhile grep VmHWM /proc/$p/status 2>/dev/null; do sleep 0.02; done > watched; wait $p");
        std::istringstream lines(read_file(path("watched")));
        std::string word;
        while (lines >> word)
            if (std::isdigit(static_cast<unsigned char>(word.front()))) mebibytes = std::stod(word) / 1024;
        return code;
    }
    bool says(const std::string& text) const { return (out_ + err_).find(text) != std::string::npos; }
};

TEST_F(CommandBands, HaveTheBytesOfTheWholeAndSaySo) {
    write_picture(path("in/large.tif"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
    write_picture(path("in/large.jpg"), random_picture({901, 700}, {Depth::u8, 3}, 2).view());
    const std::string steps = " -f gaussian:sigma=2 -f sobel -q";
    ASSERT_EQ(shell("$K batch in whole" + steps), 0) << err_;
    EXPECT_EQ(shell("$K batch in out --in-flight 5M -f gaussian:sigma=2 -f sobel"), 0) << err_;
    EXPECT_TRUE(says("10 pictures done")) << out_;
    EXPECT_TRUE(says(" bands of rows, because it needs ")) << err_;
    EXPECT_TRUE(says("of memory, and the limit is 5 MiB (1 picture)")) << err_;
    for (const auto& entry : fs::directory_iterator(path("in"))) {
        const auto name = entry.path().filename().string();
        EXPECT_TRUE(read_file(path("out/" + name)) == read_file(path("whole/" + name))) << name;
    }
    EXPECT_EQ(shell("$K batch in out --in-flight 5M -f gaussian:sigma=2 -f sobel"), 0) << err_;
    EXPECT_TRUE(says("Nothing to do; 10 are up to date.")) << out_;
    EXPECT_EQ(shell("$K batch in other --in-flight 5M --dry-run" + steps), 0) << err_;
    EXPECT_FALSE(fs::exists(path("other")));
}

TEST_F(CommandBands, PicturesThatCannotBeDoneSoAreRefusedAndTheOthersAreDone) {
    write_picture(path("in/large.bmp"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
    EXPECT_EQ(shell("$K batch in out -f box --in-flight 5M"), 1);
    EXPECT_TRUE(says("8 pictures done")) << out_;
    EXPECT_TRUE(says("\"in/large.bmp\": it needs 10")) << err_;
    EXPECT_TRUE(
        says("the limit is 5 MiB; nor can it be done in bands of rows: BMP files are read as a whole; "
             "--in-flight sets another limit"))
        << err_;
    EXPECT_EQ(shell("find out -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

TEST_F(CommandBands, APngWithLittleMemoryHasTheSamePixels) {
    write_picture(path("in/large.png"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
    ASSERT_EQ(shell("$K filter in/large.png whole.png -f box -q"), 0) << err_;
    EXPECT_EQ(shell("$K batch in out -f box -q --in-flight 5M"), 0) << err_;
    EXPECT_EQ(shell("$K compare whole.png out/large.png"), 0) << out_;
}

TEST_F(CommandBands, AreReportedAsWholePicturesAre) {
    write_picture(path("in/large.tif"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
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

TEST_F(CommandBands, CtrlCGivesThePictureUpAndTheSameLineGoesOn) {
    // Many seconds of work; at most one of the small pictures waits behind it.
    write_picture(path("in/a-large.ppm"), random_picture({3000, 3000}, {Depth::u8, 3}, 2).view());
    const std::string line = " batch in out -f box:size=61 --algorithm direct --engine cpu --in-flight 16M";
    EXPECT_EQ(
        shell("env --default-signal=INT \"$K\"" + line + " --jsonl -q" +
              " &\nwhile ! ls -A out 2>/dev/null | grep -q '^[.]kg'; do sleep 0.01; done\n"
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

TEST_F(CommandBands, KilledInTheMiddleTheSameLineLeavesNothingBehind) {
    write_picture(path("in/a-large.ppm"), random_picture({3000, 2000}, {Depth::u8, 3}, 2).view());
    const std::string line = "$K batch in out -f box:size=21 --engine cpu --in-flight 16M -q";
    ASSERT_EQ(shell("$K batch in whole -f box:size=21 --engine cpu -q"), 0) << err_;
    shell(line + " &\nwhile ! ls -A out 2>/dev/null | grep -q '^[.]kg'; do sleep 0.01; done\n"
                 "kill -9 $!; wait $!");
    EXPECT_FALSE(fs::exists(path("out/a-large.ppm")));
    EXPECT_EQ(shell(line), 0) << err_;
    EXPECT_TRUE(read_file(path("out/a-large.ppm")) == read_file(path("whole/a-large.ppm")));
    EXPECT_EQ(shell("ls -A out | grep -v -e kernelglass -e png -e ppm"), 1) << out_;
}

TEST_F(CommandBands, AFullDiskAndDamagedFilesAreTheirFilesFailureOnly) {
    write_picture(path("in/large.ppm"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
    write_picture(path("whole.png"), random_picture({900, 700}, {Depth::u8, 3}, 1).view());
    const auto bytes = read_file(path("whole.png"));
    write_file(path("in/cut.png"), bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(shell("ulimit -f 2000; $K batch in out -f box --in-flight 5M"), 1); // of 512 bytes
    EXPECT_TRUE(says("8 pictures done")) << out_;
    EXPECT_TRUE(says("cannot open \"in/cut.png\": ")) << err_;
    EXPECT_TRUE(says("cannot write \"out/large.ppm\": File too large")) << err_;
    EXPECT_FALSE(fs::exists(path("out/large.ppm")) || fs::exists(path("out/cut.png")));
    EXPECT_EQ(shell("find out -name '.kg*'"), 0);
    EXPECT_EQ(out_, "");
}

TEST_F(CommandBands, ALargePictureTakesItsShareOfTheMemory) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    const char* set = std::getenv("KG_BANDS_HEIGHT");
    const std::int64_t height = set ? std::atoi(set) : 4096;
    make_large("in/large.tif", {2 * height, height});
    double before = 0, with_large = 0;
    ASSERT_EQ(shell("rm -rf few; mkdir few; cp in/small*.png few"), 0);
    ASSERT_EQ(shell_watched("$K batch few out0 -f gaussian:sigma=2 -q --engine cpu --in-flight 32M", before),
              0)
        << err_;
    ASSERT_EQ(shell_watched("$K batch in out -f gaussian:sigma=2 --engine cpu --in-flight 32M", with_large),
              0)
        << err_;
    EXPECT_TRUE(says("9 pictures done")) << out_;
    RecordProperty("width", std::to_string(2 * height));
    RecordProperty("height", std::to_string(height));
    RecordProperty("mebibytes", std::to_string(with_large));
    RecordProperty("mebibytes_of_thumbnails_alone", std::to_string(before));
    RecordProperty("said", out_ + err_);
    EXPECT_LT(with_large, before + 32 + 24)
        << "the limit, and what codecs and threads keep; without it " << before;
}

} // namespace
} // namespace kg::testing
