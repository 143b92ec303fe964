// `patches` beyond the registry walk's small images: warps that go around their ring of rows more than once,
// odd sizes, rectangles that begin anywhere, and results that are not stored at once. Integer weights, so
// that every algorithm has the same bytes (semantics 11). Skipped where there is no usable GPU.

#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

#include <random>

namespace kg::testing {
namespace {

class Patches : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    /// Weights of up to `largest` in magnitude: above 127 they have two digits.
    static ImageRequest request_of(Extent size, int channels, int k, int largest, float divisor) {
        std::mt19937 random(static_cast<unsigned>(k + largest));
        std::vector<float> weights(static_cast<std::size_t>(k * k));
        for (auto& w : weights)
            w = static_cast<float>(static_cast<int>(random() % (2u * static_cast<unsigned>(largest) + 1u)) -
                                   largest);
        const PixelFormat format{Depth::u8, channels};
        ImageRequest request{size, format, format, {Stage{{make_kernel(k, k, std::move(weights), divisor)}}}};
        request.alpha = AlphaMode::straight;
        return request;
    }

    void expect_bytes_of_tiled(const ImageRequest& request, const Rect& area) const {
        const auto image = random_image(request.size, request.in, 8);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "patches", area).view(),
                                run(*engine, request, image.view(), "tiled", area).view()))
            << describe(request) << ", from " << area.x << ", " << area.y;
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(Patches, LargeImagesHaveTheBytesOfTiled) {
    const Extent size{2313, 2309}; // over twice as many strips as an H200 works on at once
    for (const int channels : {1, 3, 4})
        for (const int k : {3, 5, 7, 9})
            for (const int largest : {100, 400}) {
                auto request = request_of(size, channels, k, largest, 1);
                request.border = k % 4 == 1 ? Border::reflect101 : Border::wrap;
                expect_bytes_of_tiled(request, whole(size));
                expect_bytes_of_tiled(request, {k, 3, 2048 + k, 2200});
            }
}

TEST_F(Patches, PixelsBesideTheImageAreTheBorders) {
    for (const int channels : {1, 3, 4})
        for (const int k : {3, 5, 7, 9})
            for (const auto border : kBorders)
                for (const int width : {64, 132, 256}) {
                    auto request = request_of({width, 90}, channels, k, k == 5 ? 400 : 100, 1);
                    request.border = border;
                    expect_bytes_of_tiled(request, whole(request.size));
                    expect_bytes_of_tiled(request, {0, 20, width, 50});
                }
}

TEST_F(Patches, RectanglesFromAnyColumnHaveTheBytesOfTiled) {
    for (const int channels : {1, 3, 4})
        for (const int k : {3, 5, 7, 9})
            expect_same_from_any_column(*engine, request_of({613, 309}, channels, k, 100, 1), "patches");
}

TEST_F(Patches, OtherResultsHaveThoseOfTiled) {
    const Extent size{700, 500};
    for (const int channels : {1, 3, 4})
        for (const int k : {3, 9}) {
            auto request = request_of(size, channels, k, 100, 10); // divided
            expect_bytes_of_tiled(request, whole(size));
            request = request_of(size, channels, k, 100, 3);
            if (channels > 1) request.channels = 0b010;
            expect_bytes_of_tiled(request, whole(size));
            expect_bytes_of_tiled(request, {65, 64, 400, 300});
            request.out.depth = Depth::f32;
            request.sign = SignedMode::keep;
            expect_bytes_of_tiled(request, whole(size));
        }
}

} // namespace
} // namespace kg::testing
