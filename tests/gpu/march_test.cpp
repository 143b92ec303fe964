// `march` and `separable_march` beyond the registry walk's images: divisions by any divisor, strips at every
// border, rectangles that begin anywhere. Small integers, so that float32 sums them exactly in any order.
// Skipped where there is no usable GPU.

#include "core/request/separate.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace kg::testing {
namespace {

class March : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    static ImageRequest request_of(Extent size, int channels, int kernel_size, float divisor,
                                   Depth depth = Depth::f32) {
        const auto factor = [&](int i) { return static_cast<float>(1 + (i * 7 + kernel_size) % 3); };
        std::vector<float> weights;
        for (int i = 0; i < kernel_size; ++i)
            for (int j = 0; j < kernel_size; ++j) weights.push_back(factor(i) * factor(j + 1));
        Stage stage{};
        stage.kernels.push_back(make_kernel(kernel_size, kernel_size, std::move(weights), divisor));
        stage.factors.push_back(*integer_factors(stage.kernels.back()));
        ImageRequest request{size, {depth, channels}, {depth, channels}, {stage}};
        request.alpha = AlphaMode::straight;
        return request;
    }

    /// Random whole numbers from 0 to 15.
    static Image whole_numbers(Extent size, PixelFormat format) {
        std::mt19937 random(3);
        Image image(size, format);
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t s = 0; s < size.width * format.channels; ++s)
                image.view().row<float>(y)[s] = static_cast<float>(random() % 16u);
        return image;
    }

    /// The same of 16 bits, up to 4095.
    static Image integers(Extent size, int channels) {
        std::mt19937 random(4);
        Image image(size, {Depth::u16, channels});
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t s = 0; s < size.width * channels; ++s)
                image.view().row<std::uint16_t>(y)[s] = static_cast<std::uint16_t>(random() % 4096u);
        return image;
    }

    void expect_pixels_of_naive(const ImageRequest& request, const Image& image, const char* algorithm,
                                const Rect& area) const {
        expect_pixels_of("naive", request, image, algorithm, area);
    }
    void expect_pixels_of(const char* other, const ImageRequest& request, const Image& image,
                          const char* algorithm, const Rect& area) const {
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), algorithm, area).view(),
                                run(*engine, request, image.view(), other, area).view()))
            << algorithm << ", " << describe(request) << ", from " << area.x << ", " << area.y;
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(March, StripsAreThoseOfNaiveAtEveryBorder) {
    const Extent size{301, 517};
    for (const int channels : {1, 3, 4}) {
        const auto image = whole_numbers(size, {Depth::f32, channels});
        for (const int kernel_size : {7, 9, 15})
            for (const auto border :
                 {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
                auto request = request_of(size, channels, kernel_size, 1);
                request.border = border;
                for (const char* algorithm : {"march", "separable_march"}) {
                    expect_pixels_of_naive(request, image, algorithm, whole(size));
                    expect_pixels_of_naive(request, image, algorithm, {5, 3, 290 - channels, 401});
                }
            }
    }
}

/// Floats of one channel march only where the image has many pixels; a rectangle of it shows the same strips.
TEST_F(March, StripsOfLargeImagesAreThoseOfNaiveAtEveryBorder) {
    const Extent size{4099, 2999}; // three times the pixels of kStripPixels
    const auto image = whole_numbers(size, {Depth::f32, 1});
    for (const int kernel_size : {7, 9, 11})
        for (const auto border :
             {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
            auto request = request_of(size, 1, kernel_size, 1);
            request.border = border;
            for (const Rect& area : {Rect{0, 0, 301, 117}, Rect{5, 3, 290, 101}, Rect{3798, 2900, 301, 99}})
                expect_pixels_of_naive(request, image, "march", area);
        }
}

/// Squares whose zeros are not taps, which floats test and 16 bits add.
TEST_F(March, RowsAtOnceAreThoseOfTiledAtEveryBorderSizeAndDepthOfTheResult) {
    const Extent size{301, 117};
    for (const auto depth : {Depth::u16, Depth::f32})
        for (const int channels : {1, 3, 4}) {
            const auto image = depth == Depth::u16 ? integers(size, channels)
                                                   : whole_numbers(size, {Depth::f32, channels});
            for (const int kernel_size : {2, 3, 4, 5, 6, 7, 9}) {
                if (kernel_size == 9 && channels > 1) continue; // toeplitz and strips
                for (const auto border :
                     {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
                    auto request = request_of(size, channels, kernel_size,
                                              static_cast<float>(kernel_size * kernel_size * 4), depth);
                    request.border = border;
                    request.stages.front().kernels.front().weights.front() = 0;
                    request.stages.front().factors.clear();
                    for (const auto out : {Depth::u16, Depth::f32}) {
                        if (depth == Depth::f32 && out != depth) continue;
                        request.out.depth = out;
                        request.out.scale = out == depth ? 1.0f : 65535.0f;
                        expect_pixels_of("tiled", request, image, "march", whole(size));
                        for (const int column : {4, 5, 6, 7})
                            expect_pixels_of("tiled", request, image, "march",
                                             {column, 3, 290 - channels, 101});
                    }
                }
            }
        }
}

TEST_F(March, SixteenBitsAreSummedAtEveryBorderSizeAndDepthOfTheResult) {
    const Extent size{301, 217};
    for (const int channels : {1, 3, 4}) {
        const auto image = integers(size, channels);
        for (const int kernel_size : {3, 5, 7, 13, 17, 23})
            for (const auto border :
                 {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap}) {
                const auto divisor = static_cast<float>(kernel_size * kernel_size * 4);
                auto request = request_of(size, channels, kernel_size, divisor, Depth::u16);
                request.border = border;
                for (const auto out : {Depth::u16, Depth::f32}) {
                    request.out.depth = out;
                    request.out.scale = out == Depth::f32 ? 65535.0f : 1.0f;
                    expect_pixels_of("separable", request, image, "separable_march", whole(size));
                    for (const int column : {4, 5, 6, 7}) // chunks begin at every fourth sample
                        expect_pixels_of("separable", request, image, "separable_march",
                                         {column, 3, 290 - channels, 101});
                }
            }
    }
}

TEST_F(March, QuotientsAreRoundedAsByADivision) {
    const Extent size{257, 65};
    const auto image = whole_numbers(size, {Depth::f32, 1});
    for (const float divisor : {3.0f, -7.0f, 0.7f, 1e-20f, 1e25f, 49.0f, 16777213.0f}) {
        for (const int kernel_size : {3, 5, 7})
            expect_pixels_of_naive(request_of(size, 1, kernel_size, divisor), image, "march", whole(size));
        expect_pixels_of_naive(request_of(size, 1, 7, divisor), image, "separable_march", whole(size));
    }
}

TEST_F(March, QuotientsOfExtremeNumbersAreThoseOfADivision) {
    const Extent size{64, 16};
    auto image = whole_numbers(size, {Depth::f32, 1});
    const float extremes[] = {std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(),
                              3e38f,
                              -3e38f,
                              4e37f,
                              1e-29f,
                              0.0f};
    for (std::size_t i = 0; i < std::size(extremes); ++i) image.view().row<float>(4)[7 * i] = extremes[i];
    for (const float divisor : {0.3f, 3.0f})
        for (const int kernel_size : {3, 5, 7}) {
            auto request = request_of(size, 1, kernel_size, divisor);
            auto& stage = request.stages.front();
            auto& weights = stage.kernels.front().weights;
            std::ranges::fill(weights, 0.0f);
            weights[weights.size() / 2] = 1; // the centre
            stage.factors.front() = *integer_factors(stage.kernels.front());
            expect_pixels_of_naive(request, image, "march", whole(size));
            if (kernel_size == 7) expect_pixels_of_naive(request, image, "separable_march", whole(size));
        }
}

TEST_F(March, DivisorsOfNoOrdinarySizeAreRefused) {
    for (const float divisor : {1e-35f, 1e35f}) {
        const auto request = request_of({64, 64}, 1, 7, divisor);
        EXPECT_THROW(plan(*engine, request, "march"), Error);
        EXPECT_THROW(plan(*engine, request, "separable_march"), Error);
        EXPECT_NO_THROW(plan(*engine, request));
    }
    for (const float divisor : {0x1p-41f, 0x1p41f}) {
        const auto request = request_of({64, 64}, 1, 7, divisor, Depth::u16);
        EXPECT_EQ(plan(*engine, request, "march")->algorithm, "convert > march > convert") << "as floats";
        EXPECT_EQ(plan(*engine, request, "separable_march")->algorithm,
                  "convert > separable_march > convert");
    }
}

} // namespace
} // namespace kg::testing
