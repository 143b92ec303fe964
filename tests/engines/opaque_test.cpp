// Images whose alpha is full everywhere are filtered without alpha weighting (core/request/opaque.hpp): the
// result does not change, and the cases in which it would.

#include "core/plan/verification.hpp"
#include "core/reference/reference.hpp"
#include "core/request/opaque.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stages.hpp"

#include <cmath>
#include <random>
#include <set>
#include <string_view>

namespace kg::testing {
namespace {

constexpr PixelFormat kRgba8{Depth::u8, 4, 3}, kRgba16{Depth::u16, 4, 3}, kGreyAlpha8{Depth::u8, 2, 1};

template <typename Sample>
Image with_full_alpha(Image image) {
    const auto& format = image.format();
    for (std::int64_t y = 0; y < image.size().height; ++y)
        for (std::int64_t x = 0; x < image.size().width; ++x)
            image.view().row<Sample>(y)[x * format.channels + format.alpha] = static_cast<Sample>(~0u);
    return image;
}
Image opaque_image(Extent size, const PixelFormat& format, unsigned seed) {
    auto image = random_image(size, format, seed);
    return format.depth == Depth::u8 ? with_full_alpha<std::uint8_t>(std::move(image))
                                     : with_full_alpha<std::uint16_t>(std::move(image));
}

Stage whole_blur() { return {{make_kernel(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16)}}; }
Stage laplacian() { return {{make_kernel(3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0})}}; }
/// Normalised weights as filters produce them, whose sum is 1 up to rounding.
Stage rounded_blur(int kernel_size, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> weights(static_cast<std::size_t>(kernel_size) * static_cast<std::size_t>(kernel_size));
    float sum = 0;
    for (auto& w : weights) sum += w = static_cast<float>(1 + random() % 1000);
    for (auto& w : weights) w /= sum;
    return {{make_kernel(kernel_size, kernel_size, std::move(weights))}};
}
Stage with_offset(Stage stage, float offset) {
    stage.kernels.front().offset = offset;
    return stage;
}

ImageRequest opaque_request(Extent size, const PixelFormat& format, std::vector<Stage> stages) {
    return {size, format, format, std::move(stages)};
}

TEST(Opaque, OneTransparentPixelIsFoundWhereverItIs) {
    for (const auto& format : {kRgba8, kRgba16, kGreyAlpha8, PixelFormat{Depth::u8, 4, 0},
                               PixelFormat{Depth::u8, 3, 2}, PixelFormat{Depth::u16, 2, 1}})
        for (const Extent size : {Extent{1, 1}, Extent{37, 3}, Extent{64, 2}, Extent{129, 2}}) {
            auto image = opaque_image(size, format, 1);
            EXPECT_TRUE(is_opaque(image.view()));
            for (std::int64_t y = 0; y < size.height; ++y)
                for (std::int64_t x = 0; x < size.width; ++x) {
                    auto* alpha = image.view().row<std::byte>(y) +
                                  (x * format.channels + format.alpha) *
                                      static_cast<std::int64_t>(bytes(format.depth));
                    *alpha = std::byte{0xfe}; // only the lower of two bytes
                    ASSERT_FALSE(is_opaque(image.view())) << x << " " << y;
                    *alpha = std::byte{0xff};
                }
        }
}

TEST(Opaque, WhatHasNoAlphaOrLiesBesideTheImageDoesNotCount) {
    auto plain = random_image({8, 8}, {Depth::u8, 4}, 1);
    EXPECT_FALSE(is_opaque(std::as_const(plain).view()));
    auto floats = random_image({8, 8}, {Depth::f32, 4, 3}, 1);
    EXPECT_FALSE(is_opaque(std::as_const(floats).view()));
    auto image = opaque_image({40, 6}, kRgba8, 2);
    image.view().row<std::uint8_t>(0)[3] = 0;
    image.view().row<std::uint8_t>(5)[4 * 39 + 3] = 0;
    EXPECT_FALSE(is_opaque(std::as_const(image).view()));
    EXPECT_TRUE(is_opaque(std::as_const(image).view().crop({1, 0, 38, 6})));
}

/// Both requests by the reference, in float64 and unrounded: the largest difference relative to full scale.
double apart_by_definition(const ImageRequest& a, const ImageRequest& b, const ConstImageView& image) {
    const auto of_a = reference_values(a, image), of_b = reference_values(b, image);
    double apart = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i) apart = std::max(apart, std::fabs(of_a[i] - of_b[i]));
    return apart / full_scale(a.out);
}

std::vector<std::vector<Stage>> chains() {
    return {{whole_blur()},
            {sharpen()},
            {rounded_blur(5, 1)},
            {rounded_blur(31, 2)},
            {with_offset(rounded_blur(7, 3), 0.25f)},
            {laplacian()},
            {with_offset(laplacian(), 0.5f)},
            {rounded_blur(5, 4), laplacian()},
            {with_offset(sharpen(), -0.1f), rounded_blur(4, 5), whole_blur()},
            {generated_stage(BoxGenerator{9, 3})}};
}

TEST(Opaque, TheReferenceGivesTheSameWithoutAlphaWeighting) {
    int changed = 0;
    for (const auto& format : {kRgba8, kRgba16, kGreyAlpha8}) {
        const auto image = opaque_image({23, 17}, format, 7);
        for (const auto& stages : chains())
            for (const auto border : {Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
                for (const auto out : {format.depth, Depth::f32})
                    for (const auto light : {Light::stored, Light::linear})
                        for (const auto sign : {SignedMode::clamp, SignedMode::absolute, SignedMode::half}) {
                            auto request = opaque_request({23, 17}, format, stages);
                            request.border = border, request.out.depth = out;
                            request.light = light, request.sign = sign;
                            const auto plain = for_opaque(request);
                            changed += plain.alpha != request.alpha;
                            EXPECT_LE(apart_by_definition(request, plain, image.view()), 0x1p-19)
                                << describe(request);
                        }
    }
    EXPECT_EQ(changed, 3 * 10 * 4 * 2 * 2 * 3);
}

TEST(Opaque, ExactSumsGiveTheSameBytesOnEveryEngine) {
    for (const auto& engine : engines())
        for (const auto& format : {kRgba8, kGreyAlpha8})
            for (const auto& stage :
                 {whole_blur(), sharpen(), laplacian(), generated_stage(BoxGenerator{7, 5}),
                  generated_stage(BoxGenerator{3, 2}), generated_stage(BoxGenerator{10, 1}),
                  generated_stage(BoxGenerator{14, 3}), generated_stage(BoxGenerator{98, 3}),
                  Stage{{make_kernel(3, 2, {1, 2, 3, 3, 2, 1}, 12)}}}) {
                const auto request = opaque_request({61, 45}, format, {stage});
                const auto image = opaque_image({61, 45}, format, 9);
                const auto plain = for_opaque(request);
                EXPECT_NE(plain.alpha, request.alpha);
                EXPECT_TRUE(same_pixels(run(*engine, plain, image.view()).view(),
                                        run(*engine, request, image.view()).view()))
                    << label(*engine) << " " << describe(request);
            }
}

TEST(Opaque, OtherSumsStayWithinTheAllowedError) {
    for (const auto& engine : engines())
        for (const auto& format : {kRgba8, kRgba16})
            for (const auto& stages : chains()) {
                const auto request = opaque_request({61, 45}, format, stages);
                const auto image = opaque_image({61, 45}, format, 9);
                const auto result = run(*engine, for_opaque(request), image.view());
                EXPECT_TRUE(is_right(request, image.view(), result.view()))
                    << label(*engine) << " " << describe(request);
                EXPECT_TRUE(is_opaque(result.view())) << label(*engine) << " " << describe(request);
                EXPECT_TRUE(depends_on_opaque(request)) << describe(request);
            }
}

TEST(Opaque, AlphaWeightingStaysWhereAlphaIsNotFull) {
    const auto image = opaque_image({23, 17}, kRgba8, 7);
    const auto expect_kept = [&](const ImageRequest& request) {
        EXPECT_EQ(for_opaque(request), request) << describe(request);
        EXPECT_FALSE(depends_on_opaque(request)) << describe(request);
        auto plain = request;
        plain.alpha = AlphaMode::straight;
        EXPECT_GT(apart_by_definition(request, plain, image.view()), 1e-5) << describe(request);
    };
    auto zeros = opaque_request({23, 17}, kRgba8, {whole_blur()});
    zeros.border = Border::zero; // alpha falls at the edges, and colour does not
    expect_kept(zeros);
    expect_kept(opaque_request({23, 17}, kRgba8, {Stage{{make_kernel(3, 1, {0.333f, 0.333f, 0.3335f})}}}));
}

TEST(Opaque, AnAlgorithmForOpaqueImagesOnlyReportsIt) {
    int refused = 0, only_if_opaque = 0; // there are none on processors without integer dot products
    for (const auto& engine : engines())
        for (const auto& format : {kRgba8, kRgba16})
            for (const auto& stage : {whole_blur(), rounded_blur(31, 2)}) {
                const auto request = opaque_request({61, 45}, format, {stage});
                std::set<std::string_view> weighing;
                for (const auto& answer : algorithm_answers(*engine, request))
                    if (answer.why_not.empty()) weighing.insert(answer.algorithm->id);
                for (const auto& plain : algorithm_answers(*engine, for_opaque(request))) {
                    only_if_opaque += plain.why_not.empty() && !weighing.contains(plain.algorithm->id);
                    try {
                        plan(*engine, request, plain.algorithm->id);
                    } catch (const Refused& error) {
                        refused += plain.why_not.empty();
                        EXPECT_EQ(error.supported_if_opaque(), plain.why_not.empty()) << error.what();
                    }
                }
            }
    EXPECT_EQ(refused, only_if_opaque);
}

TEST(Opaque, OtherRequestsAreUnchanged) {
    auto request = opaque_request({23, 17}, kRgba8, {rounded_blur(3, 1)});
    request.alpha = AlphaMode::keep;
    EXPECT_EQ(for_opaque(request), request);
    request.alpha = AlphaMode::premultiplied, request.stages.clear(); // a conversion only
    EXPECT_EQ(for_opaque(request), request);
    request = opaque_request({23, 17}, {Depth::u8, 4},
                             {rounded_blur(3, 1)}); // the fourth channel is not alpha
    EXPECT_EQ(for_opaque(request), request);
    request = opaque_request({23, 17}, kRgba8, {rounded_blur(3, 1)});
    request.out.depth = Depth::f32, request.out.premultiplied = true;
    EXPECT_EQ(for_opaque(request), request);
    // Sums that would need float64 without alpha weighting may use the faster float32 with it.
    auto large = sharpen();
    for (auto& w : large.kernels.front().weights) w *= 1001.3f;
    large.kernels.front().weights[4] -= 1000.3f;
    request = opaque_request({23, 17}, kRgba16, {large});
    ASSERT_TRUE(filters_alpha(large));
    EXPECT_EQ(for_opaque(request), request);
}

} // namespace
} // namespace kg::testing
