// `box` beyond the registry walk's small windows and images: strips that begin in the middle of a queue, all
// borders, windows larger than the image, samples that must not reach other windows, several images. Its
// arithmetic without a GPU: box_grid_test.cpp.

#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace kg::testing {
namespace {

struct Window {
    int width, height;
};

class Box : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    /// Without listed weights, so that the reference takes no longer for larger windows.
    static ImageRequest request_of(Extent size, int channels, Window window, Border border) {
        const PixelFormat format{Depth::f32, channels};
        ImageRequest request{
            size, format, format, {generated_stage(BoxGenerator{window.width, window.height})}};
        request.alpha = AlphaMode::straight;
        request.border = border;
        return request;
    }

    Image filtered(const ImageRequest& request, const Image& image) const {
        return run(*engine, request, image.view(), "box");
    }

    void expect_right_and_same_in(const ImageRequest& request, const std::vector<Rect>& areas) const {
        kg::testing::expect_right_and_same_in(*engine, request, "box", areas);
    }

    std::shared_ptr<Engine> engine;
};

constexpr Window kWindows[] = {{17, 9}, {31, 31}, {64, 40}, {101, 101}, {257, 257}};

TEST_F(Box, RectanglesHaveTheBytesOfTheWholeImage) {
    const Extent size{611, 137}; // wider than any tile
    for (const int channels : {1, 2, 3, 4})
        for (const auto& window : kWindows)
            expect_right_and_same_in(
                request_of(size, channels, window, Border::reflect101),
                {{0, 0, 611, 100}, {16, 8, 580, 120}, {33, 67, 577, 70}, {1, 1, 609, 9}, {600, 3, 1, 130}});
}

TEST_F(Box, EveryBorderAndAnchorIsRight) {
    const Extent size{153, 141};
    for (const auto border :
         {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
        for (const int channels : {1, 3, 4})
            for (const auto& window : {Window{31, 31}, {64, 40}, {110, 97}, {5, 77}, {77, 5}}) {
                auto request = request_of(size, channels, window, border);
                expect_right_and_same_in(request, {{9, 5, 100, 70}, {140, 50, 13, 91}});
                auto& kernel = request.stages.front().kernels.front();
                kernel.anchor_x = 0, kernel.anchor_y = window.height - 1;
                expect_right_and_same_in(request, {{90, 8, 63, 133}});
                kernel.flip = true;
                expect_right_and_same_in(request, {{0, 77, 153, 64}});
            }
}

TEST_F(Box, WindowsLargerThanTheImageAreRight) {
    for (const int channels : {1, 3, 4})
        for (const auto border : {Border::zero, Border::reflect, Border::wrap, Border::replicate}) {
            expect_right_and_same_in(request_of({63, 41}, channels, {257, 127}, border), {{5, 7, 50, 30}});
            expect_right_and_same_in(request_of({1, 70}, channels, {33, 201}, border), {{0, 69, 1, 1}});
            expect_right_and_same_in(request_of({300, 3}, channels, {1101, 9}, border), {{290, 1, 10, 2}});
        }
    expect_right_and_same_in(request_of({400, 300}, 1, {1201, 1201}, Border::reflect), {{100, 99, 200, 101}});
}

TEST_F(Box, StripsOfManyRowsHaveTheBytesOfStripsOfFew) {
    // Strips of 9, 8 and 15 steps, four and two buffers, and tiles of more than one warp's runs. The
    // reference would take long: rectangles this low have one step, which other tests compare with it.
    for (const auto& [size, channels, window] : {std::tuple{Extent{700, 3000}, 4, Window{31, 31}},
                                                 {Extent{520, 4000}, 3, Window{31, 31}},
                                                 {Extent{1030, 3000}, 4, Window{101, 101}},
                                                 {Extent{4000, 3000}, 1, Window{257, 257}}}) {
        const auto request = request_of(size, channels, window, Border::reflect101);
        const auto image = random_image(size, request.in, 9);
        const auto all = filtered(request, image);
        for (const auto y : {std::int64_t{0}, size.height / 2 - 3, size.height - 100}) {
            const Rect area{7, y, size.width - 9, 100};
            EXPECT_TRUE(
                same_pixels(run(*engine, request, image.view(), "box", area).view(), all.view().crop(area)))
                << describe(request) << ", from row " << y;
        }
    }
}

TEST_F(Box, LargeWindowsAndImagesAreRight) {
    // Almost all shared memory, and scratch memory.
    expect_right_and_same_in(request_of({500, 400}, 4, {401, 401}, Border::reflect), {{99, 50, 400, 300}});
    expect_right_and_same_in(request_of({300, 250}, 4, {1101, 300}, Border::wrap), {{1, 3, 250, 240}});
    expect_right_and_same_in(request_of({2500, 1500}, 1, {31, 31}, Border::replicate),
                             {{1000, 1000, 1499, 499}});
    expect_right_and_same_in(request_of({61, 5000}, 4, {64, 40}, Border::replicate), {{3, 2001, 50, 2000}});
}

TEST_F(Box, OnlyWindowsWithALargeSampleOrNaNChange) {
    const Extent size{450, 400};
    for (const int channels : {1, 3, 4})
        for (const auto& window : kWindows) {
            const auto request = request_of(size, channels, window, Border::reflect);
            auto image = random_image(size, request.in, 5);
            const auto before = filtered(request, image);
            for (const float value :
                 {1e30f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
                image.view().row<float>(200)[225 * channels] = value;
                const auto after = filtered(request, image);
                EXPECT_TRUE(channels > 1 || is_right(request, image.view(), after.view()));
                // The reach of the sample in its channel; 225 and 200 are too far from the border to be
                // reflected into the windows beyond.
                for (std::int64_t y = 0; y < size.height; ++y)
                    for (std::int64_t s = 0; s < size.width * channels; ++s) {
                        const auto left = s / channels - window.width / 2, top = y - window.height / 2;
                        if (s % channels == 0 && 225 >= left && 225 < left + window.width && 200 >= top &&
                            200 < top + window.height)
                            continue;
                        ASSERT_EQ(after.view().row<float>(y)[s], before.view().row<float>(y)[s])
                            << describe(request) << ", sample " << s << " of row " << y;
                    }
            }
        }
}

TEST_F(Box, ManyImagesHaveTheBytesOfEach) {
    for (const auto& [channels, window] : {std::pair{1, Window{31, 31}}, {4, Window{257, 257}}}) {
        const auto request = request_of({203, 187}, channels, window, Border::replicate);
        const auto images = random_images(request, 66, 20); // more than one launch's
        const auto outcome = run_together(*engine, plan(*engine, request, "box"), request, images);
        for (std::size_t i = 0; i < images.size(); ++i)
            EXPECT_TRUE(same_pixels(outcome.results[i].view(), filtered(request, images[i]).view())) << i;
    }
}

TEST_F(Box, OffsetsDivisorsAndChannelsThatPassThroughAreRight) {
    const Extent size{500, 300};
    for (const int channels : {1, 2, 3, 4}) {
        auto request = request_of(size, channels, {33, 21}, Border::wrap);
        auto& kernel = request.stages.front().kernels.front();
        kernel.offset = 0.25f;
        if (channels > 1) request.channels = 0b10;
        expect_right_and_same_in(request, {{7, 3, 400, 200}});
        kernel.divisor = -3e-7f;
        expect_right_and_same_in(request, {{64, 48, 400, 200}});
        const std::vector<float> weights(std::size_t{33} * 21, -2.5f);
        request.stages = {Stage{{make_kernel(33, 21, weights, 700)}}};
        expect_right_and_same_in(request, {{1, 1, 498, 298}});
    }
}

TEST_F(Box, IntegersAreConvertedAndExactSumsStayExact) {
    const Extent size{400, 300};
    for (const int channels : {1, 2, 4}) {
        auto request = request_of(size, channels, {33, 21}, Border::reflect);
        request.in.depth = request.out.depth = Depth::u8;
        const auto image = random_image(size, request.in, 4);
        const auto prepared = plan(*engine, request, "box");
        EXPECT_EQ(prepared->algorithm, "convert > box > convert");
        EXPECT_TRUE(is_right(request, image.view(), filtered(request, image).view()));
    }
}

} // namespace
} // namespace kg::testing
