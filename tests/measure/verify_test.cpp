// Rectangles of a large result are verified as strictly as a whole one.

#include "measure/verify.hpp"

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg::measure {
namespace {

using testing::code_of;

constexpr double kFew = 1e5; ///< so few that images of these sizes are verified in rectangles

ImageRequest request(const char* step, Depth depth, Border border) {
    const PixelFormat format{depth, 3};
    return {{173, 131}, format, format, {stage_of(parse_step(step))}, border};
}

TEST(Verify, VerifiesRectanglesUnderEveryBorder) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const char* step : {"gaussian:sigma=2", "sobel:direction=x", "emboss"}) {
                const auto r = request(step, depth, border);
                const auto image = testing::random_image(r.size, r.in, 3);
                const auto result = testing::run(*engine, r, image.view());
                const auto verification = verify(r, image.view(), result.view(), nullptr, kFew);
                EXPECT_TRUE(verification.right()) << step << ": " << verification.first_wrong;
                EXPECT_GT(verification.samples, 9 * 64 * 3);
                EXPECT_LT(verification.samples, r.size.width * r.size.height * 3);
            }
}

TEST(Verify, SeesAWrongBorder) {
    const auto right = request("gaussian:sigma=2", Depth::u8, Border::reflect101);
    auto wrong = right;
    wrong.border = Border::reflect;
    const auto image = testing::random_image(right.size, right.in, 4);
    const auto result = reference_image(wrong, image.view());
    const auto verification = verify(right, image.view(), result.view(), nullptr, kFew);
    EXPECT_FALSE(verification.right());
    EXPECT_NE(verification.first_wrong.find("in the rectangle at x 0 y 0"), std::string::npos)
        << verification.first_wrong;
    EXPECT_GT(verification.max_error, 1);
}

TEST(Verify, SeesAWrongCorner) {
    const auto r = request("gaussian:sigma=2", Depth::f32, Border::wrap);
    const auto image = testing::random_image(r.size, r.in, 5);
    auto result = reference_image(r, image.view());
    EXPECT_TRUE(verify(r, image.view(), result.view(), nullptr, kFew).right());
    store(result.view(), r.size.width - 1, r.size.height - 1, 2, 7.0);
    const auto verification = verify(r, image.view(), result.view(), nullptr, kFew);
    EXPECT_EQ(verification.wrong, 1);
    EXPECT_GT(verification.max_error, 5);
}

/// A chain whose steps all meet the border, one of them with a kernel whose anchor is not its middle.
ImageRequest chain(Depth depth, Border border) {
    auto r = request("gaussian:sigma=1", depth, border);
    for (const char* step : {"box:size=4", "sobel:direction=x"})
        r.stages.push_back(stage_of(parse_step(step)));
    return r;
}

TEST(Verify, VerifiesRectanglesOfChainsUnderEveryBorder) {
    for (const auto border : kBorders)
        for (const auto depth : {Depth::u8, Depth::f32}) {
            const auto r = chain(depth, border);
            const auto image = testing::random_image(r.size, r.in, 9);
            auto result = reference_image(r, image.view());
            const auto verification = verify(r, image.view(), result.view(), nullptr, kFew);
            EXPECT_TRUE(verification.right()) << verification.first_wrong;
            EXPECT_EQ(verification.differing, 0) << "each rectangle equals the whole there";
            EXPECT_GE(verification.samples, 9 * 64 * 3);
            EXPECT_LT(verification.samples, r.size.width * r.size.height * 3);
            store(result.view(), r.size.width - 1, r.size.height - 1, 2, 77);
            EXPECT_EQ(verify(r, image.view(), result.view(), nullptr, kFew).wrong, 1);
            for (const auto other : kBorders) {
                if (other == border) continue;
                const auto wrong = reference_image(chain(depth, other), image.view());
                EXPECT_FALSE(verify(r, image.view(), wrong.view(), nullptr, kFew).right())
                    << name(border) << " taken for " << name(other);
            }
        }
}

TEST(Verify, VerifiesSmallImagesAndChainsThatReachFarAsAWhole) {
    auto r = request("box:size=5", Depth::u8, Border::zero);
    const auto image = testing::random_image(r.size, r.in, 6);
    const auto all = r.size.width * r.size.height * 3;
    EXPECT_EQ(verify(r, image.view(), reference_image(r, image.view()).view()).samples, all);
    for (int i = 0; i < 8; ++i) r.stages.push_back(r.stages.front());
    EXPECT_EQ(verify(r, image.view(), reference_image(r, image.view()).view(), nullptr, 1).samples, all);
}

TEST(Verify, VerifiesRectanglesUnderKernelsLargerThanTheImage) {
    for (const auto border : {Border::wrap, Border::zero}) {
        const auto r = request("box:size=201", Depth::u8, border);
        const auto image = testing::random_image(r.size, r.in, 6);
        auto result = testing::run(*cpu::make_engine(2), r, image.view());
        const auto verification = verify(r, image.view(), result.view(), nullptr, kFew);
        EXPECT_TRUE(verification.right()) << verification.first_wrong;
        EXPECT_LT(verification.samples, r.size.width * r.size.height * 3);
        const double was = sample(result.view(), 172, 130, 1);
        store(result.view(), 172, 130, 1, was > 100 ? was - 50 : was + 50);
        EXPECT_EQ(verify(r, image.view(), result.view(), nullptr, kFew).wrong, 1);
    }
}

TEST(Verify, CountsWhatDiffers) {
    const auto r = request("gaussian:sigma=1", Depth::u8, Border::zero);
    const auto image = testing::random_image(r.size, r.in, 7);
    auto result = reference_image(r, image.view());
    EXPECT_EQ(verify(r, image.view(), result.view()).differing, 0);
    store(result.view(), 80, 60, 0, sample(result.view(), 80, 60, 0) > 100 ? 3 : 250);
    const auto verification = verify(r, image.view(), result.view());
    EXPECT_EQ(verification.differing, 1);
    EXPECT_EQ(verification.wrong, 1);
}

TEST(Verify, RefusesAResultOfAnotherSize) {
    const auto r = request("box:size=3", Depth::u8, Border::zero);
    const auto image = testing::random_image(r.size, r.in, 8);
    const Image other({3, 3}, r.out);
    EXPECT_EQ(code_of([&] { verify(r, image.view(), other.view()); }), "wrong-size");
    EXPECT_EQ(code_of([&] { verify(r, image.view(), other.view(), nullptr, kFew); }), "wrong-size")
        << "in rectangles, too";
}

TEST(Verify, OneReferenceServesManyResults) {
    for (const auto& r :
         {request("gaussian:sigma=2", Depth::u8, Border::reflect101), chain(Depth::f32, Border::wrap)})
        for (const double most_products : {kFew, 3e8}) {
            const auto image = testing::random_image(r.size, r.in, 3);
            const Verifier verifier(r, image.view(), most_products);
            auto result = reference_image(r, image.view());
            const auto right = verifier.verify(result.view());
            EXPECT_TRUE(right.right()) << right.first_wrong;
            EXPECT_EQ(right.samples, verify(r, image.view(), result.view(), nullptr, most_products).samples);
            store(result.view(), 2, 1, 0, sample(result.view(), 2, 1, 0) > 100 ? 3 : 250);
            const auto wrong = verifier.verify(result.view());
            EXPECT_EQ(wrong.wrong, 1);
            const auto* where = most_products == kFew ? "in the rectangle at x 0 y 0, at x "
                                                      : "at x 2 y 1 channel 0: ";
            EXPECT_EQ(wrong.first_wrong.find(where), 0u) << wrong.first_wrong;
            EXPECT_TRUE(verifier.verify(reference_image(r, image.view()).view()).right()) << "once more";
        }
}

TEST(Verify, StopsInTheReferenceAndInTheComparison) {
    const auto r = request("gaussian:sigma=2", Depth::u8, Border::zero);
    const auto image = testing::random_image(r.size, r.in, 8);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(Verifier(r, image.view(), kFew, stop.get_token()), Cancelled);
    const Verifier verifier(r, image.view());
    const auto result = reference_image(r, image.view());
    EXPECT_THROW(verifier.verify(result.view(), nullptr, stop.get_token()), Cancelled);
}

} // namespace
} // namespace kg::measure
