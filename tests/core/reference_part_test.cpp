// Parts of the reference have the bytes of the whole, wherever they lie.

#include "core/reference/reference.hpp"
#include "core/reference/reference_part.hpp"
#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

Kernel with_anchor(int width, int height, int x, int y) {
    std::vector<float> weights;
    for (int i = 0; i < width * height; ++i) weights.push_back(static_cast<float>((i * 7) % 5 - 1));
    auto kernel = make_kernel(width, height, weights, static_cast<float>(width * height));
    kernel.anchor_x = x;
    kernel.anchor_y = y;
    return kernel;
}

constexpr Rect kParts[] = {{0, 0, 23, 1}, {0, 18, 23, 1}, {0, 7, 23, 4},  {0, 0, 1, 19},  {22, 0, 1, 19},
                           {9, 9, 1, 1},  {0, 0, 1, 1},   {22, 18, 1, 1}, {3, 2, 15, 13}, {0, 0, 23, 19}};

void expect_parts(const ImageRequest& request, const ConstImageView& image) {
    const auto all = reference_image(request, image);
    for (const auto& part : kParts) {
        SCOPED_TRACE(std::string(name(request.border)) + " " + std::to_string(part.x) + "," +
                     std::to_string(part.y) + " " + std::to_string(part.width) + "x" +
                     std::to_string(part.height));
        EXPECT_TRUE(same_pixels(reference_part(request, image, part).view(), all.view().crop(part)));
    }
}

TEST(ReferencePart, HasTheBytesOfTheWholeForEveryBorder) {
    // Anchors at a corner read far inwards where the border reflects.
    const Stage corner{{with_anchor(5, 4, 4, 0)}}, other{{with_anchor(3, 6, 0, 5)}},
        centred{{with_anchor(3, 3, 1, 1)}};
    auto box = generated_stage(BoxGenerator{7, 5});
    for (const auto format :
         {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::f32, 4, 3}, PixelFormat{Depth::u16, 1}}) {
        const auto image = random_image({23, 19}, format, 11);
        for (const auto border : kBorders)
            for (const auto& stages : {std::vector{corner},
                                       {other, corner},
                                       {centred, other, centred},
                                       {box},
                                       {corner, box},
                                       {}}) {
                ImageRequest request{image.size(), format, format, stages, border};
                if (format.alpha >= 0) request.light = Light::linear;
                expect_parts(request, image.view());
            }
    }
}

TEST(ReferencePart, OfSeveralStepsHasAnEfficientHeight) {
    const auto format = PixelFormat{Depth::u8, 1};
    const Stage small{{with_anchor(3, 3, 1, 1)}}, large{{with_anchor(41, 41, 20, 20)}};
    EXPECT_EQ(efficient_part_height({{9, 9}, format, format, {large}}), 1);
    EXPECT_EQ(efficient_part_height({{9, 9}, format, format, {small}}), 7);
    EXPECT_EQ(efficient_part_height({{9, 9}, format, format, {small, large}}), 42);
    EXPECT_EQ(efficient_part_height({{9, 9}, format, format, {generated_stage(BoxGenerator{2001, 2001})}}),
              2000);
    EXPECT_EQ(reference_part_products({{9, 9}, {Depth::u8, 3}, {Depth::u8, 3}, {small, large}}),
              3.0 * (9 + 1681));
    EXPECT_EQ(reference_part_products({{9, 9}, format, format, {generated_stage(BoxGenerator{2001, 1999})}}),
              4000);
}

TEST(ReferencePart, LiesWithinTheImage) {
    const auto image = random_image({8, 6}, {Depth::u8, 1}, 3);
    const ImageRequest request{image.size(), image.format(), image.format(), {}};
    EXPECT_EQ(code_of([&] { reference_part(request, image.view(), {4, 4, 5, 1}); }), "part-outside");
    EXPECT_EQ(code_of([&] { reference_part(request, image.view(), {4, 4, 0, 1}); }), "part-outside");
}

} // namespace
} // namespace kg::testing
