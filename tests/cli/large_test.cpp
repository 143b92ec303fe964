// Images far larger than their memory limit, on the command line. KG_BANDS_HEIGHT=32768 makes images of 2
// gigapixels, which take minutes; scripts/endurance does so and records time and memory.

#include "app/io/files/growing_file.hpp"
#include "app/io/row_files.hpp"
#include "core/support/elapsed.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <sstream>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

constexpr PixelFormat kGrey{Depth::u8, 1};

/// Height of the large images, which are twice as wide.
std::int64_t height_wanted() {
    const char* set = std::getenv("KG_BANDS_HEIGHT");
    return set ? std::atoi(set) : 4096;
}

/// Some rows of an image that is never in memory as a whole: steps, ramps and three bits of noise, as in
/// photographs.
Image large_rows(std::int64_t width, std::int64_t first, std::int64_t count) {
    Image rows({width, count}, kGrey);
    for (std::int64_t row = 0; row < count; ++row) {
        const auto y = static_cast<std::uint32_t>(first + row);
        auto* to = rows.view().row<std::uint8_t>(row);
        for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(width); ++x) {
            auto noise = (x * 0x9e3779b1U) ^ (y * 0x85ebca77U);
            noise = (noise ^ noise >> 15) * 0x2c1b3c6dU;
            to[x] = static_cast<std::uint8_t>((x / 64 + y / 16) % 200 + (x % 512 == 0) + (noise >> 29));
        }
    }
    return rows;
}

class CommandLarge : public Program {
protected:
    void make_large(const std::string& name, Extent size) const {
        constexpr std::int64_t kRows = 64;
        const auto extension = fs::path(name).extension().string();
        GrowingFile file(
            path(name),
            [&](ByteSink& sink) {
                ImageRowsWriter writer(sink, size, kGrey, extension, name, {}, 0);
                for (std::int64_t y = 0; y < size.height; y += kRows)
                    writer.write(large_rows(size.width, y, std::min(kRows, size.height - y)).view());
                writer.finish();
            },
            1);
        ASSERT_TRUE(file.take_name(false));
    }
    /// Runs the command and samples its peak memory in MiB: continuously at first, because small images take
    /// only some hundredths of a second.
    int shell_watched(const std::string& line, double& mebibytes) {
        const auto code = shell(line + " & p=$!\nlooks=0\n"
                                       "while grep VmHWM /proc/$p/status 2>/dev/null; do\n"
                                       "looks=$((looks + 1)); [ $looks -lt 300 ] || sleep 0.02\n"
                                       "done > watched; wait $p");
        std::istringstream lines(read_file(path("watched")));
        std::string word;
        while (lines >> word)
            if (std::isdigit(static_cast<unsigned char>(word.front()))) mebibytes = std::stod(word) / 1024;
        return code;
    }
};

TEST_F(CommandLarge, AnImageAmongThumbnailsTakesItsShareOfTheMemory) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    const auto height = height_wanted();
    fs::create_directories(path("few"));
    for (int i = 0; i < 8; ++i)
        write_image(path("few/small" + std::to_string(i) + ".png"),
                    random_image({60 + i, 40}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    fs::copy(path("few"), path("in"));
    make_large("in/large.tif", {2 * height, height});
    double before = 0, with_large = 0;
    const std::string flags = " -f gaussian:sigma=2 --engine cpu --in-flight 32M";
    ASSERT_EQ(shell_watched("$K batch few out0 -q" + flags, before), 0) << err_;
    ASSERT_EQ(shell_watched("$K batch in out --json" + flags, with_large), 0) << err_;
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 9}));
    RecordProperty("width", std::to_string(2 * height));
    RecordProperty("height", std::to_string(height));
    RecordProperty("mebibytes", std::to_string(with_large));
    RecordProperty("mebibytes_of_thumbnails_alone", std::to_string(before));
    RecordProperty("said", out_ + err_);
    EXPECT_LT(with_large, before + 32 + 24)
        << "the limit plus the memory of codecs and threads; without the large image " << before;
}

class CommandLargeFilter : public CommandLarge {
protected:
    void SetUp() override {
        RecordProperty("width", std::to_string(width_));
        RecordProperty("height", std::to_string(height_));
        make_large("in.tif", {width_, height_});
        write_image(path("pixel.png"), Image({1, 1}, kGrey).view());
        ASSERT_EQ(shell_watched("$K filter pixel.png pixel.tif -q" + kFlags, of_a_pixel_), 0) << err_;
    }
    void filter(const std::string& from, const std::string& to, int limit) {
        double most = 0;
        const auto began = std::chrono::steady_clock::now();
        ASSERT_EQ(shell_watched("$K filter " + from + " " + to + kFlags + " --json --memory " +
                                    std::to_string(limit) + "M",
                                most),
                  0)
            << err_;
        const auto seconds = seconds_since(began);
        EXPECT_GT(nlohmann::json::parse(out_).at("bands"), 1) << out_;
        EXPECT_LT(most, of_a_pixel_ + limit + 12) << "the limit plus the memory of codecs and threads";
        const auto what = from + " " + to + " ";
        RecordProperty(what + "seconds", std::to_string(seconds));
        RecordProperty(what + "mebibytes", std::to_string(most));
        RecordProperty(what + "file_bytes", std::to_string(fs::file_size(path(to))));
        RecordProperty(what + "said", err_);
    }
    Image rows_of(const std::string& name, std::int64_t first) const {
        ImageRows file(path(name));
        Image rows({width_, kRows}, kGrey);
        for (std::int64_t y = 0; y < first; y += kRows)
            file.read(rows.view().crop({0, 0, width_, std::min(kRows, first - y)}));
        file.read(rows.view());
        return rows;
    }

    static constexpr std::int64_t kRows = 64;
    static inline const std::string kFlags = " -f gaussian:sigma=2 --algorithm separable --engine cpu";
    const std::int64_t height_ = height_wanted(), width_ = 2 * height_;
    double of_a_pixel_ = 0;
};

TEST_F(CommandLargeFilter, MakesOneImageInEveryFormatAndBandHeightWhichIsThatOfWholeComputations) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    const int more = height_ > 8192 ? 256 : 64, less = more / 4;
    filter("in.tif", "out.pgm", more);
    filter("in.tif", "lower.pgm", less);
    filter("in.tif", "out.png", more);
    filter("in.tif", "lower.png", less);
    filter("out.png", "again.tif", more);
    EXPECT_EQ(shell("cmp out.pgm lower.pgm && cmp out.png lower.png"), 0) << out_;

    ImageRows pgm(path("out.pgm")), png(path("out.png"));
    ASSERT_EQ(pgm.size(), png.size());
    Image of_pgm({width_, kRows}, kGrey), of_png({width_, kRows}, kGrey);
    for (std::int64_t y = 0; y < height_; y += kRows) {
        pgm.read(of_pgm.view());
        png.read(of_png.view());
        ASSERT_TRUE(same_pixels(of_pgm.view(), of_png.view())) << "from row " << y;
    }

    constexpr std::int64_t kRadius = 8;
    for (const auto first : {std::int64_t{0}, height_ / 16 - kRows / 2, height_ / 2 + 13, height_ - kRows}) {
        const auto begin = std::max<std::int64_t>(0, first - kRadius);
        const auto end = std::min(height_, first + kRows + kRadius);
        write_image(path("part.pgm"), large_rows(width_, begin, end - begin).view());
        ASSERT_EQ(shell("$K filter part.pgm whole.pgm -q" + kFlags), 0) << err_;
        const auto whole = read_image(path("whole.pgm"));
        EXPECT_TRUE(same_pixels(rows_of("out.pgm", first).view(),
                                whole.pixels.view().crop({0, first - begin, width_, kRows})))
            << "from row " << first;
    }
}

} // namespace
} // namespace kg::testing
