// Images that do not fit in memory: filtered in bands of rows, with the bytes of the whole image.

#include "app/process/bands/bands.hpp"
#include "app/process/clip_sample.hpp"
#include "app/process/file_request.hpp"
#include "app/process/job.hpp"
#include "app/process/recipe_record.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/lost_engine.hpp"
#include "tests/support/temporary_folder.hpp"

#include <functional>
#include <set>
#include <thread>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class Bands : public ::testing::Test {
protected:
    fs::path path(const std::string& name) const { return folder_ / name; }

    static BandsOptions options(const std::string& recipe, const std::string& format,
                                std::shared_ptr<Engine> engine = cpu::make_engine(2)) {
        BandsOptions options;
        options.recipe = parse_recipe(recipe, "here");
        options.choice.engine = std::move(engine);
        options.format = format;
        options.name = "\"out\"";
        return options;
    }

    static std::string whole_path(const fs::path& file, const BandsOptions& options) {
        auto image = read_image(file, options.read);
        const auto request = file_request(image, options.recipe, options.format).request;
        const auto outcome = run_job(options.choice, request, image.pixels.view(), options.algorithm);
        return encode_result(outcome.image.view(), image, options.recipe, options.format, options.name,
                             options.write)
            .bytes;
    }

    /// Filters in bands of one row, of some and of all rows. Returns the largest number of bands.
    static std::int64_t expect_same(const fs::path& file, BandsOptions options) {
        const auto expected = whole_path(file, options);
        options.memory = std::size_t{1} << 30;
        std::int64_t most = 0;
        for (const std::int64_t rows : {1, 3, 16, 1000}) {
            options.most_rows = rows;
            StringSink out;
            const auto done = filter_in_bands(file, options, out);
            EXPECT_TRUE(out.take() == expected) << file.filename() << " as " << options.format << ", "
                                                << to_text(options.recipe) << ", " << done.bands << " bands";
            most = std::max(most, done.bands);
        }
        return most;
    }

    static void make_opaque(Image& image) {
        const auto [width, height] = image.size();
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) image.view().row<std::uint8_t>(y)[4 * x + 3] = 255;
    }
    void write_opaque(const std::string& name) const {
        auto image = random_image({61, 43}, {Depth::u8, 4, 3}, 1);
        make_opaque(image);
        write_image(path(name), std::as_const(image).view());
    }

    const TemporaryFolder temporary_{"bands"};
    const fs::path& folder_ = temporary_.path();
};

std::string why_not(const std::function<void()>& work) {
    try {
        work();
    } catch (const NotByRows& reason) {
        return reason.what();
    }
    return "nothing";
}

const std::vector<std::string> kRecipes{"box:width=5:height=3",
                                        "gaussian:sigma=2 | sobel | unsharp:sigma=1:amount=0.5", "sobel"};

TEST_F(Bands, AreTheWholeForEveryKindOfPixels) {
    for (const auto& [name, format] : {std::pair{"grey.png", PixelFormat{Depth::u8, 1}},
                                       std::pair{"alpha.png", PixelFormat{Depth::u8, 4, 3}},
                                       std::pair{"deep.png", PixelFormat{Depth::u16, 3}},
                                       std::pair{"grey-alpha.png", PixelFormat{Depth::u16, 2, 1}},
                                       std::pair{"colour.tif", PixelFormat{Depth::u8, 3}},
                                       std::pair{"float.tif", PixelFormat{Depth::f32, 1}},
                                       std::pair{"float-alpha.tif", PixelFormat{Depth::f32, 4, 3}},
                                       std::pair{"photo.jpg", PixelFormat{Depth::u8, 3}},
                                       std::pair{"grey.pgm", PixelFormat{Depth::u16, 1}},
                                       std::pair{"float.pfm", PixelFormat{Depth::f32, 3}},
                                       std::pair{"alpha.pam", PixelFormat{Depth::u8, 4, 3}}}) {
        write_image(path(name), random_image({61, 43}, format, 1).view());
        for (const auto& recipe : kRecipes) {
            EXPECT_GT(expect_same(path(name), options(recipe, path(name).extension())), 2) << name;
        }
    }
}

TEST_F(Bands, AreTheWholeOfAnOpaqueImageAndOfOneThatIsNotAtItsEnd) {
    auto image = random_image({61, 43}, {Depth::u8, 4, 3}, 1);
    make_opaque(image);
    for (const int last_alpha : {255, 254}) {
        image.view().row<std::uint8_t>(42)[4 * 60 + 3] = static_cast<std::uint8_t>(last_alpha);
        write_image(path("alpha.png"), std::as_const(image).view());
        auto how = options("gaussian:sigma=2", "png");
        EXPECT_GT(expect_same(path("alpha.png"), how), 2);
        how.memory = std::size_t{1} << 30;
        StringSink out;
        const auto done = filter_in_bands(path("alpha.png"), how, out);
        EXPECT_EQ(done.algorithm.find("convert") == std::string::npos, last_alpha == 255) << done.algorithm;
    }
}

TEST_F(Bands, ReadAlphaOnlyWhereBytesOrTimeDependOnIt) {
    write_opaque("alpha.png");
    for (const auto& [recipe, rows] :
         {std::pair{"box:width=5:height=3", 0}, std::pair{"box:width=6:height=4", 0}, std::pair{"sharpen", 0},
          std::pair{"laplacian", 0}, std::pair{"gaussian:sigma=2", 43},
          std::pair{"gaussian:sigma=2 | alpha=straight", 0}, std::pair{"box | border=zero", 0},
          std::pair{"box | box", 43}, std::pair{"box | depth=u16", 43},
          std::pair{"box | light=linear", 43}}) {
        auto how = options(recipe, "png");
        std::int64_t progress = 0;
        how.alpha_progress = [&](std::int64_t row, std::int64_t of) {
            EXPECT_EQ(of, 43);
            progress = row;
        };
        EXPECT_GT(expect_same(path("alpha.png"), how), 2);
        EXPECT_EQ(progress, rows) << recipe;
    }
}

TEST_F(Bands, ReadAlphaForAForcedAlgorithm) {
    write_opaque("alpha.png");
    auto how = options("box", "png");
    how.memory = std::size_t{1} << 30;
    how.algorithm = "direct";
    StringSink out;
    EXPECT_NE(filter_in_bands(path("alpha.png"), how, out).reason.find("alpha is full everywhere"),
              std::string::npos);
}

TEST_F(Bands, ReadAlphaWhereAlphaWeightingDoesNotFitInMemory) {
    auto image = random_image({3000, 20}, {Depth::u8, 4, 3}, 1);
    make_opaque(image);
    write_image(path("in.pam"), std::as_const(image).view());
    auto how = options("box", "pam");
    const auto expected = whole_path(path("in.pam"), how);
    bool was_read = false;
    how.alpha_progress = [&](std::int64_t, std::int64_t) { was_read = true; };
    for (; how.memory < std::size_t{1} << 26; how.memory += std::size_t{4} << 10) {
        StringSink out;
        if (why_not([&] { filter_in_bands(path("in.pam"), how, out); }) != "nothing") continue;
        EXPECT_TRUE(was_read);
        EXPECT_TRUE(out.take() == expected);
        was_read = false;
        break;
    }
    ASSERT_LT(how.memory, std::size_t{1} << 26);
    how.memory = std::size_t{1} << 30;
    StringSink out;
    const auto done = filter_in_bands(path("in.pam"), how, out);
    EXPECT_FALSE(was_read);
    EXPECT_EQ(done.reason.find("alpha is full everywhere"), std::string::npos);
}

TEST_F(Bands, ReadAlphaOnceForAllEngines) {
    write_opaque("alpha.png");
    const auto lost = make_losable_engine();
    lost->lose();
    auto how = options("gaussian:sigma=2", "png", lost);
    how.choice.fallback = cpu::make_engine(1);
    how.memory = std::size_t{1} << 30;
    std::int64_t times = 0;
    how.alpha_progress = [&](std::int64_t rows, std::int64_t of) { times += rows == of; };
    StringSink out;
    const auto done = filter_in_bands(path("alpha.png"), how, out);
    EXPECT_EQ(done.engine, how.choice.fallback);
    EXPECT_NE(done.reason.find("alpha is full everywhere"), std::string::npos) << done.reason;
    EXPECT_EQ(times, 1);
}

TEST_F(Bands, AreTheWholeForEveryBorderAndSize) {
    for (const Extent size :
         {Extent{1, 1}, Extent{37, 1}, Extent{1, 37}, Extent{5, 3}, Extent{16, 61}, Extent{23, 64}}) {
        write_image(path("in.png"), random_image(size, {Depth::u8, 3}, 2).view());
        for (const auto* border : {"zero", "replicate", "reflect", "reflect101", "wrap"})
            for (const auto* recipe :
                 {"gaussian:sigma=3", "box:width=3:height=25 | sobel", "box:width=1:height=101",
                  "motion:length=9:angle=30", "custom:size=1x5:weights=0,0,0,0,1"}) {
                auto how = options(recipe, "png");
                how.recipe.border = parse_border(border);
                expect_same(path("in.png"), how);
            }
    }
}

TEST_F(Bands, AreTheWholeInEveryLightAlphaAndDepth) {
    write_image(path("in.tif"), random_image({45, 38}, {Depth::u16, 4, 3}, 3).view());
    for (const auto* light : {"stored", "linear"})
        for (const auto* alpha : {"premultiplied", "straight", "keep"})
            for (const auto* format : {"png", "tif", "jpg", "pam"})
                expect_same(path("in.tif"), options("gaussian:sigma=1.5 | sharpen | light=" +
                                                        std::string(light) + " alpha=" + alpha,
                                                    format));
    for (const auto* depth : {"u8", "u16", "f32"})
        expect_same(path("in.tif"), options("laplacian | signed=half depth=" + std::string(depth), "tif"));
}

/// A profile other than sRGB, EXIF, XMP and an earlier recipe.
Metadata all_metadata() {
    Metadata metadata;
    metadata.icc = adobe_rgb_profile();
    metadata.exif = std::string("II*\0\x08\0\0\0\1\0\x0f\1\2\0\6\0\0\0\x1a\0\0\0\0\0\0\0Canon\0", 32);
    metadata.density = {3000, 3000, true};
    return metadata;
}

TEST_F(Bands, KeepWhatFilesCarry) {
    const auto metadata = all_metadata();
    for (const auto* from : {"in.png", "in.tif", "in.jpg"}) {
        write_image(path(from), random_image({40, 30}, {Depth::u8, 3}, 4).view(), {.metadata = &metadata});
        ASSERT_FALSE(read_image(path(from)).metadata.icc.empty());
        ASSERT_EQ(read_image(path(from)).metadata.exif.empty(), !io::keeps_exif());
        auto stripped = options("box", "tif");
        stripped.write.strip = true;
        expect_same(path(from), stripped);
        for (const auto* to : {"png", "tif", "jpg", "ppm"})
            for (const auto* light : {"stored", "linear"})
                expect_same(path(from), options("box | light=" + std::string(light), to));
    }
}

TEST_F(Bands, AreTheSameOnEnginesThatCopyAndAreShortOfMemory) {
    write_image(path("in.png"), random_image({300, 200}, {Depth::u8, 3}, 5).view());
    for (const auto& engine :
         {make_detached_engine(1, 0), make_detached_engine(1, 700'000), cpu::make_engine(2, 700'000)})
        EXPECT_GT(expect_same(path("in.png"), options("gaussian:sigma=2 | sobel", "png", engine)), 2);
}

TEST_F(Bands, KeepTheRowsOfDamagedFiles) {
    write_image(path("whole.jpg"), random_image({64, 64}, {Depth::u8, 3}, 6).view());
    const auto bytes = read_file(path("whole.jpg"));
    write_file(path("half.jpg"), bytes.substr(0, bytes.size() / 2));
    write_image(path("whole.pgm"), random_image({64, 64}, {Depth::u8, 1}, 6).view());
    write_file(path("half.pgm"), read_file(path("whole.pgm")).substr(0, 3000));
    for (const auto* name : {"half.jpg", "half.pgm"}) {
        auto how = options("box", "png");
        expect_same(path(name), how);
        how.memory = std::size_t{1} << 30;
        StringSink out;
        EXPECT_TRUE(is_damage_note(filter_in_bands(path(name), how, out).damage));
    }
    write_image(path("whole.png"), random_image({64, 64}, {Depth::u8, 1}, 6).view());
    write_file(path("half.png"), read_file(path("whole.png")).substr(0, 2000));
    StringSink out;
    auto how = options("box", "png");
    how.memory = std::size_t{1} << 30;
    EXPECT_THROW(filter_in_bands(path("half.png"), how, out), Error);
}

TEST_F(Bands, TakeNoMoreMemoryThanTheyMay) {
    write_image(path("in.pfm"), random_image({512, 2048}, {Depth::f32, 1}, 7).view());
    auto how = options("gaussian:sigma=2", "pfm");
    const auto expected = whole_path(path("in.pfm"), how);
    std::int64_t before = 0;
    for (how.memory = std::size_t{16} << 20; how.memory > (std::size_t{1} << 19); how.memory /= 2) {
        StringSink out;
        const auto done = filter_in_bands(path("in.pfm"), how, out);
        EXPECT_TRUE(out.take() == expected) << done.bands;
        EXPECT_GT(done.bands, before);
        before = done.bands;
    }
}

TEST_F(Bands, ReportWhyTheyCannotBeUsed) {
    const auto image = random_image({200, 400}, {Depth::u8, 3}, 8);
    for (const auto* name : {"in.png", "in.bmp", "in.webp"}) write_image(path(name), image.view());
    const auto reason = [&](const std::string& in, const std::string& out, const std::string& recipe,
                            std::size_t memory = std::size_t{1} << 30) {
        return why_not([&] {
            auto how = options(recipe, out);
            how.memory = memory;
            StringSink file;
            filter_in_bands(path(in), how, file);
        });
    };
    EXPECT_EQ(reason("in.bmp", "png", "box"), "BMP files are read as a whole");
    EXPECT_EQ(reason("in.png", "webp", "box"), "WebP files are written as a whole");
    EXPECT_EQ(reason("in.png", "png", "box", 300'000), "nothing");
    EXPECT_NE(reason("in.png", "png", "box | border=wrap", 300'000)
                  .find("under border wrap its first rows need its last"),
              std::string::npos);
    EXPECT_NE(reason("in.png", "png", "box:width=3:height=301", 1000).find("the smallest band takes"),
              std::string::npos);
}

TEST_F(Bands, KeepExifInATiffOfManyStripsWithLittleMemory) {
    if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    const auto metadata = all_metadata();
    const auto image = random_image({701, 3001}, {Depth::u8, 3}, 10);
    write_image(path("in.tif"), image.view(), {.metadata = &metadata});
    const auto back = read_image(path("in.tif"));
    EXPECT_TRUE(same_pixels(back.pixels.view(), image.view()));
    EXPECT_NE(back.metadata.exif.find("Canon"), std::string::npos);
    EXPECT_EQ(back.metadata.icc, metadata.icc);
    EXPECT_EQ(back.pages, 1);
    auto how = options("box", "tif");
    how.memory = std::size_t{4} << 20; // less than the file
    StringSink out;
    const auto done = filter_in_bands(path("in.tif"), how, out);
    EXPECT_EQ(done.notes, std::vector<std::string>{});
    EXPECT_GT(done.bands, 2);
    EXPECT_TRUE(out.take() == whole_path(path("in.tif"), how));
}

/// Records which threads wrote, and has room for `room` bytes.
class WatchedSink final : public ByteSink {
public:
    explicit WatchedSink(std::uint64_t room = UINT64_MAX) : room_(room) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void write(std::uint64_t at, std::string_view bytes) override {
        if (at + bytes.size() > room_) throw Error("cannot write \"out\": No space left on device");
        writers.insert(std::this_thread::get_id());
        bytes_.write(at, bytes);
    }
    void clear() override { bytes_.clear(); }
    std::string take() { return bytes_.take(); }

    std::set<std::thread::id> writers;

private:
    const std::uint64_t room_;
    StringSink bytes_;
};

TEST_F(Bands, AreWrittenWhileTheNextOneIsFilteredWhereTheMemoryDoesForIt) {
    write_image(path("in.ppm"), random_image({200, 400}, {Depth::u8, 3}, 11).view());
    auto how = options("box:width=3:height=301", "ppm");
    const auto expected = whole_path(path("in.ppm"), how);
    how.memory = std::size_t{1} << 30;
    how.most_rows = 16;
    WatchedSink all;
    const auto done = filter_in_bands(path("in.ppm"), how, all);
    EXPECT_EQ(done.bands, 25);
    EXPECT_TRUE(all.take() == expected);
    EXPECT_GT(all.writers.size(), 1U);

    for (how.memory = 100'000;; how.memory += 400) { // until it suffices
        ASSERT_LT(how.memory, std::size_t{1} << 20);
        WatchedSink least;
        try {
            filter_in_bands(path("in.ppm"), how, least);
        } catch (const NotByRows&) {
            continue;
        }
        EXPECT_TRUE(least.take() == expected);
        EXPECT_EQ(least.writers, std::set{std::this_thread::get_id()});
        break;
    }
}

TEST_F(Bands, EndWithTheFirstErrorOnWhicheverThread) {
    write_image(path("in.ppm"), random_image({200, 400}, {Depth::u8, 3}, 12).view());
    write_image(path("whole.png"), random_image({200, 400}, {Depth::u8, 3}, 12).view());
    const auto bytes = read_file(path("whole.png"));
    for (const std::size_t share : {20, 50, 90}) {
        write_file(path("cut.png"), bytes.substr(0, bytes.size() * share / 100));
        auto how = options("box", "ppm");
        how.memory = std::size_t{1} << 30;
        how.most_rows = 8;
        WatchedSink out, full(200 * 3 * 400 * share / 100);
        const auto message = [&](const char* in, ByteSink& to) -> std::string {
            try {
                filter_in_bands(path(in), how, to);
            } catch (const Error& error) {
                return error.what();
            }
            return "nothing";
        };
        EXPECT_NE(message("cut.png", out).find("cannot open " + quoted(path("cut.png"))), std::string::npos);
        EXPECT_LT(out.size(), 200U * 3 * 400);
        EXPECT_NE(message("in.ppm", full).find("No space left on device"), std::string::npos);
    }
}

TEST_F(Bands, CountWhatIsClippedAsOfTheWhole) {
    const Extent size{300, 1500};
    const auto engine = cpu::make_engine(2);
    for (const auto& format : {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u16, 4, 3}}) {
        const auto image = random_image(size, format, 13);
        write_image(path("in.tif"), image.view());
        for (const auto* recipe : {"sharpen", "sobel | unsharp:amount=3", "gaussian:sigma=2"}) {
            auto how = options(recipe, "tif", engine);
            auto read = read_image(path("in.tif"));
            const auto request = file_request(read, how.recipe, "tif").request;
            const auto expected = ClipSample(engine).count(request, read.pixels.view());
            ASSERT_TRUE(expected);
            EXPECT_EQ(expected->below + expected->above > 0, may_clip(request));
            how.memory = std::size_t{1} << 30;
            for (const std::int64_t rows : {5, 16, 100, 2000}) {
                how.most_rows = rows;
                how.counter = nullptr;
                StringSink out;
                EXPECT_FALSE(filter_in_bands(path("in.tif"), how, out).clipping);
                how.counter = engine;
                const auto done = filter_in_bands(path("in.tif"), how, out);
                ASSERT_TRUE(done.clipping) << recipe;
                EXPECT_EQ(*done.clipping, *expected) << recipe << ", " << done.bands << " bands";
            }
        }
    }
}

TEST_F(Bands, ReportProgress) {
    write_image(path("in.ppm"), random_image({64, 100}, {Depth::u8, 1}, 14).view());
    auto how = options("box", "ppm");
    how.memory = std::size_t{1} << 30;
    how.most_rows = 40;
    std::vector<std::int64_t> rows;
    how.progress = [&](std::int64_t done, std::int64_t of) {
        EXPECT_EQ(of, 100);
        rows.push_back(done);
    };
    StringSink out;
    filter_in_bands(path("in.ppm"), how, out);
    EXPECT_EQ(rows, (std::vector<std::int64_t>{40, 80, 100}));
}

TEST_F(Bands, CanBeStopped) {
    write_image(path("in.png"), random_image({64, 64}, {Depth::u8, 1}, 9).view());
    auto how = options("box", "png");
    how.memory = std::size_t{1} << 30;
    std::stop_source stop;
    stop.request_stop();
    StringSink out;
    EXPECT_THROW(filter_in_bands(path("in.png"), how, out, stop.get_token()), Cancelled);
}

TEST_F(Bands, CanBeStoppedWhileAlphaIsReadInChunks) {
    write_opaque("in.pam");
    auto how = options("gaussian:sigma=2", "pam");
    constexpr std::size_t kRow = 61 * 4, kPart = 32;
    how.memory = 3 * kRow * kPart;
    std::stop_source stop;
    std::vector<std::int64_t> progress;
    how.alpha_progress = [&](std::int64_t rows, std::int64_t) {
        progress.push_back(rows);
        if (progress.size() == 2) stop.request_stop();
    };
    StringSink out;
    EXPECT_THROW(filter_in_bands(path("in.pam"), how, out, stop.get_token()), Cancelled);
    EXPECT_EQ(progress, (std::vector<std::int64_t>{3, 6}));
}

} // namespace
} // namespace kg::testing
