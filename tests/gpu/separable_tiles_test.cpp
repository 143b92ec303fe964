// `separable_tiles` beyond the registry walk's small images: tiles at every border, rectangles that begin
// anywhere, every remainder of a factor's size, samples that must not reach other windows, several images.
// Its arithmetic without a GPU: separable_grid_test.cpp.

#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

#include <limits>

namespace kg::testing {
namespace {

constexpr const char* kId = "separable_tiles";

class SeparableTiles : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    /// A Gaussian without listed weights, so that the reference takes two passes, too.
    static ImageRequest request_of(Extent size, int channels, int width, int height, Border border) {
        const PixelFormat format{Depth::f32, channels};
        ImageRequest request{
            size, format, format, {generated_stage(GaussianGenerator{width / 5.0, width, height})}};
        request.alpha = AlphaMode::straight;
        request.border = border;
        return request;
    }

    Image filtered(const ImageRequest& request, const Image& image) const {
        return run(*engine, request, image.view(), kId);
    }

    void expect_right_and_same_in(const ImageRequest& request, const std::vector<Rect>& areas) const {
        kg::testing::expect_right_and_same_in(*engine, request, kId, areas);
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(SeparableTiles, RectanglesHaveTheBytesOfTheWholeImage) {
    const std::vector<Rect> areas{
        {0, 0, 331, 100}, {16, 8, 300, 150}, {133, 77, 177, 95}, {1, 1, 329, 9}, {300, 3, 1, 180}};
    for (const int channels : {1, 2, 3, 4})
        for (const auto& [width, height] : {std::pair{17, 17}, {31, 31}, {63, 33}, {127, 125}})
            expect_right_and_same_in(request_of({331, 187}, channels, width, height, Border::reflect101),
                                     areas);
}

TEST_F(SeparableTiles, EveryRemainderOfAFactorIsRight) {
    for (int size = 17; size <= 49; size += 2) {
        expect_right_and_same_in(request_of({97, 53}, 1, size, 66 - size, Border::replicate),
                                 {{3, 5, 80, 40}});
        expect_right_and_same_in(request_of({40, 37}, 4, size, size, Border::zero), {});
    }
}

TEST_F(SeparableTiles, EveryBorderAndAnchorIsRight) {
    for (const auto border :
         {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
        for (const int channels : {1, 3, 4})
            for (const auto& [width, height] : {std::pair{31, 31}, {45, 23}}) {
                auto request = request_of({153, 91}, channels, width, height, border);
                expect_right_and_same_in(request, {{9, 5, 100, 70}, {140, 50, 13, 41}});
                auto& kernel = request.stages.front().kernels.front();
                kernel.anchor_x = 0, kernel.anchor_y = height - 1;
                expect_right_and_same_in(request, {{90, 8, 63, 83}});
                kernel.flip = true;
                expect_right_and_same_in(request, {{0, 57, 153, 34}});
            }
}

TEST_F(SeparableTiles, WindowsLargerThanTheImageAreRight) {
    for (const int channels : {1, 3, 4})
        for (const auto border : {Border::zero, Border::reflect, Border::wrap, Border::replicate}) {
            expect_right_and_same_in(request_of({63, 41}, channels, 127, 95, border), {{5, 7, 50, 30}});
            expect_right_and_same_in(request_of({1, 70}, channels, 33, 101, border), {{0, 69, 1, 1}});
            expect_right_and_same_in(request_of({300, 3}, channels, 127, 17, border), {{290, 1, 10, 2}});
        }
}

TEST_F(SeparableTiles, TheLargestTilesAreRight) {
    // Enough tiles of 512, and of several channels with one block per multiprocessor.
    expect_right_and_same_in(request_of({2101, 2100}, 1, 67, 67, Border::replicate), {{999, 50, 1000, 99}});
    expect_right_and_same_in(request_of({1100, 1001}, 4, 127, 17, Border::reflect), {{99, 50, 900, 600}});
}

TEST_F(SeparableTiles, OnlyWindowsWithALargeSampleOrNaNChange) {
    const Extent size{250, 200};
    for (const int channels : {1, 3, 4})
        for (const auto& [width, height] : {std::pair{17, 31}, {45, 33}}) {
            const auto request = request_of(size, channels, width, height, Border::reflect);
            auto image = random_image(size, request.in, 5);
            const auto before = filtered(request, image);
            for (const float value :
                 {1e30f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
                image.view().row<float>(100)[125 * channels] = value;
                const auto after = filtered(request, image);
                EXPECT_TRUE(is_right(request, image.view(), after.view()));
                for (std::int64_t y = 0; y < size.height; ++y)
                    for (std::int64_t s = 0; s < size.width * channels; ++s) {
                        const auto left = s / channels - width / 2, top = y - height / 2;
                        if (s % channels == 0 && 125 >= left && 125 < left + width && 100 >= top &&
                            100 < top + height)
                            continue;
                        ASSERT_EQ(after.view().row<float>(y)[s], before.view().row<float>(y)[s])
                            << describe(request) << ", sample " << s << " of row " << y;
                    }
            }
        }
}

TEST_F(SeparableTiles, ManyImagesHaveTheBytesOfEach) {
    for (const int channels : {1, 4}) {
        const auto request = request_of({103, 87}, channels, 31, 17, Border::replicate);
        const auto images = random_images(request, 66, 20); // more than one launch's
        const auto outcome = run_together(*engine, plan(*engine, request, kId), request, images);
        for (std::size_t i = 0; i < images.size(); ++i)
            EXPECT_TRUE(same_pixels(outcome.results[i].view(), filtered(request, images[i]).view())) << i;
    }
}

TEST_F(SeparableTiles, OffsetsDivisorsAndChannelsThatPassThroughAreRight) {
    for (const int channels : {1, 2, 3, 4}) {
        auto request = request_of({200, 100}, channels, 33, 21, Border::wrap);
        auto& kernel = request.stages.front().kernels.front();
        kernel.offset = 0.25f;
        if (channels > 1) request.channels = 0b10;
        expect_right_and_same_in(request, {{7, 3, 150, 80}});
        kernel.divisor = -3;
        expect_right_and_same_in(request, {{64, 48, 100, 50}});
        const std::vector<float> weights(std::size_t{33} * 21, -2.5f); // a box
        request.stages = {Stage{{make_kernel(33, 21, weights, 700)}}};
        expect_right_and_same_in(request, {{1, 1, 198, 98}});
    }
}

TEST_F(SeparableTiles, OtherKernelsAreRefused) {
    const Extent size{64, 64};
    for (const auto& [width, height] : {std::pair{18, 31}, {31, 15}, {129, 31}})
        EXPECT_THROW(plan(*engine, request_of(size, 1, width, height, Border::zero), kId), Error);
    auto request = request_of(size, 1, 17, 17, Border::zero);
    std::vector<float> weights(std::size_t{17} * 17, 0.5f);
    for (std::size_t i = 0; i < weights.size(); i += 17) weights[i] = 0; // a column of zeros
    request.stages = {Stage{{make_kernel(17, 17, weights)}}};
    EXPECT_THROW(plan(*engine, request, kId), Error);
    EXPECT_NO_THROW(plan(*engine, request));
}

} // namespace
} // namespace kg::testing
