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

} // namespace
} // namespace kg::testing
