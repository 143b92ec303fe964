// `direct` and `separable` with kernels that reach far beyond the image.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stages.hpp"
#include "tests/support/stopping.hpp"

#include <cmath>

namespace kg::testing {
namespace {

Stage uneven(int width, int height) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
    return {{make_kernel(width, height, std::move(weights), 65536)}}; // accurate enough for float32
}

constexpr PixelFormat kFormats[] = {
    {Depth::u8, 4}, {Depth::u16, 3}, {Depth::f32, 1}, {Depth::f32, 2}, {Depth::f16, 1}};

TEST(Blocks, GaussiansFarLargerThanTheImageAreRight) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto& format : kFormats)
            for (const Extent size : {Extent{1, 1}, Extent{19, 45}, Extent{130, 7}}) {
                const ImageRequest request{size, format, format, {generated_gaussian(150)}, border};
                const auto image = random_image(size, format, 3);
                ASSERT_TRUE(
                    is_right(request, image.view(), run(*engine, request, image.view(), "separable").view()));
            }
}

TEST(Blocks, DenseKernelsFarLargerThanTheImageAreRight) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto& format : kFormats)
            for (const Extent size : {Extent{1, 1}, Extent{9, 14}, Extent{30, 3}}) {
                const ImageRequest request{size, format, format, {uneven(101, 75)}, border};
                const auto image = random_image(size, format, 3);
                for (const auto* algorithm : {"direct", "float64"})
                    ASSERT_TRUE(is_right(request, image.view(),
                                         run(*engine, request, image.view(), algorithm).view()))
                        << algorithm;
            }
}

// Wide images are summed in strips, whose lines need distant columns under some borders.
TEST(Blocks, AnyPartAndAnyNumberOfThreadsGiveTheSameBytes) {
    const auto engine = cpu::make_engine(2), one = cpu::make_engine(1), seven = cpu::make_engine(7);
    for (const auto border : kBorders)
        for (const auto& format : {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::f16, 3}}) {
            for (const double sigma : {1.3, 30.0, 400.0}) {
                const ImageRequest request{{2500, 40}, format, format, {generated_gaussian(sigma)}, border};
                const auto image = random_image(request.size, format, 5);
                const auto all = run(*engine, request, image.view(), "separable");
                EXPECT_TRUE(same_pixels(all.view(), run(*one, request, image.view(), "separable").view()));
                EXPECT_TRUE(same_pixels(all.view(), run(*seven, request, image.view(), "separable").view()));
                for (const Rect region :
                     {Rect{0, 0, 1, 1}, Rect{1023, 9, 2, 30}, Rect{2400, 39, 100, 1}, Rect{7, 0, 2000, 5}})
                    EXPECT_TRUE(same_pixels(all.view().crop(region),
                                            run(*engine, request, image.view(), "separable", region).view()));
            }
        }
}

TEST(Blocks, StopSoonHoweverLargeTheKernel) {
    const auto engine = cpu::make_engine(2);
    const PixelFormat grey{Depth::f32, 1}, rgba{Depth::u8, 4}, halves{Depth::f16, 1};
    constexpr double kPixels = 1200 * 64;
    expect_stops_soon(*engine, {{1200, 64}, rgba, rgba, {generated_gaussian(1000)}}, "separable",
                      2 * 8001 * 4 * kPixels);
    expect_stops_soon(*engine, {{1200, 64}, halves, halves, {generated_gaussian(1000)}}, "separable",
                      2 * 8001 * kPixels);
    // Most of the work is along the lines.
    const auto wide = generated_stage(GaussianGenerator{8000, 64001, 1});
    expect_stops_soon(*engine, {{1200, 64}, grey, grey, {wide}}, "separable", 64001 * kPixels);
    for (const auto* algorithm : {"direct", "float64"})
        expect_stops_soon(*engine, {{40, 40}, grey, grey, {uneven(1025, 1025)}}, algorithm,
                          1025.0 * 1025 * 40 * 40);
}

double predicted(const ImageRequest& request, std::string_view id) {
    for (const auto& candidate : algorithm_answers(*cpu::make_engine(1), request))
        if (candidate.algorithm->id == id && candidate.why_not.empty()) return candidate.microseconds;
    return -1;
}

TEST(Blocks, TheCostIncludesPositionsOutsideTheImage) { // which counting output samples alone would miss
    const PixelFormat grey{Depth::f32, 1};
    const auto cost = [&](Extent size, Border border) {
        return predicted({size, grey, grey, {generated_gaussian(1000)}, border}, "separable");
    };
    for (const auto border : kBorders) {
        EXPECT_GT(cost({1, 200}, border), 200 * 8001 / 500.0); // a line of 8001 positions for each row
        EXPECT_GT(cost({200, 200}, border), 0);
        // A sum of fewer columns than a vector costs as much as that of a whole vector.
        EXPECT_GE(cost({1, 200}, border), cost({64, 200}, border) / 2);
    }
}

} // namespace
} // namespace kg::testing
