// `toeplitz` beyond the registry walk's small images: blocks inside the image, strips, leads and channels.
// Integer weights, so that every algorithm has the same bytes (semantics 11). Skipped where there is no
// usable GPU.

#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

#include <random>

namespace kg::testing {
namespace {

class Toeplitz : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    /// Weights of up to 4/3 of `largest` and some of five times `largest`, in a kernel anchored at a random
    /// column. Sums fit 24 bits up to 60; from 26 on they have two digits.
    static ImageRequest request_of(Extent size, const PixelFormat& format, int width, int height, int largest,
                                   std::mt19937& random) {
        std::vector<float> weights(static_cast<std::size_t>(width * height));
        for (auto& w : weights) {
            const int small = static_cast<int>(random() % (2u * static_cast<unsigned>(largest))) -
                              largest * 2 / 3;
            w = static_cast<float>(random() % 16 == 0 ? 5 * largest : small);
        }
        auto kernel = make_kernel(width, height, std::move(weights),
                                  1.0f + static_cast<float>(width * largest));
        kernel.anchor_x = static_cast<int>(random() % static_cast<unsigned>(width));
        ImageRequest request{size, format, format, {Stage{{std::move(kernel)}}}};
        request.alpha = AlphaMode::straight;
        return request;
    }

    /// Expects that a rectangle of the image has the bytes that `tiled` computes.
    void expect_bytes_of_tiled(const ImageRequest& request, const Rect& area) const {
        const auto image = random_image(request.size, request.in, 8);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "toeplitz", area).view(),
                                run(*engine, request, image.view(), "tiled", area).view()))
            << describe(request) << ", from " << area.x << ", " << area.y;
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(Toeplitz, LargeImagesHaveTheBytesOfTiled) {
    std::mt19937 random(2);
    const Extent size{2077, 1501}; // 17 x 47 blocks of four strips, more than multiprocessors
    for (const int channels : {1, 3, 4})
        for (const int width : {9, 15, 16, 17, 31, 32})
            for (const int largest : {20, 60}) {
                const PixelFormat format{Depth::u8, channels};
                auto request = request_of(size, format, width, width > 16 ? 31 : width, largest, random);
                request.border = width % 2 ? Border::reflect101 : Border::wrap;
                expect_bytes_of_tiled(request, whole(size));
                expect_bytes_of_tiled(request, {127 + width, 64, 1024 + width, 600}); // other leads
            }
}

TEST_F(Toeplitz, SmallerImagesAreDividedIntoMoreBlocks) {
    std::mt19937 random(3);
    for (const auto size : {Extent{300, 200}, Extent{700, 500}, Extent{1024, 1024}})
        for (const int channels : {1, 3, 4}) {
            auto request = request_of(size, {Depth::u8, channels}, 15, 21, 20, random);
            expect_bytes_of_tiled(request, whole(size));
            if (channels > 1) request.channels = 0b010;
            request.out.depth = Depth::f32;
            request.sign = SignedMode::keep;
            expect_bytes_of_tiled(request, whole(size));
        }
}

TEST_F(Toeplitz, RectanglesFromAnyColumnHaveTheBytesOfTiled) {
    std::mt19937 random(5);
    for (const int channels : {1, 3, 4})
        for (const int width : {13, 15, 16, 31, 32}) // with and without room for a lead
            expect_same_from_any_column(
                *engine, request_of({613, 309}, {Depth::u8, channels}, width, width, 20, random), "toeplitz");
}

TEST_F(Toeplitz, IsChosenForLargerKernelsOfIntegers) {
    std::mt19937 random(4);
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int width : {15, 31}) {
            const auto request = request_of({4096, 4096}, {depth, 4}, width, width, 9, random);
            EXPECT_EQ(plan(*engine, request)->algorithm, "toeplitz") << width;
        }
}

/// Weights that are rounded to three digits, and such that sum exactly with one digit, of which most are 0.
ImageRequest words_of(Extent size, int channels, int width, int height, bool exact, std::mt19937& random) {
    std::vector<float> weights(static_cast<std::size_t>(width * height));
    for (auto& w : weights)
        if (exact) w = random() % 50 == 0 ? static_cast<float>(random() % 12) - 3 : 0;
        else w = (static_cast<float>(random() % 1000) / 700.0f - 0.3f) / static_cast<float>(width * height);
    auto kernel = make_kernel(width, height, std::move(weights), exact ? 37.0f : 1.0f);
    kernel.anchor_x = static_cast<int>(random() % static_cast<unsigned>(width));
    kernel.offset = exact ? 0.125f : 0.0f;
    const PixelFormat format{Depth::u16, channels};
    ImageRequest request{size, format, format, {Stage{{std::move(kernel)}}}};
    request.alpha = AlphaMode::straight;
    return request;
}

TEST_F(Toeplitz, SixteenBitsAreRightFromAnyColumnAndInAnyDivision) {
    std::mt19937 random(6);
    for (const auto size : {Extent{613, 309}, Extent{140, 70}})
        for (const int channels : {1, 3, 4})
            for (const int width : {5, 15, 16, 31, 32})
                for (const bool exact : {true, false}) {
                    auto request = words_of(size, channels, width, width > 16 ? 21 : width, exact, random);
                    request.border = width % 2 ? Border::reflect101 : Border::zero;
                    if (channels == 4 && width == 15) request.channels = 0b0110;
                    std::vector<Rect> areas;
                    for (const std::int64_t x : {0, 1, 2, 3, 17})
                        areas.push_back({x, 3, size.width - 2 * x - 1, size.height - 9});
                    expect_right_and_same_in(*engine, request, "toeplitz", areas);
                }
}

/// Blocks inside the image, beside the definition in float64: they differ by 1, at ties.
TEST_F(Toeplitz, LargeImagesOfSixteenBitsAgreeWithFloat64) {
    std::mt19937 random(7);
    const Extent size{2077, 1501};
    for (const int channels : {1, 3, 4})
        for (const int width : {15, 31}) {
            const auto request = words_of(size, channels, width, width, false, random);
            const auto image = random_image(size, request.in, 8);
            const auto one = run(*engine, request, image.view(), "toeplitz"),
                       other = run(*engine, request, image.view(), "float64");
            std::int64_t differing = 0;
            double largest = 0;
            for (std::int64_t y = 0; y < size.height; ++y)
                for (std::int64_t x = 0; x < size.width; ++x)
                    for (int k = 0; k < channels; ++k) {
                        const double off = sample(one.view(), x, y, k) - sample(other.view(), x, y, k);
                        differing += off != 0;
                        largest = std::max(largest, std::fabs(off));
                    }
            EXPECT_LE(largest, 1) << describe(request);
            EXPECT_LE(differing, size.width * size.height * channels / 10) << describe(request);
        }
}

} // namespace
} // namespace kg::testing
