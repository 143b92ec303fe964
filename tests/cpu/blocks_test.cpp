// `direct` and `separable` where the kernel reaches far beyond the picture.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stopping.hpp"

#include <cmath>

namespace kg::testing {
namespace {

Stage gaussian(double sigma) {
    const int side = 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
    return generated_stage(GaussianGenerator{sigma, side, side});
}

Stage uneven(int width, int height) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
    return {{make_kernel(width, height, std::move(weights), 65536)}}; // fine enough for float32
}

constexpr PixelFormat kFormats[] = {
    {Depth::u8, 4}, {Depth::u16, 3}, {Depth::f32, 1}, {Depth::f32, 2}, {Depth::f16, 1}};

TEST(Blocks, GaussiansFarLargerThanThePictureAreRight) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto& format : kFormats)
            for (const Extent size : {Extent{1, 1}, Extent{19, 45}, Extent{130, 7}}) {
                const ImageRequest request{size, format, format, {gaussian(150)}, border};
                const auto picture = random_picture(size, format, 3);
                ASSERT_TRUE(is_right(request, picture.view(),
                                     run(*engine, request, picture.view(), "separable").view()));
            }
}

TEST(Blocks, DenseKernelsFarLargerThanThePictureAreRight) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto& format : kFormats)
            for (const Extent size : {Extent{1, 1}, Extent{9, 14}, Extent{30, 3}}) {
                const ImageRequest request{size, format, format, {uneven(101, 75)}, border};
                const auto picture = random_picture(size, format, 3);
                for (const auto* way : {"direct", "float64"})
                    ASSERT_TRUE(
                        is_right(request, picture.view(), run(*engine, request, picture.view(), way).view()))
                        << way;
            }
}

// Wide pictures are summed in strips, whose lines need columns from far away under some borders.
TEST(Blocks, AnyPartAndAnyNumberOfThreadsGiveTheSameBytes) {
    const auto engine = cpu::make_engine(2), one = cpu::make_engine(1), seven = cpu::make_engine(7);
    for (const auto border : kBorders)
        for (const auto& format : {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::f16, 3}}) {
            for (const double sigma : {1.3, 30.0, 400.0}) {
                const ImageRequest request{{2500, 40}, format, format, {gaussian(sigma)}, border};
                const auto picture = random_picture(request.size, format, 5);
                const auto all = run(*engine, request, picture.view(), "separable");
                EXPECT_TRUE(same_pixels(all.view(), run(*one, request, picture.view(), "separable").view()));
                EXPECT_TRUE(
                    same_pixels(all.view(), run(*seven, request, picture.view(), "separable").view()));
                for (const Rect part :
                     {Rect{0, 0, 1, 1}, Rect{1023, 9, 2, 30}, Rect{2400, 39, 100, 1}, Rect{7, 0, 2000, 5}})
                    EXPECT_TRUE(same_pixels(all.view().crop(part),
                                            run(*engine, request, picture.view(), "separable", part).view()));
            }
        }
}

TEST(Blocks, StopSoonHoweverLargeTheKernel) {
    const auto engine = cpu::make_engine(2);
    const PixelFormat grey{Depth::f32, 1}, rgba{Depth::u8, 4}, halves{Depth::f16, 1};
    constexpr double kPixels = 1200 * 64;
    expect_stops_soon(*engine, {{1200, 64}, rgba, rgba, {gaussian(1000)}}, "separable",
                      2 * 8001 * 4 * kPixels);
    expect_stops_soon(*engine, {{1200, 64}, halves, halves, {gaussian(1000)}}, "separable",
                      2 * 8001 * kPixels);
    const auto wide = generated_stage(GaussianGenerator{8000, 64001, 1}); // the work is along the lines
    expect_stops_soon(*engine, {{1200, 64}, grey, grey, {wide}}, "separable", 64001 * kPixels);
    for (const auto* way : {"direct", "float64"})
        expect_stops_soon(*engine, {{40, 40}, grey, grey, {uneven(1025, 1025)}}, way,
                          1025.0 * 1025 * 40 * 40);
}

double predicted(const ImageRequest& request, std::string_view id) {
    for (const auto& candidate : candidates(*cpu::make_engine(1), request))
        if (candidate.algorithm->id == id && candidate.why_not.empty()) return candidate.microseconds;
    return -1;
}

TEST(Blocks, TheCostCountsWhatLiesOutsideThePicture) { // which a sum over output samples alone would not see
    const PixelFormat grey{Depth::f32, 1};
    const auto cost = [&](Extent size, Border border) {
        return predicted({size, grey, grey, {gaussian(1000)}, border}, "separable");
    };
    for (const auto border : kBorders) {
        EXPECT_GT(cost({1, 200}, border), 200 * 8001 / 500.0); // a line of 8001 places for each row
        EXPECT_GT(cost({200, 200}, border), 0);
        // A sum of fewer columns than a vector has is no cheaper than one of a whole vector.
        EXPECT_GE(cost({1, 200}, border), cost({64, 200}, border) / 2);
    }
}

} // namespace
} // namespace kg::testing
