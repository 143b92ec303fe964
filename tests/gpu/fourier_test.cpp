// The Fourier algorithms beyond the registry walk's small images: several tiles and float32 transforms.
// Skipped with the reason where there is no GPU or no cuFFT.

#include "core/plan/parts.hpp"
#include "tests/gpu/support/fourier_fixture.hpp"

namespace kg::testing {
namespace {

TEST(CufftAbsent, NamesTheLibraryAndThePackageThatProvidesIt) {
    const auto& why = gpu::why_no_cufft();
    if (why.empty()) GTEST_SKIP() << "cuFFT is here";
    EXPECT_NE(why.find("libcufft.so.12"), std::string::npos) << why;
    EXPECT_NE(why.find("KERNELGLASS_LIBRARIES"), std::string::npos) << why;
    const auto engine = gpu::make_engine();
    const ImageRequest plain{{64, 64}, {Depth::f32, 1}, {Depth::f32, 1}, {Stage{{Kernel{}}}}};
    const auto all = engine->algorithms();
    const auto algorithm = std::ranges::find(all, "cufft", &Algorithm::id);
    ASSERT_NE(algorithm, all.end());
    EXPECT_EQ((*algorithm)->why_not(ImageStep(plain), *engine), why);
}

INSTANTIATE_TEST_SUITE_P(, FourierAlgorithms, ::testing::Values("cufft", "fourier", "fourier_fused"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(FourierAlgorithms, FloatsInSeveralTilesByEveryBorder) {
    for (const auto border : kBorders) {
        const auto request = request_of(kSeveralTiles, {Depth::f32, 1}, Depth::f32,
                                        random_stage(31, 24, false, 1), border);
        if (of_cufft()) {
            EXPECT_EQ(choice_for(request).precision, gpu::Precision::float32);
        }
        EXPECT_LT(tile_of(request).width, request.size.width);
        expect_right(request, 3);
    }
    EXPECT_EQ(taken, static_cast<int>(std::size(kBorders)));
}

TEST_P(FourierAlgorithms, KernelsOfEverySize) {
    for (const int size : {3, 31, 150, 333, 701})
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const int channels : {1, 3})
                expect_right(
                    request_of({1000, 700}, {depth, channels}, depth, random_stage(size, size - 1, false, 2)),
                    3);
    EXPECT_EQ(taken, of_fused() ? 2 * 2 : 5 * 2 * 2); // floats up to 31 x 31
}

TEST_P(FourierAlgorithms, FramesOfEverySize) {
    if (of_cufft()) GTEST_SKIP() << "its frames have more sizes than a test can name";
    if (of_fused()) GTEST_SKIP() << "its frames have one size";
    // Independent of the estimates: smaller frames do not hold the kernel, and larger ones exceed the rest of
    // the limit.
    struct Case {
        int frame, size;
        std::size_t limit;
    };
    for (const auto& [frame, size, limit] :
         {Case{256, 31, 8960 << 10}, {512, 333, 35 << 20}, {1024, 701, 150 << 20}, {2048, 1023, 1u << 30}}) {
        const auto limited = gpu::make_engine(0, limit);
        const auto stage = random_stage(size, size - 1, false, 2);
        // Its middle is whole. The largest frames are for floats, whose tiles are paired.
        const auto depths = frame == 2048 ? std::vector{Depth::f32} : std::vector{Depth::u8, Depth::f32};
        const auto large = request_of({9000, 5000}, {depths.front(), 2}, depths.front(), stage);
        EXPECT_EQ(tile_of(large, *limited).width / (frame == 2048 ? 2 : 1) + size - 1, frame);
        for (const auto depth : depths)
            for (const int channels : {1, 3}) {
                const auto request = request_of({600, 500}, {depth, channels}, depth, stage);
                const auto image = random_image(request.size, request.in, 3);
                Image result(request.size, request.out);
                run_in_parts(*limited, plan(*limited, request, algorithm->id), image.view(), result.view());
                expect_right(request, image, result);
            }
    }
}

TEST_P(FourierAlgorithms, ChannelsDepthsMasksAndCombinations) {
    auto gradient = random_stage(17, 9, false, 2);
    gradient.kernels.push_back(random_stage(9, 15, false, 3).kernels.front());
    gradient.combine = Combine::l2;
    gradient.offset = 0.125f;
    for (const auto& [in, out] : {std::pair{Depth::u8, Depth::u8},
                                  {Depth::u8, Depth::f32},
                                  {Depth::u16, Depth::u16},
                                  {Depth::u16, Depth::f32},
                                  {Depth::f32, Depth::f32}})
        for (const int channels : {1, 2, 3, 4}) {
            expect_right(request_of({1500, 1100}, {in, channels}, out, random_stage(21, 21, false, 4)), 5);
            expect_right(request_of({1500, 1100}, {in, channels}, out, gradient), 6);
            auto masked = request_of({1500, 1100}, {in, channels}, out, random_stage(5, 33, false, 7));
            masked.channels = 1u << (channels - 1);
            expect_right(masked, 8);
        }
}

TEST_P(FourierAlgorithms, DivisorsOfEverySize) {
    for (const float divisor : {1e-14f, -3.0f, 1e14f}) {
        auto stage = random_stage(31, 31, false, 32);
        stage.kernels.front().divisor = divisor;
        const auto request = request_of({900, 700}, {Depth::f32, 1}, Depth::f32, stage);
        auto image = random_image(request.size, request.in, 33);
        image.view().row<float>(350)[450] = 1e31f; // not transformed
        const auto got = run(*engine, request, image.view(), algorithm->id),
                   want = run(*engine, request, image.view(), "float64");
        const double allowed = 961 / std::fabs(static_cast<double>(divisor)) *
                               gpu::fourier_bound(gpu::Precision::float32, 1024.0 * 1024);
        for (std::int64_t y = 0; y < request.size.height; ++y)
            for (std::int64_t x = 0; x < request.size.width; ++x) {
                if (std::abs(x - 450) <= 31 && std::abs(y - 350) <= 31) continue; // its reach
                ASSERT_NEAR(sample(got.view(), x, y, 0), sample(want.view(), x, y, 0), allowed)
                    << x << " " << y;
            }
    }
}

TEST_P(FourierAlgorithms, WholeSumsHaveTheBytesOfEveryOtherAlgorithm) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto out : {depth, Depth::f32})
            for (const int size : {7, 15, 16}) {
                const auto request = request_of({1700, 1300}, {depth, 3}, out,
                                                random_stage(size, size, true, 9));
                ASSERT_TRUE(gpu::sums_are_whole(cut_into_steps(request).front()));
                if (!takes(request)) continue;
                ++taken;
                const auto image = random_image(request.size, request.in, 10);
                EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), algorithm->id).view(),
                                        run(*engine, request, image.view(), "tiled").view()))
                    << describe(request);
            }
    EXPECT_GE(taken, of_fused() ? 0 : 2); // sums of large kernels may exceed float32
}

TEST_P(FourierAlgorithms, ExactSumsOfFractionsHaveTheBytesOfEveryOtherAlgorithm) {
    Stage stage{{make_kernel(2, 2, {0.25f, 0.25f, 0.25f, 0.25f}, 1)}};
    stage.kernels.front().offset = 0.316965f;
    stage.generator = GaussianGenerator{1, 2, 2}; // described stages are cut as they are
    const auto request = request_of({300, 200}, {Depth::u8, 3}, Depth::u8, stage);
    ASSERT_EQ(cut_into_steps(request).front().stages.front().kernels.front().weights.front(), 0.25f);
    if (!takes(request)) GTEST_SKIP() << "it does not take so small a kernel";
    const auto image = random_image(request.size, request.in, 11);
    EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), algorithm->id).view(),
                            run(*engine, request, image.view(), "tiled").view()));
}

TEST_P(FourierAlgorithms, AnyRectangleHasTheBytesOfTheWhole) {
    for (const auto& [depth, channels] :
         {std::pair{Depth::f32, 2}, {Depth::f32, 1}, {Depth::u8, 3}, {Depth::u16, 2}}) {
        const auto request = request_of(kSeveralTiles, {depth, channels}, depth,
                                        random_stage(31, 31, false, 11), Border::wrap);
        if (!takes(request)) continue;
        ++taken;
        const auto image = random_image(request.size, request.in, 12);
        const auto all = run(*engine, request, image.view(), algorithm->id);
        const auto tile = tile_of(request);
        const auto seam_x = std::min(tile.width, request.size.width - 1),
                   seam_y = std::min(tile.height, request.size.height - 1);
        for (const auto& area : {Rect{0, 0, 1, 1}, Rect{seam_x - 1, seam_y - 1, 2, 2},
                                 Rect{0, 700, 3000, 300}, Rect{2999, 0, 1, 2000}, Rect{1234, 567, 890, 123}})
            EXPECT_TRUE(same_pixels(all.view().crop(area),
                                    run(*engine, request, image.view(), algorithm->id, area).view()))
                << area.x << "," << area.y;
    }
    EXPECT_GE(taken, of_fused() ? 2 : 3);
}

TEST_P(FourierAlgorithms, KernelsOf1025ASide) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const auto request = request_of({1400, 1200}, {depth, 1}, depth, random_stage(1025, 1025, false, 18));
        if (!takes(request)) continue;
        const auto image = random_image(request.size, request.in, 19);
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{0, 0, 3, 3}, Rect{700, 600, 3, 3}, Rect{1397, 1197, 3, 3}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << verification.first_wrong << "; " << describe(request);
        }
    }
}

TEST_P(FourierAlgorithms, ImagesOfOneRowOrColumn) {
    for (const auto size : {Extent{1, 1}, Extent{1, 70000}, Extent{70000, 1}, Extent{2, 3}})
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const auto border : kBorders) {
                expect_right(request_of(size, {depth, 1}, depth, random_stage(1, 33, false, 20), border), 21);
                expect_right(request_of(size, {depth, 1}, depth, random_stage(63, 2, false, 22), border), 23);
            }
    EXPECT_GT(taken, 0);
}

} // namespace
} // namespace kg::testing
