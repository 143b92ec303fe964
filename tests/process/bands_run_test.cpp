// Bands within their memory, on several threads, and stopped by errors or requests.

#include "app/process/clipping/clip_sample.hpp"
#include "core/support/error.hpp"
#include "tests/process/support/bands_fixture.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/planning_engine.hpp"

#include <set>
#include <thread>

namespace kg::testing {
namespace {

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
    const auto filtering = [&](const std::string& in, const std::string& out, const std::string& recipe,
                               std::size_t memory = std::size_t{1} << 30) {
        return [=, this] {
            auto how = options(recipe, out);
            how.memory = memory;
            StringSink file;
            filter_in_bands(path(in), how, file);
        };
    };
    EXPECT_EQ(error_words(filtering("in.bmp", "png", "box")), "BMP files are read as a whole");
    EXPECT_EQ(error_words(filtering("in.png", "webp", "box")), "WebP files are written as a whole");
    EXPECT_EQ(code_of(filtering("in.png", "png", "box", 300'000)), "no error");
    const auto wraps = filtering("in.png", "png", "box | border=wrap", 300'000);
    EXPECT_EQ(code_of(wraps), "wrap-needs-all-rows");
    EXPECT_EQ(error_words(wraps),
              "the smallest band takes " + arguments_of(wraps).at(0) +
                  ", because under border wrap its first rows need its last ones; another "
                  "border takes less");
    const auto high = filtering("in.png", "png", "box:width=3:height=301", 1000);
    EXPECT_EQ(code_of(high), "band-too-large");
    EXPECT_EQ(error_words(high), "the smallest band takes " + arguments_of(high).at(0));
    EXPECT_THROW(high(), NotByRows);
}

/// Records which threads wrote, and has room for `room` bytes.
class WatchedSink final : public ByteSink {
public:
    explicit WatchedSink(std::uint64_t room = UINT64_MAX) : room_(room) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void write(std::uint64_t at, std::string_view bytes) override {
        if (at + bytes.size() > room_)
            throw Error("disk-full", "cannot write \"out\": No space left on device");
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
        if (!fits_in_memory([&] { filter_in_bands(path("in.ppm"), how, least); })) continue;
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
        const auto filtering = [&](const char* in, ByteSink& to) {
            return [&how, &to, file = path(in)] { filter_in_bands(file, how, to); };
        };
        EXPECT_TRUE(error_words(filtering("cut.png", out))
                        .starts_with("cannot open " + quoted(path("cut.png")) + ": "));
        EXPECT_LT(out.size(), 200U * 3 * 400);
        EXPECT_EQ(code_of(filtering("in.ppm", full)), "disk-full");
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

TEST_F(Bands, CanBeStoppedWhileAnAlgorithmTriesSettings) {
    write_image(path("in.png"), random_image({64, 64}, {Depth::u8, 1}, 9).view());
    std::stop_source stop;
    bool went_on = false;
    auto how = options("box", "png", std::make_shared<PlanningEngine>([&](const PlanContext& context) {
                           stop.request_stop();
                           went_on = context.time_is_left();
                       }));
    how.algorithm = "planned";
    how.memory = std::size_t{1} << 30;
    StringSink out;
    EXPECT_THROW(filter_in_bands(path("in.png"), how, out, stop.get_token()), Cancelled);
    EXPECT_FALSE(went_on);
}

} // namespace
} // namespace kg::testing
