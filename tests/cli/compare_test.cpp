// `compare` and `info`: their output for images with known differences.

#include "app/process/file/file_request.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace kg::testing {
namespace {

class CommandCompare : public Program {
protected:
    void write(const std::string& name, const Image& image) { write_image(path(name), image.view()); }
    nlohmann::json compare(const std::string& words) {
        shell("$K compare --json " + words);
        return nlohmann::json::parse(out_);
    }
};

Image grey(Extent size, double value, const PixelFormat& format = {Depth::u8, 1}) {
    Image image(size, format);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c) store(image.view(), x, y, c, value);
    return image;
}

TEST_F(CommandCompare, ReportsCountPositionAndSizeOfDifferences) {
    auto a = grey({10, 5}, 100), b = grey({10, 5}, 100);
    store(b.view(), 7, 3, 0, 137);
    store(b.view(), 1, 1, 0, 99);
    write("a.png", a), write("b.png", b);
    EXPECT_EQ(shell("$K compare a.png a.png"), 0);
    EXPECT_EQ(out_, "Same: all 50 samples are equal.\n");
    EXPECT_EQ(shell("$K compare a.png b.png"), 1);
    const double psnr = 10 * std::log10(255.0 * 255.0 / ((37.0 * 37.0 + 1) / 50));
    EXPECT_EQ(
        out_.find(
            "Different: 2 of 50 samples differ (4 %), at most by 37 of 255 at 7,3 in grey (100 and 137); "
            "PSNR "),
        0u)
        << out_;
    const auto json = compare("a.png b.png");
    EXPECT_NEAR(json.at("psnr_db").get<double>(), psnr, 1e-9);
    EXPECT_DOUBLE_EQ(json.at("largest").at("difference").get<double>(), 37.0 / 255);
}

TEST_F(CommandCompare, OnlyAllSamplesAreAHundredPerCent) {
    write("a.png", grey({100, 100}, 7));
    auto almost = grey({100, 100}, 8);
    store(almost.view(), 3, 3, 0, 7);
    write("almost.png", almost);
    write("all.png", grey({100, 100}, 8));
    auto one = grey({100, 100}, 7);
    store(one.view(), 3, 3, 0, 8);
    write("one.png", one);
    shell("$K compare a.png almost.png");
    EXPECT_NE(out_.find("9999 of 10000 samples differ (99.9 %)"), std::string::npos) << out_;
    shell("$K compare a.png all.png");
    EXPECT_NE(out_.find("10000 of 10000 samples differ (100 %)"), std::string::npos) << out_;
    shell("$K compare a.png one.png");
    EXPECT_NE(out_.find("1 of 10000 samples differ (0.01 %)"), std::string::npos) << out_;
}

TEST_F(CommandCompare, ToleranceIsAFractionOfFullScale) {
    for (const auto depth : {Depth::u8, Depth::u16}) {
        const double full = full_scale(depth);
        for (const double level :
             {0.0, 1.0, 41.0, full - 1}) { // rounding must not make 1/255 of 255 less than 1
            write("a.png", grey({3, 3}, level, {depth, 1}));
            write("b.png", grey({3, 3}, level + 1, {depth, 1}));
            const auto one = "1/" + std::to_string(static_cast<int>(full));
            EXPECT_EQ(shell("$K compare a.png b.png --tolerance " + one), 0) << out_;
            EXPECT_EQ(
                shell("$K compare a.png b.png --tolerance 0.99/" + std::to_string(static_cast<int>(full))), 1)
                << out_;
        }
    }
    EXPECT_NE(out_.find("9 differ by more than the tolerance"), std::string::npos) << out_;
}

TEST_F(CommandCompare, AnotherSizeChannelsOrDepthIsADifference) {
    write("a.png", grey({4, 4}, 255));
    write("wide.png", grey({5, 4}, 255));
    write("rgb.png", grey({4, 4}, 255, {Depth::u8, 3}));
    write("rgba.png", grey({4, 4}, 255, {Depth::u8, 4, 3}));
    write("deep.png", grey({4, 4}, 65535, {Depth::u16, 1}));
    EXPECT_EQ(shell("$K compare a.png wide.png --tolerance 1"), 1);
    EXPECT_EQ(out_, "Different: size: 4 x 4 and 5 x 4.\n");
    EXPECT_EQ(shell("$K compare a.png rgb.png --tolerance 1"), 1);
    EXPECT_EQ(out_, "Different: channels: grey and red, green, blue.\n");
    EXPECT_EQ(shell("$K compare rgb.png rgba.png"), 1);
    EXPECT_NE(out_.find("red, green, blue, alpha"), std::string::npos) << out_;
    EXPECT_EQ(shell("$K compare a.png deep.png"), 1);
    EXPECT_EQ(out_, "Different: depth: u8 and u16; all 16 samples are equal.\n");
}

TEST_F(CommandCompare, AlphaCounts) {
    auto a = grey({4, 4}, 200, {Depth::u8, 4, 3}), b = grey({4, 4}, 200, {Depth::u8, 4, 3});
    store(b.view(), 2, 0, 3, 10);
    write("a.png", a), write("b.png", b);
    const auto largest = compare("a.png b.png").at("largest");
    EXPECT_DOUBLE_EQ(largest.at("difference").get<double>(), 190.0 / 255);
    EXPECT_EQ(largest.at("x"), 2);
    EXPECT_EQ(largest.at("y"), 0);
    EXPECT_EQ(largest.at("channel"), "alpha");
    EXPECT_EQ(largest.at("a"), 200);
    EXPECT_EQ(largest.at("b"), 10);
}

TEST_F(CommandCompare, NotANumberEqualsItselfAndNothingElse) {
    auto a = grey({2, 1}, 0.5, {Depth::f32, 1});
    store(a.view(), 1, 0, 0, std::nan(""));
    write("nan.pfm", a);
    write("number.pfm", grey({2, 1}, 0.5, {Depth::f32, 1}));
    EXPECT_EQ(shell("$K compare nan.pfm nan.pfm"), 0) << out_;
    EXPECT_EQ(shell("$K compare nan.pfm number.pfm --tolerance 1000"), 1);
    EXPECT_NE(out_.find("not finite at 1,0"), std::string::npos) << out_;
}

TEST_F(CommandCompare, ErrorsExitWithTwo) {
    write("a.png", grey({2, 2}, 1));
    EXPECT_EQ(shell("$K compare a.png missing.png"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"cannot-read"});
    EXPECT_EQ(shell("$K compare a.png"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"missing-argument"});
    EXPECT_EQ(shell("$K compare a.png a.png --tolerance much"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"not-a-number"});
}

TEST_F(CommandCompare, QuietKeepsTheExitCode) {
    write("a.png", grey({2, 2}, 1)), write("b.png", grey({2, 2}, 2));
    EXPECT_EQ(shell("$K compare a.png b.png -q"), 1);
    EXPECT_EQ(out_ + err_, "");
}

TEST_F(CommandCompare, InfoDescribesImages) {
    write("deep.png", grey({4, 3}, 1, {Depth::u16, 3}));
    write("grey.jpg", grey({4, 3}, 1));
    write("light.exr", grey({4, 3}, 1, {Depth::f32, 4, 3}));
    EXPECT_EQ(shell("$K info deep.png grey.jpg light.exr"), 0) << err_;
    EXPECT_EQ(out_, "deep.png: PNG, 4 x 3, RGB, u16\n"
                    "grey.jpg: JPEG, 4 x 3, grey, u8\n"
                    "light.exr: OpenEXR, 4 x 3, RGB + alpha, f32, linear light, premultiplied alpha\n");
    EXPECT_EQ(shell("$K info missing.png deep.png"), 1);
    EXPECT_EQ(shell("$K info missing.png"), 2);
    EXPECT_EQ(shell("$K info ."), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"is-a-folder"}) << err_;
}

TEST_F(CommandCompare, InfoReportsFilesThatEndEarly) {
    write("whole.jpg", grey({64, 600}, 0.5));
    write("whole.pgm", grey({64, 60}, 0.5));
    ASSERT_EQ(shell("head -c 600 whole.jpg > cut.jpg; head -c 2000 whole.pgm > cut.pgm"), 0);
    EXPECT_EQ(shell("$K info whole.jpg whole.pgm"), 0);
    EXPECT_EQ(err_, "");
    EXPECT_EQ(shell("$K info cut.jpg cut.pgm"), 0) << "there is an image";
    EXPECT_NE(err_.find("\"cut.jpg\": damaged: it ends early"), std::string::npos) << err_;
    EXPECT_NE(err_.find("\"cut.pgm\": damaged: it ends after 31 of 60 rows"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K info cut.jpg --json -q"), 0);
    EXPECT_NE(out_.find("\"damage\": \"damaged: it ends early"), std::string::npos) << out_;
}

TEST_F(CommandCompare, LinearFilesBecomeStoredOnesByTheCurve) {
    write("light.pfm", grey({2, 2}, 0.5, {Depth::f32, 1}));
    auto linear = grey({2, 2}, 0.214041, {Depth::f32, 3}); // sRGB 0.5
    write("light.exr", linear);
    ASSERT_EQ(shell("$K filter light.exr stored.png --depth u8 && $K filter stored.png back.exr --depth f32"),
              0)
        << err_;
    EXPECT_NEAR(sample(read_image(path("stored.png")).pixels.view(), 0, 0, 1), 128, 1);
    EXPECT_NEAR(sample(read_image(path("back.exr")).pixels.view(), 0, 0, 1), 0.214, 0.004);
}

TEST_F(CommandCompare, PremultipliedColourIsDividedBeforeItsLightChanges) {
    LoadedImage image;
    // Premultiplied white at half alpha.
    image.pixels = grey({2, 2}, 32768, {Depth::u16, 4, 3});
    auto format = image.pixels.format();
    format.premultiplied = true;
    image.pixels.relabel(format);
    Recipe recipe;
    recipe.steps = {parse_step("box")};
    const auto request = file_request(image, recipe, "exr").request;
    EXPECT_TRUE(request.out.linear && !request.out.premultiplied);
    const auto result = reference_image(request, image.pixels.view());
    EXPECT_NEAR(sample(result.view(), 0, 0, 0), 1.0, 1e-4) << "white is 1 in either light";
    EXPECT_NEAR(sample(result.view(), 0, 0, 3), 0.5, 1e-4);
}

} // namespace
} // namespace kg::testing
