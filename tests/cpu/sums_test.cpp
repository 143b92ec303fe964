// Algorithms whose cost is independent of the kernel size: boxes by running sums, Gaussians by recursion.

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/stages.hpp"
#include "tests/support/stopping.hpp"

#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

ImageRequest request_for(Extent size, const PixelFormat& format, Stage stage,
                         Border border = Border::reflect101) {
    return {size, format, format, {std::move(stage)}, border};
}

std::string refusal(const ImageRequest& request, std::string_view id) {
    for (const auto& candidate : algorithm_answers(*cpu::make_engine(1), request))
        if (candidate.algorithm->id == id) return candidate.why_not;
    return "no algorithm has that name";
}

TEST(Box, IsRightForEveryRadius) {
    const auto engine = cpu::make_engine(2);
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32})
        for (const int radius : {1, 2, 3, 7, 8, 30, 64, 127, 128, 129, 300, 700, 1500, 3000}) {
            const auto border = kBorders[static_cast<std::size_t>(radius) % kBorders.size()];
            const auto request = request_for(
                {97, 53}, {depth, 1}, generated_stage(BoxGenerator{2 * radius + 1, 2 * radius + 1}), border);
            const auto image = random_image(request.size, request.in, static_cast<unsigned>(radius));
            ASSERT_TRUE(is_right(request, image.view(), run(*engine, request, image.view(), "box").view()))
                << "radius " << radius;
        }
}

// Also for sums far above 2^24, because nothing is rounded twice.
TEST(Box, GivesTheBytesOfDirectForIntegers) {
    const auto engine = cpu::make_engine(2);
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int kernel_size : {3, 15, 16}) {
            const auto count = static_cast<std::size_t>(kernel_size) * static_cast<std::size_t>(kernel_size);
            const auto request = request_for(
                {211, 90}, {depth, 3},
                Stage{{make_kernel(kernel_size, kernel_size, std::vector<float>(count, 1),
                                   static_cast<float>(count))}});
            const auto image = random_image(request.size, request.in, 4);
            const auto sums = run(*engine, request, image.view(), "box");
            if (sums_exactly(request.stages.front(), full_scale(depth))) {
                EXPECT_TRUE(same_pixels(sums.view(), run(*engine, request, image.view(), "direct").view()));
            } else {
                EXPECT_TRUE(is_right(request, image.view(), sums.view()));
            }
        }
}

TEST(Box, KeepsSmallSamplesBesideHugeOnes) { // subtraction in a running sum would leave the rounding of 1e30
    const auto engine = cpu::make_engine(1);
    const auto request = request_for({300, 40}, {Depth::f32, 1}, generated_stage(BoxGenerator{9, 7}));
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < 40; ++y)
        for (std::int64_t x = 0; x < 300; ++x)
            image.view().row<float>(y)[x] = (x * 7 + y * 13) % 61 == 0 ? 1e30f : 1e-30f;
    EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view(), "box").view()));
}

// For each of its algorithms: integers, blocks of rows, lines.
TEST(Box, AnyPartAndAnyNumberOfThreadsGiveTheSameBytes) {
    const auto engine = cpu::make_engine(2), one = cpu::make_engine(1), seven = cpu::make_engine(7);
    for (const auto depth : {Depth::u8, Depth::f32})
        for (const auto& box : {BoxGenerator{6, 11}, BoxGenerator{301, 203}, BoxGenerator{4001, 4001}}) {
            auto stage = generated_stage(box);
            stage.kernels.front().anchor_x = 2;
            const auto request = request_for({701, 250}, {depth, 3}, stage, Border::reflect);
            const auto image = random_image(request.size, request.in, 4);
            const auto all = run(*engine, request, image.view(), "box");
            EXPECT_TRUE(same_pixels(all.view(), run(*one, request, image.view(), "box").view()));
            EXPECT_TRUE(same_pixels(all.view(), run(*seven, request, image.view(), "box").view()));
            for (const Rect region : {Rect{0, 0, 1, 1}, Rect{333, 71, 200, 101}, Rect{690, 3, 11, 247}})
                EXPECT_TRUE(same_pixels(all.view().crop(region),
                                        run(*engine, request, image.view(), "box", region).view()));
        }
}

TEST(Box, ReportsWhatItDoesNotSupport) {
    EXPECT_NE(refusal(request_for({9, 9}, {}, Stage{{make_kernel(3, 1, {1, 2, 1})}}), "box"), "");
    EXPECT_NE(refusal(request_for({9, 9}, {}, Stage{{make_kernel(1, 1, {0})}}), "box"), "");
    EXPECT_NE(refusal(request_for({9, 9}, {}, generated_gaussian(200)), "box"), "");
    EXPECT_EQ(refusal(request_for({9, 9}, {}, Stage{{make_kernel(3, 1, {2, 2, 2})}}), "box"), "");
}

TEST(Box, AcceptsSumsThatOtherAlgorithmsRefuse) {
    const auto request = request_for({640, 480}, {Depth::u8, 4, 3},
                                     generated_stage(BoxGenerator{2001, 2001}));
    EXPECT_EQ(refusal(request, "direct"), kTooManyWeights);
    EXPECT_NE(refusal(request, "separable"), ""); // in 16 bits it would be several levels off
    const auto engine = cpu::make_engine(2);
    const auto prepared = plan(*engine, request);
    EXPECT_NE(prepared->algorithm.find("box"), std::string::npos) << prepared->algorithm;
}

/// NaN and Inf in corners, in the middle and next to each other; one region of the image is far from all of
/// them.
Image with_non_finite(Extent size) {
    auto image = random_image(size, {Depth::f32, 1}, 8);
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    image.view().row<float>(0)[0] = nan;
    image.view().row<float>(12)[30] = inf;
    image.view().row<float>(12)[33] = -inf;
    image.view().row<float>(size.height - 1)[40] = -inf;
    return image;
}

TEST(Box, NonFiniteSamplesReachJustTheWindowsThatHoldThem) {
    const auto engine = cpu::make_engine(2);
    const auto image = with_non_finite({150, 61});
    for (const auto border : kBorders)
        for (const auto& box : {BoxGenerator{7, 5}, BoxGenerator{4, 1}, BoxGenerator{1, 30}}) {
            const auto request = request_for(image.size(), image.format(), generated_stage(box), border);
            EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view(), "box").view()));
        }
}

TEST(Recursive, NonFiniteSamplesReachJustTheWindowsThatHoldThem) {
    const auto engine = cpu::make_engine(2);
    const auto image = with_non_finite({150, 61});
    for (const auto border : kBorders) {
        auto request = request_for(image.size(), image.format(), generated_gaussian(2.5), border);
        request.tolerance = 1e-4;
        const auto result = run(*engine, request, image.view(), "recursive");
        EXPECT_TRUE(is_right(request, image.view(), result.view(), &cpu_algorithm("recursive")));
        EXPECT_TRUE(std::isfinite(result.view().row<float>(30)[100]));
        // Although it contains none of them.
        for (const Rect region : {Rect{60, 20, 50, 30}, Rect{0, 0, 20, 20}})
            EXPECT_TRUE(same_pixels(result.view().crop(region),
                                    run(*engine, request, image.view(), "recursive", region).view()));
    }
}

TEST(Recursive, StopsSoonEvenInOneLongLineOfNaN) {
    const auto engine = cpu::make_engine(1);
    const PixelFormat grey{Depth::f32, 1};
    constexpr int kSigma = 3000, kSide = 8 * kSigma + 1;
    for (const Extent size : {Extent{32, 200000}, Extent{200000, 32}}) {
        const bool along_rows = size.width > size.height; // one dimension alone: the other would take minutes
        ImageRequest request{
            size,
            grey,
            grey,
            {generated_stage(GaussianGenerator{kSigma, along_rows ? kSide : 1, along_rows ? 1 : kSide})}};
        request.tolerance = 1e-2;
        Image image(size, grey);
        for (std::int64_t y = 0; y < size.height; ++y)
            std::fill_n(image.view().row<float>(y), size.width, std::numeric_limits<float>::quiet_NaN());
        // The sums, those without NaN, and the outputs that NaN reaches.
        constexpr double kTerms = 8, kPasses = 3;
        expect_stops_soon(*engine, request, image.view(), "recursive", kPasses * kTerms * 200000 * 32);
    }
}

TEST(Recursive, OnlyWhatNonFiniteSamplesReachIsNotFinite) { // and all other outputs are as accurate as ever
    const auto engine = cpu::make_engine(2);
    struct Case {
        GaussianGenerator gaussian;
        double tolerance;
    };
    // The outermost weights of the second one vanish, so they are no taps.
    for (const auto& [generator, tolerance] : {Case{{5, 41, 41}, 1e-3}, Case{{1, 151, 151}, 20}})
        for (const auto border : kBorders) {
            auto request = request_for({300, 200}, {Depth::f32, 1}, generated_stage(generator), border);
            request.tolerance = tolerance;
            auto image = random_image(request.size, request.in, 5);
            image.view().row<float>(90)[140] = std::numeric_limits<float>::quiet_NaN();
            const auto result = run(*engine, request, image.view(), "recursive");
            const auto expected = reference_values(request, image.view());
            for (std::int64_t y = 0; y < 200; ++y)
                for (std::int64_t x = 0; x < 300; ++x) {
                    const auto got = static_cast<double>(result.view().row<float>(y)[x]);
                    const double want = expected[static_cast<std::size_t>(y * 300 + x)];
                    ASSERT_EQ(std::isnan(got), std::isnan(want)) << "x " << x << " y " << y;
                    if (!std::isnan(got)) {
                        ASSERT_NEAR(got, want, 1.5 * tolerance) << "x " << x << " y " << y;
                    }
                }
        }
}

TEST(Recursive, StaysWithinItsBoundForEverySigma) {
    const auto engine = cpu::make_engine(2);
    for (const double tolerance : {2e-3, 1e-4})
        for (const double sigma : {2.0, 3.7, 10.0, 31.0, 99.5, 300.0}) {
            auto request = request_for({83, 71}, {Depth::f32, 1}, generated_gaussian(sigma),
                                       Border::replicate);
            request.tolerance = tolerance;
            ASSERT_EQ(refusal(request, "recursive"), "") << "sigma " << sigma;
            auto image = random_image(request.size, request.in, 6);
            for (std::int64_t y = 0; y < 71; ++y) // full scale, and the worst case: edges of 0 and 1
                for (std::int64_t x = 0; x < 83; ++x)
                    image.view().row<float>(y)[x] = (x / 9 + y / 8) % 2 ? 1.0f : 0.0f;
            const auto expected = reference_values(request, image.view());
            const auto result = run(*engine, request, image.view(), "recursive");
            double worst = 0;
            for (std::size_t i = 0; i < expected.size(); ++i)
                worst = std::max(worst,
                                 std::fabs(expected[i] - static_cast<double>(result.view().row<float>(
                                                             static_cast<std::int64_t>(i / 83))[i % 83])));
            EXPECT_LE(worst, cpu_algorithm("recursive").error(ImageStep(request))) << "sigma " << sigma;
            EXPECT_LE(cpu_algorithm("recursive").error(ImageStep(request)), tolerance);
            EXPECT_GT(worst, 0.0); // it is not the exact sum
        }
}

TEST(Recursive, IsNeverChosenWithoutATolerance) {
    auto request = request_for({200, 200}, {Depth::f32, 1}, generated_gaussian(20));
    EXPECT_NE(refusal(request, "recursive"), "");
    request.tolerance = 1e-9;
    EXPECT_NE(refusal(request, "recursive").find("above the tolerance"), std::string::npos);
    request.tolerance = 1e-3;
    EXPECT_EQ(refusal(request, "recursive"), "");
    request.stages = {Stage{{make_kernel(3, 3, std::vector<float>(9, 1), 9)}}};
    EXPECT_NE(refusal(request, "recursive"), "");
}

TEST(Recursive, IsNotChosenWhereColourIsDividedByAlpha) { // its residues would be divided by each other
    const PixelFormat rgba{Depth::u8, 4, 3};
    auto request = request_for({300, 60}, rgba, generated_gaussian(12));
    request.tolerance = 1.0 / 255;
    auto image = random_image(request.size, rgba, 8);
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x) store(image.view(), x, y, 3, x < 100 ? 255 : 0);
    EXPECT_NE(refusal(request, "recursive").find("divided by alpha"), std::string::npos);
    const auto right = reference_image(request, image.view());
    const auto result = run(*cpu::make_engine(2), request, image.view());
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            for (int c = 0; c < 4; ++c)
                ASSERT_NEAR(sample(result.view(), x, y, c), sample(right.view(), x, y, c), 1)
                    << "x " << x << " y " << y << " channel " << c;
}

TEST(Recursive, LongLinesGiveTheSameBytesByRegion) { // across the restarts of the recursion
    const auto engine = cpu::make_engine(2);
    auto request = request_for({2600, 9}, {Depth::f32, 1}, generated_stage(GaussianGenerator{6, 49, 3}));
    request.tolerance = 1;
    const auto image = random_image(request.size, request.in, 6);
    const auto all = run(*engine, request, image.view(), "recursive");
    for (const Rect region : {Rect{1020, 2, 10, 3}, Rect{1024, 0, 1, 9}, Rect{500, 3, 1800, 4}})
        EXPECT_TRUE(same_pixels(all.view().crop(region),
                                run(*engine, request, image.view(), "recursive", region).view()));
    const auto seven = cpu::make_engine(7);
    EXPECT_TRUE(same_pixels(all.view(), run(*seven, request, image.view(), "recursive").view()));
}

Stage gradient(std::vector<int> smooth, std::vector<int> slope, Combine combine) {
    const auto product = [](const std::vector<int>& column, const std::vector<int>& row) {
        std::vector<float> weights;
        for (const int c : column)
            for (const int r : row) weights.push_back(static_cast<float>(c * r));
        return make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()), std::move(weights));
    };
    Stage stage{{product(smooth, slope), product(slope, smooth)}, combine};
    stage.factors = {{smooth, slope}, {slope, smooth}};
    return stage;
}

TEST(Gradient, GivesTheBytesOfDirectForIntegers) {
    const auto engine = cpu::make_engine(2);
    for (auto stage :
         {gradient({1, 2, 1}, {-1, 0, 1}, Combine::l2), gradient({1, 1, 1}, {-1, 0, 1}, Combine::l1),
          gradient({3, 10, 3}, {-1, 0, 1}, Combine::l2), gradient({1, 1}, {-1, 1}, Combine::l2),
          gradient({1, 4, 6, 4, 1}, {-1, -2, 0, 2, 1}, Combine::l2),
          gradient({1, 6, 15, 20, 15, 6, 1}, {-1, -4, -5, 0, 5, 4, 1}, Combine::l1)}) {
        stage.kernels[1].divisor = 3;
        stage.offset = 0.01f;
        for (const auto depth : {Depth::u8, Depth::u16})
            for (const int channels : {1, 3, 4}) {
                auto request = request_for({301, 133}, {depth, channels}, stage);
                request.channels = channels == 3 ? 0b101u : ~0u;
                if (!sums_exactly(stage, full_scale(depth))) continue; // the largest one on 16 bits
                const auto image = random_image(request.size, request.in, 4);
                const auto result = run(*engine, request, image.view(), "gradient");
                EXPECT_TRUE(same_pixels(result.view(), run(*engine, request, image.view(), "direct").view()));
                EXPECT_TRUE(is_right(request, image.view(), result.view()));
            }
    }
}

TEST(Gradient, RoundsTheRootsOfAllPairsOfBytesAsTheyAre) {
    Stage stage{{make_kernel(2, 1, {1, 0}), make_kernel(2, 1, {0, 1})}, Combine::l2};
    stage.factors = {{{1}, {1, 0}}, {{1}, {0, 1}}};
    const auto request = request_for({512, 256}, {Depth::u8, 1}, stage, Border::zero);
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < 256; ++y)
        for (std::int64_t x = 0; x < 512; ++x)
            image.view().row<std::uint8_t>(y)[x] = static_cast<std::uint8_t>(x % 2 ? x / 2 : y);
    EXPECT_TRUE(same_pixels(run(*cpu::make_engine(2), request, image.view(), "gradient").view(),
                            reference_image(request, image.view()).view()));
}

TEST(Gradient, NonFiniteSamplesDoNotLeakThroughZeros) {
    const auto engine = cpu::make_engine(2);
    const auto image = with_non_finite({150, 61});
    for (const auto border : kBorders) {
        const auto request = request_for(image.size(), image.format(),
                                         gradient({1, 2, 1}, {-1, 0, 1}, Combine::l1), border);
        EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view(), "gradient").view()));
    }
}

// For bytes; elsewhere two simultaneous sums take longer than one after the other.
TEST(Gradient, IsChosenWhereItWins) {
    const auto engine = cpu::make_engine(2);
    const auto stage = gradient({1, 2, 1}, {-1, 0, 1}, Combine::l2);
    EXPECT_EQ(plan(*engine, request_for({3840, 2160}, {Depth::u8, 3}, stage))->algorithm, "gradient");
    EXPECT_EQ(plan(*engine, request_for({3840, 2160}, {Depth::f32, 1}, stage))->algorithm, "separable");
}

TEST(Gradient, TakesTwoKernelsOfKnownFactors) {
    auto stage = gradient({1, 2, 1}, {-1, 0, 1}, Combine::l2);
    EXPECT_EQ(refusal(request_for({640, 480}, {Depth::u8, 3}, stage), "gradient"), "");
    stage.factors.clear();
    EXPECT_NE(refusal(request_for({640, 480}, {Depth::u8, 3}, stage), "gradient"), "");
    EXPECT_NE(refusal(request_for({640, 480}, {}, Stage{{make_kernel(1, 1, {1})}}), "gradient"), "");
}

} // namespace
} // namespace kg::testing
