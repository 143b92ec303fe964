// Some algorithms sum alpha-weighted colour in one launch. `tiled` must give the bytes of `convert`, the
// algorithm and `convert` in sequence; all are compared with the reference. Skipped with the reason where
// there is no GPU.

#include "core/plan/cut.hpp"
#include "core/plan/verification.hpp"
#include "core/request/conversion.hpp"
#include "core/request/sample.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

namespace kg::testing {
namespace {

class AlphaWeighting : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }
    /// Every step of the request separately, through whole images.
    Image by_steps(const ImageRequest& request, const Image& image, std::string_view filter) const {
        const auto queue = engine->queue();
        auto now = allocate_view(*engine, request.in, whole(request.size));
        queue->upload(image.view(), now);
        for (const auto& step : cut_into_steps(request)) {
            const Item item{now, allocate_view(*engine, step.out, whole(request.size))};
            const std::string_view algorithm = is_conversion(step) ? "convert" : filter;
            const auto all = engine->algorithms();
            queue->run((*std::ranges::find(all, algorithm, &Algorithm::id))->plan(step, *engine, {}),
                       {&item, 1}, {});
            now = item.dst;
        }
        Image result(request.size, request.out);
        queue->download(now, result.view());
        queue->fence().wait();
        return result;
    }
    std::shared_ptr<Engine> engine;
};

template <typename Sample>
void cover(const ImageView& image) {
    constexpr auto kFull = static_cast<Sample>(~0u);
    for (std::int64_t y = 0; y < image.size.height; ++y)
        for (std::int64_t x = 0; x < image.size.width; ++x) {
            auto& alpha = image.row<Sample>(y)[4 * x + 3];
            const auto area = (x / 23 + y / 19) % 4;
            if (area == 0) alpha = 0;
            else if (area == 1) alpha = kFull;
            else if (area == 2) alpha = static_cast<Sample>(x % 3);
        }
}

/// Areas with alpha 0, full alpha and nearly 0, and noise. Of u8 or u16.
Image covered_image(Extent size, const PixelFormat& format, unsigned seed) {
    auto image = random_image(size, format, seed);
    if (format.depth == Depth::u8) cover<std::uint8_t>(image.view());
    else cover<std::uint16_t>(image.view());
    return image;
}

Stage random_stage(int width, int height, bool negative, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) sum += w = static_cast<float>(1 + random() % 1000) - (negative ? 480.0f : 0.0f);
    auto kernel = make_kernel(width, height, std::move(weights), sum);
    kernel.anchor_x = width / 3; // off the middle, so that nothing is symmetric
    return Stage{{std::move(kernel)}};
}

/// A column times a row. `exact`: of integers, whose sums are exact.
Stage separable_stage(int width, int height, bool exact, unsigned seed) {
    std::mt19937 random(seed);
    const auto factor = [&](int length) {
        std::vector<float> all(static_cast<std::size_t>(length));
        for (auto& w : all)
            w = exact ? static_cast<float>(1 + random() % 5) : 1e-3f * static_cast<float>(random() % 1000);
        return all;
    };
    const auto column = factor(height), row = factor(width);
    std::vector<float> weights;
    float sum = 0;
    for (const float c : column)
        for (const float r : row) sum += weights.emplace_back(c * r);
    auto kernel = make_kernel(width, height, std::move(weights), sum);
    kernel.anchor_x = width / 3;
    Stage stage{{std::move(kernel)}};
    if (exact) stage.factors = {{{column.begin(), column.end()}, {row.begin(), row.end()}}};
    return stage;
}

/// Positive weights with half of their sum taken from the middle, which is raised by that much.
Stage sharpening_stage(int width, int height, unsigned seed) {
    auto stage = random_stage(width, height, false, seed);
    auto& kernel = stage.kernels.front();
    for (auto& w : kernel.weights) w *= -0.5f;
    kernel.weights[kernel.weights.size() / 2] += 1.5f * kernel.divisor;
    return stage;
}

/// The squares of weights over their sum: no integers, and some of them far smaller than others.
Stage uneven(Stage stage) {
    auto& kernel = stage.kernels.front();
    float sum = 0;
    for (auto& w : kernel.weights) sum += w *= std::fabs(w);
    for (auto& w : kernel.weights) w /= sum;
    kernel.divisor = 1;
    return stage;
}

/// The same kernel with all weights and the divisor times `factor`.
Stage scaled(Stage stage, float factor) {
    auto& kernel = stage.kernels.front();
    for (auto& w : kernel.weights) w *= factor;
    kernel.divisor *= factor;
    return stage;
}

struct InOneLaunch {
    std::string_view algorithm;
    bool has_bytes_of_convert;
    std::vector<Stage> stages;
};

std::vector<InOneLaunch> in_one_launch() {
    return {{"tiled",
             true,
             {random_stage(1, 1, false, 1), random_stage(3, 3, false, 2), random_stage(5, 4, true, 3),
              random_stage(15, 15, false, 4), random_stage(2, 31, true, 5), random_stage(41, 41, false, 6)}},
            {"registers",
             false,
             {random_stage(2, 1, false, 1), random_stage(3, 3, false, 2), random_stage(5, 4, true, 3),
              random_stage(7, 7, true, 4), uneven(random_stage(7, 9, false, 5)),
              scaled(random_stage(3, 5, false, 6), -1)}},
            {"separable_fused",
             false,
             {separable_stage(1, 1, true, 1), separable_stage(3, 3, true, 2), separable_stage(9, 4, false, 3),
              separable_stage(15, 15, false, 4), separable_stage(2, 31, true, 5),
              separable_stage(63, 40, false, 6), scaled(separable_stage(5, 3, false, 7), -1)}},
            {"toeplitz",
             false,
             {random_stage(1, 1, false, 1), uneven(random_stage(9, 4, false, 2)),
              uneven(sharpening_stage(3, 3, 3)), uneven(random_stage(15, 15, false, 4)),
              separable_stage(16, 31, true, 5), sharpening_stage(31, 21, 6),
              uneven(random_stage(32, 40, false, 7))}}};
}

TEST_F(AlphaWeighting, OneLaunchHasTheBytesOfThree) {
    for (const auto& [algorithm, has_bytes_of_convert, stages] : in_one_launch())
        for (const auto depth : {Depth::u8, Depth::u16}) {
            if (depth == Depth::u16 && algorithm == "toeplitz") continue;
            for (const auto border : {Border::zero, Border::replicate, Border::reflect101, Border::wrap})
                for (const Extent size : {Extent{1, 1}, Extent{17, 13}, Extent{333, 257}})
                    for (const auto& stage : stages) {
                        const PixelFormat format{depth, 4, 3};
                        const ImageRequest request{size, format, format, {stage}, border};
                        ASSERT_TRUE(filters_alpha(stage));
                        const auto image = covered_image(size, format, 7);
                        EXPECT_EQ(plan(*engine, request, algorithm)->algorithm, algorithm);
                        const auto result = run(*engine, request, image.view(), algorithm);
                        EXPECT_TRUE(!has_bytes_of_convert ||
                                    same_pixels(result.view(), by_steps(request, image, algorithm).view()))
                            << algorithm << ' ' << describe(request);
                        EXPECT_TRUE(is_right(request, image.view(), result.view()))
                            << algorithm << ' ' << describe(request);
                    }
        }
}

TEST_F(AlphaWeighting, AnyRectangleHasTheBytesOfTheWhole) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto& [algorithm, stage] : {std::pair{"tiled", random_stage(9, 7, false, 8)},
                                               std::pair{"registers", random_stage(7, 9, false, 8)},
                                               std::pair{"separable_fused", separable_stage(9, 7, false, 8)},
                                               std::pair{"toeplitz", uneven(random_stage(9, 7, false, 8))},
                                               std::pair{"toeplitz", sharpening_stage(19, 7, 8)}}) {
            if (depth == Depth::u16 && std::string_view(algorithm) == "toeplitz") continue;
            const PixelFormat format{depth, 4, 3};
            const ImageRequest request{{500, 300}, format, format, {stage}, Border::wrap};
            const auto image = covered_image(request.size, format, 9);
            const auto all = run(*engine, request, image.view(), algorithm);
            for (const auto& area : {Rect{0, 0, 1, 1}, Rect{63, 15, 66, 3}, Rect{101, 7, 399, 293}})
                EXPECT_TRUE(same_pixels(all.view().crop(area),
                                        run(*engine, request, image.view(), algorithm, area).view()))
                    << algorithm << ' ' << name(depth);
        }
}

/// Weights and divisor so small or large that sums of them leave the ordinary range of floats.
TEST_F(AlphaWeighting, ScaledWeightsAreRight) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto& [algorithm, stage] : {std::pair{"registers", random_stage(5, 3, true, 14)},
                                               std::pair{"separable_fused", separable_stage(5, 9, false, 15)},
                                               std::pair{"toeplitz", random_stage(9, 9, false, 16)}}) {
            if (depth == Depth::u16 && std::string_view(algorithm) == "toeplitz") continue;
            for (const float factor : {0x1p-38f, 0x1p50f}) {
                const PixelFormat format{depth, 4, 3};
                const ImageRequest request{{333, 257}, format, format, {scaled(stage, factor)}};
                const auto image = covered_image(request.size, format, 17);
                const auto result = run(*engine, request, image.view(), algorithm);
                EXPECT_TRUE(is_right(request, image.view(), result.view()))
                    << algorithm << ' ' << factor << ' ' << describe(request);
            }
        }
}

/// Single pixels of the faintest alpha, and transparent areas between them. `toeplitz` computes most outputs
/// anew.
TEST_F(AlphaWeighting, FaintAlphaIsRight) {
    const PixelFormat format{Depth::u8, 4, 3};
    for (const auto& [algorithm, stage] : {std::pair{"toeplitz", uneven(random_stage(31, 31, false, 9))},
                                           std::pair{"toeplitz", uneven(random_stage(9, 14, false, 10))},
                                           std::pair{"toeplitz", uneven(sharpening_stage(3, 3, 11))},
                                           std::pair{"registers", uneven(random_stage(7, 9, false, 12))},
                                           std::pair{"registers", uneven(sharpening_stage(3, 3, 13))},
                                           std::pair{"separable_fused", separable_stage(15, 9, false, 14)}})
        for (const unsigned one_in : {3u, 200u, 5000u}) {
            const ImageRequest request{{333, 257}, format, format, {stage}, Border::reflect101};
            auto image = random_image(request.size, format, 12);
            std::mt19937 random(one_in);
            for (std::int64_t y = 0; y < request.size.height; ++y)
                for (std::int64_t x = 0; x < request.size.width; ++x)
                    image.view().row<std::uint8_t>(y)[4 * x + 3] = random() % one_in == 0;
            const auto result = run(*engine, request, image.view(), algorithm);
            EXPECT_TRUE(is_right(request, image.view(), result.view()))
                << algorithm << ' ' << one_in << ' ' << describe(request);
        }
}

/// `convert` alone, where it only multiplies by alpha or divides by it: every width up to a block's.
TEST_F(AlphaWeighting, ConvertingThereAndBackKeepsColour) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const std::int64_t width : {1, 2, 255, 256, 257, 1023, 1024, 1025, 2100}) {
            const PixelFormat format{depth, 4, 3};
            const ImageRequest request{{width, 3}, format, format, {separable_stage(1, 1, true, 1)}};
            const auto image = covered_image(request.size, format, 5);
            EXPECT_TRUE(is_right(request, image.view(), by_steps(request, image, "tiled").view())) << width;
        }
}

/// The same as by PixelConversion on the CPU, number by number, also for sums that no image has.
TEST_F(AlphaWeighting, DividingAnySumsIsThatOfTheCpu) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float sums[] = {0,     -0.0f,  1e-42f,    1e-30f,     1e-12f,
                          0.4f,  1,      254.5f,    255,        300,
                          65535, 7e4f,   1e13f,     1e38f,      -1e-30f,
                          -3,    -1e38f, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
    constexpr std::int64_t kCount = std::size(sums);
    for (const auto depth : {Depth::u8, Depth::u16}) {
        const PixelFormat straight{depth, 4, 3};
        auto work = straight;
        work.depth = Depth::f32, work.premultiplied = true;
        work.scale = static_cast<float>(full_scale(straight));
        ImageStep step({{kCount, kCount}, work, straight, {}});
        step.alpha = AlphaMode::straight;
        Image image(step.size, work), expected(step.size, straight), result(step.size, straight);
        for (std::int64_t y = 0; y < kCount; ++y)
            for (std::int64_t x = 0; x < kCount; ++x) {
                float* pixel = image.view().row<float>(y) + 4 * x;
                for (int c = 0; c < 3; ++c) pixel[c] = sums[(x + 7 * c) % kCount];
                pixel[3] = sums[y];
                float converted[4] = {pixel[0], pixel[1], pixel[2], pixel[3]};
                PixelConversion::from(step)(converted);
                for (int c = 0; c < 4; ++c)
                    if (depth == Depth::u8)
                        expected.view().row<std::uint8_t>(y)[4 * x + c] = SampleTraits<std::uint8_t>::from(
                            converted[c]);
                    else
                        expected.view().row<std::uint16_t>(y)[4 * x + c] = SampleTraits<std::uint16_t>::from(
                            converted[c]);
            }
        const auto queue = engine->queue();
        const Item item{allocate_view(*engine, work, whole(step.size)),
                        allocate_view(*engine, straight, whole(step.size))};
        queue->upload(image.view(), item.src);
        const auto all = engine->algorithms();
        queue->run((*std::ranges::find(all, "convert", &Algorithm::id))->plan(step, *engine, {}), {&item, 1},
                   {});
        queue->download(item.dst, result.view());
        queue->fence().wait();
        EXPECT_TRUE(same_pixels(result.view(), expected.view())) << name(depth);
    }
}

TEST_F(AlphaWeighting, IsConvertedWhereTiledDoesNotSupportIt) {
    const Stage large = random_stage(101, 101, false, 3); // more weights than a launch carries
    const auto algorithm = [&](const PixelFormat& format, const Stage& stage) {
        return plan(*engine, ImageRequest{{600, 500}, format, format, {stage}}, "tiled")->algorithm;
    };
    const auto small = random_stage(3, 3, false, 1);
    EXPECT_EQ(algorithm({Depth::u8, 4, 3}, large), "convert > tiled > convert");
    EXPECT_EQ(algorithm({Depth::u8, 2, 1}, small), "convert > tiled > convert");
    EXPECT_EQ(algorithm({Depth::f32, 4, 3}, small), "convert > tiled > convert");
    EXPECT_EQ(algorithm({Depth::u8, 4, 0}, small), "convert > tiled > convert");
    EXPECT_EQ(algorithm({Depth::u8, 4, 3}, small), "tiled");
}

} // namespace
} // namespace kg::testing
