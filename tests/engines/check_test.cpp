// The judge of all other tests: what it must not let pass.

#include "tests/support/ways.hpp"

namespace kg::testing {
namespace {

/// A Gaussian for which ways that are not exact may be taken too.
ImageRequest tolerant(Depth depth) {
    ImageRequest request{{61, 47}, {depth, 1}, {depth, 1}, {generated_stage(GaussianGenerator{3, 25, 25})}};
    request.tolerance = 0.1;
    return request;
}

/// The reference's answer with one sample changed by `change`, a part of full scale.
Image changed(const ImageRequest& request, const ConstImageView& picture, double change) {
    auto result = reference_image(request, picture);
    store(result.view(), 20, 9, 0, sample(result.view(), 20, 9, 0) + change * full_scale(request.out));
    return result;
}

TEST(Check, AToleranceIsForWaysThatSayTheyAreNotExact) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const auto request = tolerant(depth);
        const auto picture = random_picture(request.size, request.in, 1);
        const auto stated = cpu_way("recursive").error(request);
        ASSERT_GT(stated, 2.0 / 255); // so that what follows is seen in every depth
        ASSERT_LE(stated, request.tolerance);
        const auto off = changed(request, picture.view(), 0.9 * stated);
        EXPECT_TRUE(is_right(request, picture.view(), off.view(), &cpu_way("recursive"))) << name(depth);
        EXPECT_FALSE(is_right(request, picture.view(), off.view(), &cpu_way("separable"))) << name(depth);
        EXPECT_FALSE(is_right(request, picture.view(), off.view())) << name(depth);
        // Nor does the user's tolerance excuse more than what the way says of itself.
        const auto far_off = changed(request, picture.view(), 1.2 * stated + 2 / full_scale(depth));
        EXPECT_FALSE(is_right(request, picture.view(), far_off.view(), &cpu_way("recursive"))) << name(depth);
    }
}

TEST(Check, ExactIntegerSumsAreIdenticalBytesUnderAToleranceToo) {
    auto request = tolerant(Depth::u8);
    request.stages = {generated_stage(BoxGenerator{5, 5})};
    const auto picture = random_picture(request.size, request.in, 1);
    const auto right = reference_image(request, picture.view());
    EXPECT_TRUE(is_right(request, picture.view(), right.view(), &cpu_way("box")));
    for (std::int64_t y = 0; y < request.size.height; y += 4) // a 25th of a whole number is never at a half
        for (std::int64_t x = 0; x < request.size.width; x += 13) {
            auto off = right.clone();
            store(off.view(), x, y, 0, sample(off.view(), x, y, 0) - 1);
            EXPECT_FALSE(is_right(request, picture.view(), off.view(), &cpu_way("box"))) << x << " " << y;
        }
}

TEST(Check, OneLevelOffIsWrongUnlessTheSumLiesAtAHalf) { // semantics 11 with weights that are not whole
    ImageRequest request{{9, 1}, {Depth::u8, 1}, {Depth::u8, 1}, {Stage{{make_kernel(1, 1, {0.3f})}}}};
    Image picture(request.size, request.in);
    for (int x = 0; x < 9; ++x) store(picture.view(), x, 0, 0, 20 * x + 5); // 1.5, 7.5, ...: all at a half
    auto result = reference_image(request, picture.view());
    EXPECT_TRUE(is_right(request, picture.view(), result.view()));
    store(result.view(), 4, 0, 0, sample(result.view(), 4, 0, 0) == 25 ? 26 : 25); // 25.5 either way
    EXPECT_TRUE(is_right(request, picture.view(), result.view()));
    store(result.view(), 4, 0, 0, 27);
    EXPECT_FALSE(is_right(request, picture.view(), result.view()));
    result = reference_image(request, picture.view());
    store(picture.view(), 4, 0, 0, 86); // 25.8 is 26
    store(result.view(), 4, 0, 0, 26);
    EXPECT_TRUE(is_right(request, picture.view(), result.view()));
    store(result.view(), 4, 0, 0, 25);
    EXPECT_FALSE(is_right(request, picture.view(), result.view()));
}

TEST(Check, HalfOfFullScaleIsAddedToWhatIsRoundedAlready) { // float32 has no room for 32767.5 less a 3001st
    ImageRequest request{
        {9, 1}, {Depth::u16, 1}, {Depth::u16, 1}, {Stage{{make_kernel(2, 1, {1, -1}, 3001)}}}};
    request.sign = SignedMode::half;
    Image picture(request.size, request.in);
    for (int x = 0; x < 9; ++x) store(picture.view(), x, 0, 0, 100 + x);
    for_each_way(request, [&](Engine& engine, const Algorithm& way) {
        auto result = run(engine, request, picture.view(), way.id);
        EXPECT_TRUE(is_right(request, picture.view(), result.view(), &way));
        store(result.view(), 4, 0, 0, sample(result.view(), 4, 0, 0) + 2);
        EXPECT_FALSE(is_right(request, picture.view(), result.view(), &way));
    });
}

TEST(Check, AWayIsAskedForItsErrorStepByStep) { // each with the formats between the steps
    static std::vector<ImageRequest> asked;
    const Algorithm way{"made up", "", "", "", nullptr, nullptr, nullptr, false, [](const Request& request) {
                            asked.push_back(std::get<ImageRequest>(request));
                            return asked.back().for_integers ? 0.0 : 0.01;
                        }};
    for (const auto depth : {Depth::f32, Depth::u8}) {
        const Stage mean{{make_kernel(2, 1, {1, 1}, 2)}};
        ImageRequest request{{61, 47}, {depth, 1}, {depth, 1}, {mean, mean}};
        Image picture(request.size, request.in);
        for (int y = 0; y < 47; ++y)
            for (int x = 0; x < 61; ++x) store(picture.view(), x, y, 0, 0.5 * full_scale(depth));
        asked.clear();
        const bool ends_in_floats = depth == Depth::f32; // 0.02 in two steps are 5 levels of a byte
        EXPECT_EQ(is_right(request, picture.view(), changed(request, picture.view(), 0.019).view(), &way),
                  ends_in_floats);
        ASSERT_EQ(asked.size(), 2u) << name(depth);
        EXPECT_EQ(asked[0].in.depth, depth);
        EXPECT_EQ(asked[0].out.depth, Depth::f32);
        EXPECT_EQ(asked[1].in.depth, Depth::f32);
        EXPECT_EQ(asked[1].for_integers, !ends_in_floats);
        EXPECT_FALSE(is_right(request, picture.view(), changed(request, picture.view(), 0.021).view(), &way));
    }
}

/// A blur, then a Sobel of 7 a side: what rounding the blur to f32 leaves is multiplied by 1280.
TEST(Check, AStepAfterAnotherMayBeOffByWhatItMakesOfRoundings) {
    ImageRequest request{{64, 48}, {Depth::u16, 1}, {Depth::u16, 1}, {}};
    const std::vector<int> smooth{1, 6, 15, 20, 15, 6, 1}, slope{-1, -4, -5, 0, 5, 4, 1};
    std::vector<float> weights;
    for (const int column : smooth)
        for (const int row : slope) weights.push_back(static_cast<float>(column * row));
    const Stage sobel{{make_kernel(7, 7, weights)}, Combine::single, 0, {}, {{smooth, slope}}};
    request.stages = {Stage{{make_kernel(3, 1, {0.3f, 0.4f, 0.3f})}}, sobel};
    Image picture(request.size, request.in); // a slope so even that nothing is clipped
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) store(picture.view(), x, y, 0, 40000 + 10 * x + (x * 7 + y * 3) % 5);
    for (const auto& engine : engines())
        for_each_way({engine}, request, [&](Engine& e, const Algorithm& way) {
            EXPECT_TRUE(
                is_right(request, picture.view(), run(e, request, picture.view(), way.id).view(), &way))
                << way.id;
        });
    const auto off_by = [&](double levels) { return changed(request, picture.view(), levels / 65535); };
    const double most = 2 * (4 + 14 + 2) * 0x1p-23 * 2560 * 42000; // what semantics 12 allows, at the most
    EXPECT_TRUE(is_right(request, picture.view(), off_by(most / 4).view()));
    EXPECT_FALSE(is_right(request, picture.view(), off_by(most + 1).view()));
    request.stages = {sobel}; // by itself it is held to the narrow rule
    EXPECT_FALSE(is_right(request, picture.view(), off_by(2).view()));
    request.stages = {request.stages.front(), Stage{{make_kernel(3, 1, {0.3f, 0.4f, 0.3f})}}};
    request.stages.front().kernels.front().divisor = 1280; // and with these weights nothing is magnified
    EXPECT_FALSE(is_right(request, picture.view(), off_by(2).view()));
}

} // namespace
} // namespace kg::testing
