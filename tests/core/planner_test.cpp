// How requests are cut, chosen and forced.

#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

namespace kg {
namespace {

ImageRequest blur(PixelFormat format, int stages = 1) {
    ImageRequest request{{100, 80}, format, format, {}};
    for (int i = 0; i < stages; ++i)
        request.stages.push_back(Stage{{make_kernel(3, 3, std::vector<float>(9, 1), 9)}});
    return request;
}

TEST(Planner, OneStageOnStoredNumbersIsOneStep) {
    EXPECT_EQ(cut_into_steps(blur({Depth::u8, 3})).size(), 1u);
}

TEST(Planner, AChainRoundsOnlyOnceAtTheEnd) {
    const auto steps = cut_into_steps(blur({Depth::u8, 3}, 3));
    ASSERT_EQ(steps.size(), 4u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(steps[i].out.depth, Depth::f32);
    EXPECT_EQ(steps[1].in.scale, 255.0f); // still 0..255: integers stay exact
    EXPECT_EQ(steps.back().out.depth, Depth::u8);
}

TEST(Planner, AlphaIsPremultipliedAroundTheStages) {
    const auto steps = cut_into_steps(blur({Depth::u8, 4, 3}));
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_TRUE(steps[0].out.premultiplied && steps[1].in.premultiplied && steps[2].in.premultiplied);
    EXPECT_FALSE(steps[2].out.premultiplied);
}

TEST(Planner, AForcedAlgorithmThatDoesNotExistNamesThoseThatDo) {
    const auto engine = cpu::make_engine(1);
    try {
        plan(*engine, blur({Depth::u8, 3}), "tiled");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("direct"), std::string::npos) << error.what();
    }
}

TEST(Planner, SaysWhatItChoseAndWhy) {
    const auto engine = cpu::make_engine(1);
    const auto chosen = plan(*engine, blur({Depth::u8, 3}));
    EXPECT_EQ(chosen->algorithm, "direct");
    EXPECT_FALSE(chosen->reason.empty());
    EXPECT_EQ(plan(*engine, blur({Depth::u8, 3}), "reference")->algorithm, "reference");
}

TEST(Planner, NoStagesIsACopy) {
    const auto engine = cpu::make_engine(1);
    const auto request = blur({Depth::u8, 4, 3}, 0);
    const auto picture = testing::random_picture(request.size, request.in, 1);
    EXPECT_TRUE(testing::same_pixels(picture.view(), testing::run(*engine, request, picture.view()).view()));
}

TEST(Planner, AskingForMoreScratchThanAStripNeedsIsADefect) {
    const auto engine = cpu::make_engine(1);
    auto request = blur({Depth::f32, 3}, 4);
    request.size = {2000, 5000};
    const auto needs = plan(*engine, request)->needs(whole(request.size));
    EXPECT_LE(needs.scratch_bytes, engine->device().strip_bytes * 2);
    EXPECT_EQ(needs.source, whole(request.size));
}

} // namespace
} // namespace kg
