// Bands of images with alpha, which is read in advance where the bytes or the time depend on it.

#include "tests/process/support/bands_fixture.hpp"
#include "tests/support/lost_engine.hpp"

namespace kg::testing {
namespace {

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
    const auto done = filter_in_bands(path("alpha.png"), how, out);
    EXPECT_TRUE(done.opaque);
    EXPECT_NE(done.reason.find("alpha is full everywhere"), std::string::npos) << done.reason;
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
        if (!fits_in_memory([&] { filter_in_bands(path("in.pam"), how, out); })) continue;
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
    EXPECT_FALSE(done.opaque);
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
    EXPECT_TRUE(done.opaque);
    EXPECT_EQ(times, 1);
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
