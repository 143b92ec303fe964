// Border `constant`: the pixel outside the image, in every algorithm of every engine (semantics 2).

#include "core/plan/frame.hpp"
#include "core/request/rounding.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/stages.hpp"

namespace kg::testing {
namespace {

constexpr std::array<float, kMaxChannels> kColour{0.25f, 0.6f, 1, 0.4f};

ImageRequest bordered_request(const PixelFormat& format, std::vector<Stage> stages) {
    ImageRequest request{{45, 37}, format, format, std::move(stages), Border::constant};
    request.outside = kColour;
    return request;
}

Stage gaussian_of_size(int side) { return generated_stage(GaussianGenerator{side / 6.0, side, side}); }
Stage off_centre() {
    auto kernel = make_kernel(4, 3, {1, -2, 3, 4, 5, 6, -7, 8, 9, 1, 2, 3}, 33);
    kernel.anchor_x = 0, kernel.anchor_y = 2;
    return Stage{{kernel}};
}

/// The reference with the border written out: the image in the middle of a larger one of the colour, whose
/// own border is too far away to matter.
TEST(ConstantBorder, ReferenceEqualsAnImageInALargerOneOfTheColour) {
    constexpr int kMargin = 13;
    for (const auto& format : {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u16, 4, 3},
                               PixelFormat{Depth::f32, 2, 1}, PixelFormat{Depth::f16, 1}})
        for (const auto light : {Light::stored, Light::linear})
            for (const auto& stage : {gaussian_of_size(13), sharpen(), off_centre()}) {
                auto request = bordered_request(format, {stage});
                request.light = light;
                const auto image = random_image(request.size, format, 3);
                auto larger = request;
                larger.border = Border::zero;
                larger.size = {request.size.width + 2 * kMargin, request.size.height + 2 * kMargin};
                Image around(larger.size, format);
                const auto pixel = outside_pixel(request);
                for (std::int64_t y = 0; y < larger.size.height; ++y)
                    for (std::int64_t x = 0; x < larger.size.width; ++x)
                        for (int c = 0; c < format.channels; ++c) {
                            const auto in_x = x - kMargin, in_y = y - kMargin;
                            const bool inside = whole(request.size).contains({in_x, in_y, 1, 1});
                            store(around.view(), x, y, c,
                                  inside ? sample(image.view(), in_x, in_y, c)
                                         : pixel[static_cast<std::size_t>(c)]);
                        }
                const auto expected = reference_image(larger, around.view());
                EXPECT_TRUE(same_pixels(
                    reference_image(request, image.view()).view(),
                    expected.view().crop({kMargin, kMargin, request.size.width, request.size.height})));
            }
}

TEST(ConstantBorder, ZeroIsTheColourOfZeros) {
    auto request = bordered_request({Depth::u8, 4, 3}, {gaussian_of_size(13), off_centre()});
    request.outside = {};
    const auto image = random_image(request.size, request.in, 4);
    const auto with_colour = reference_image(request, image.view());
    request.border = Border::zero;
    EXPECT_TRUE(same_pixels(with_colour.view(), reference_image(request, image.view()).view()));
}

TEST(ConstantBorder, EveryAlgorithmIsRight) {
    int computed = 0;
    const auto check = [&](const ImageRequest& request) {
        const auto image = random_image(request.size, request.in, 5);
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            const auto result = run(engine, request, image.view(), algorithm.id);
            EXPECT_TRUE(is_right(request, image.view(), result.view(), &algorithm))
                << engine.device().id << " " << algorithm.id;
            ++computed;
        });
    };
    for (const auto& format : {PixelFormat{Depth::u8, 1}, PixelFormat{Depth::u8, 4, 3},
                               PixelFormat{Depth::u16, 3}, PixelFormat{Depth::f32, 4, 3}})
        for (const auto& stages : {std::vector{gaussian_of_size(13)},
                                   {sharpen()},
                                   {off_centre()},
                                   {generated_stage(BoxGenerator{9, 9})},
                                   {gaussian_of_size(7), sharpen()}}) {
            auto request = bordered_request(format, stages);
            check(request);
            request.alpha = AlphaMode::straight;
            if (format.alpha >= 0) check(request);
        }
    auto linear = bordered_request({Depth::u8, 3}, {gaussian_of_size(7)});
    linear.light = Light::linear;
    check(linear);
    check(bordered_request({Depth::f32, 1}, {generated_stage(GaussianGenerator{200, 1201, 1201})}));
    EXPECT_GT(computed, 100);
}

TEST(ConstantBorder, AStepThatAmplifiesReadsTheColourToo) {
    // The first step leaves little of the image; the second one amplifies what lies outside.
    std::vector<float> weights(15 * 15);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = (i % 2 ? -4.37f : 4.37f) + 0.0031f * i;
    auto request = bordered_request(
        {Depth::u8, 1}, {Stage{{make_kernel(1, 1, {0.01f})}}, Stage{{make_kernel(15, 15, weights)}}});
    request.outside = {1, 1, 1, 1};
    const auto image = random_image(request.size, request.in, 8);
    EXPECT_TRUE(needs_float64(request));
    auto wrapped = request;
    wrapped.border = Border::wrap;
    EXPECT_FALSE(needs_float64(wrapped));
    for (const auto& engine : engines())
        EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view()).view()));
}

TEST(ConstantBorder, AStatedErrorIsAlsoOfWhatLiesOutside) { // a step without weights leaves zeros inside
    auto request = bordered_request(
        {Depth::f32, 1}, {Stage{{make_kernel(1, 1, {0})}}, generated_stage(GaussianGenerator{3, 25, 25})});
    request.tolerance = 0.1;
    const auto image = random_image(request.size, request.in, 9);
    auto off = reference_image(request, image.view());
    store(off.view(), 22, 18, 0, sample(off.view(), 22, 18, 0) + 1e-3); // far from the edges
    EXPECT_TRUE(is_right(request, image.view(), off.view(), &cpu_algorithm("recursive")));
    request.border = Border::zero;
    auto off_zero = reference_image(request, image.view());
    store(off_zero.view(), 22, 18, 0, 5e-2);
    EXPECT_FALSE(is_right(request, image.view(), off_zero.view(), &cpu_algorithm("separable")));
}

TEST(ConstantBorder, PartsHaveTheBytesOfTheWhole) {
    auto request = bordered_request({Depth::u8, 3}, {gaussian_of_size(13), sharpen()});
    request.size = {150, 211};
    const auto image = random_image(request.size, request.in, 6);
    for (const auto& engine : engines()) {
        const auto prepared = plan(*engine, request);
        const auto all = run(*engine, request, image.view());
        const auto quantum = prepared->needs(whole(request.size)).row_quantum;
        const auto rows = (39 + quantum) / quantum * quantum;
        for (std::int64_t y = 0; y < request.size.height; y += rows) {
            const Rect part{0, y, request.size.width, std::min(rows, request.size.height - y)};
            const auto source = prepared->needs(part).source;
            EXPECT_TRUE(whole(request.size).contains(source));
            EXPECT_LE(source.height, part.height + 2 * 64) << "much more than the filters reach";
            EXPECT_TRUE(same_pixels(run(*engine, prepared, request, image.view(), part).view(),
                                    all.view().crop(part)))
                << engine->device().id << " " << y;
        }
    }
}

TEST(ConstantBorder, ColoursRoundToTheDepth) {
    auto request = bordered_request({Depth::u8, 4, 3}, {sharpen()});
    EXPECT_EQ(outside_pixel(request), (std::array<double, kMaxChannels>{64, 153, 255, 102}));
    request.outside = {-1, 2, 0, 0};
    EXPECT_EQ(outside_pixel(request), (std::array<double, kMaxChannels>{0, 255, 0, 0}));
    request.border = Border::wrap;
    EXPECT_EQ(outside_pixel(request), (std::array<double, kMaxChannels>{}));
}

} // namespace
} // namespace kg::testing
