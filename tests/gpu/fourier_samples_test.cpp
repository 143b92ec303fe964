// The Fourier algorithms and samples that cannot be transformed: no numbers, infinities, samples so large
// that they take others their digits. None may reach an output whose taps do not cover it.

#include "tests/gpu/support/fourier_fixture.hpp"

#include <limits>

namespace kg::testing {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST_P(FourierAlgorithms, AChannelOfLargeSamplesTakesAnotherNoDigits) {
    const auto request = request_of({900, 700}, {Depth::f32, 3}, Depth::f32, random_stage(31, 31, false, 30));
    auto image = random_image(request.size, request.in, 31);
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x) {
            image.view().row<float>(y)[3 * x] *= 1e6f;
            image.view().row<float>(y)[3 * x + 2] *= 1e5f;
        }
    const auto got = run(*engine, request, image.view(), algorithm->id),
               want = run(*engine, request, image.view(), "float64");
    double largest = 0;
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            largest = std::max(largest,
                               std::fabs(sample(got.view(), x, y, 1) - sample(want.view(), x, y, 1)));
    EXPECT_LE(largest, gpu::fourier_bound(gpu::Precision::float32, 1024.0 * 1024)); // samples up to 1
    if (!of_cufft()) {
        EXPECT_GT(largest, 0); // by float32
    }
}

TEST_P(FourierAlgorithms, NoNumberInOneChannelOfSeveral) {
    for (const int channels : {2, 3, 4}) {
        auto request = request_of({900, 700}, {Depth::f32, channels}, Depth::f32,
                                  random_stage(31, 31, false, 34));
        request.channels = channels == 4 ? 0b1011u : ~0u;
        auto image = random_image(request.size, request.in, 35);
        image.view().row<float>(300)[400 * channels + 1] = kNaN;
        image.view().row<float>(310)[410 * channels] = kInf;
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{380, 290, 40, 40}, Rect{0, 0, 8, 8}, Rect{880, 690, 20, 10}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << channels << " " << verification.first_wrong;
        }
    }
}

TEST_P(FourierAlgorithms, WhatIsNoNumberReachesExactlyTheOutputsWhoseTapsCoverIt) {
    auto stage = random_stage(31, 24, false, 13);
    auto& kernel = stage.kernels.front();
    for (std::size_t i = 0; i < kernel.weights.size(); i += 3) kernel.weights[i] = 0; // not taps
    const auto request = request_of(kSeveralTiles, {Depth::f32, 1}, Depth::f32, stage, Border::replicate);
    const auto [seam_x, seam_y] = tile_of(request);
    struct Place {
        std::int64_t x, y;
        float value;
    };
    const Place places[] = {{seam_x, seam_y, kNaN},
                            {seam_x - 1, 500, kInf},
                            {300, seam_y - 1, -kInf},
                            {301, seam_y + 3, kInf},
                            {0, 0, kNaN},
                            {request.size.width - 1, request.size.height - 1, kInf},
                            {1000, 100, 3e38f}};
    auto clean = random_image(request.size, request.in, 14);
    auto image = clean.clone();
    for (const auto& p : places) {
        image.view().row<float>(p.y)[p.x] = p.value;
        clean.view().row<float>(p.y)[p.x] = 0;
    }
    const auto result = run(*engine, request, image.view(), algorithm->id),
               without = run(*engine, request, clean.view(), algorithm->id);
    const auto r = reach(stage);
    // Pixels out of their reach have the same bytes as without them; pixels within it equal the reference.
    Image reached({request.size}, {Depth::u8, 1});
    for (std::int64_t y = 0; y < request.size.height; ++y)
        std::fill_n(reached.view().row<std::uint8_t>(y), request.size.width, std::uint8_t{0});
    for (const auto& p : places) {
        const auto around = intersect({p.x - r.right, p.y - r.down, r.left + r.right + 1, r.up + r.down + 1},
                                      whole(request.size));
        for (auto y = around.y; y < around.bottom(); ++y)
            std::fill_n(reached.view().row<std::uint8_t>(y) + around.x, around.width, std::uint8_t{1});
        const auto values = reference_values(request, image.view(), around);
        for (auto y = around.y; y < around.bottom(); ++y)
            for (auto x = around.x; x < around.right(); ++x) {
                const double want = values[static_cast<std::size_t>(y * request.size.width + x)],
                             got = sample(result.view(), x, y, 0);
                const bool right = std::isnan(want) ? std::isnan(got)
                                   : std::isinf(want)
                                       ? got == want
                                       : std::fabs(got - want) <= 1e-5 + 1e-5 * std::fabs(want);
                ASSERT_TRUE(right) << "at " << x << "," << y << ": " << got << ", should be " << want;
            }
    }
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            if (reached.view().row<std::uint8_t>(y)[x] == 0) {
                ASSERT_EQ(result.view().row<float>(y)[x], without.view().row<float>(y)[x]) << x << " " << y;
            }
}

TEST_P(FourierAlgorithms, ALargeSampleTakesIntegersNoDigits) {
    auto request = request_of({1100, 900}, {Depth::f32, 1}, Depth::f32, random_stage(31, 31, false, 15));
    request.out = {Depth::u16, 1};
    if (!takes(request)) GTEST_SKIP() << "it takes no floats that end as integers";
    auto image = random_image(request.size, request.in, 16);
    for (const float value : {1e6f, 1e12f, 3e38f, kInf, kNaN}) {
        image.view().row<float>(450)[550] = value;
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{560, 460, 12, 12}, Rect{570, 470, 12, 12}, Rect{700, 500, 12, 12}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << value << " " << verification.first_wrong;
        }
    }
}

TEST_P(FourierAlgorithms, NothingButNoNumbers) {
    const auto request = request_of({400, 300}, {Depth::f32, 1}, Depth::f32, random_stage(9, 9, true, 17));
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < 300; ++y) std::fill_n(image.view().row<float>(y), 400, kNaN);
    const auto result = run(*engine, request, image.view(), algorithm->id);
    for (std::int64_t y = 0; y < 300; ++y)
        for (int x = 0; x < 400; ++x)
            ASSERT_TRUE(std::isnan(result.view().row<float>(y)[x])) << x << " " << y;
}

} // namespace
} // namespace kg::testing
