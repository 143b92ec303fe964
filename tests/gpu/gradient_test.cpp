// `gradient` on small kernels beyond the registry walk's images: several kernels of any extent and anchor,
// rectangles that begin anywhere, and results that are not stored at once. Integer weights, so that every
// algorithm has the same bytes (semantics 11). Skipped where there is no usable GPU.

#include "core/request/separate.hpp"
#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

#include <random>

namespace kg::testing {
namespace {

class Gradient : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    static ImageRequest request_of(Extent size, PixelFormat format, int kernels, int width, int height,
                                   Combine combine) {
        std::mt19937 random(static_cast<unsigned>(17 * kernels + width));
        Stage stage{};
        stage.combine = combine;
        for (int k = 0; k < kernels; ++k) {
            std::vector<float> weights(static_cast<std::size_t>(width * height));
            for (auto& w : weights) w = static_cast<float>(static_cast<int>(random() % 9u) - 4);
            stage.kernels.push_back(
                make_kernel(width, height, std::move(weights), static_cast<float>(1 + k)));
        }
        ImageRequest request{size, format, format, {stage}};
        request.alpha = AlphaMode::straight;
        return request;
    }

    void expect_bytes_of_tiled(const ImageRequest& request, const Rect& area) const {
        const auto image = random_image(request.size, request.in, 8);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "gradient", area).view(),
                                run(*engine, request, image.view(), "tiled", area).view()))
            << describe(request) << ", from " << area.x << ", " << area.y;
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(Gradient, AnyKernelsHaveTheBytesOfTiled) {
    const Extent size{613, 409};
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int channels : {1, 3, 4})
            for (const auto& [width, height] : {std::pair{3, 3}, {2, 2}, {1, 3}, {3, 1}, {2, 3}})
                for (const int kernels : {1, 2, 8})
                    for (const auto combine : {Combine::l1, Combine::l2}) {
                        auto request = request_of(size, {depth, channels}, kernels, width, height, combine);
                        request.border = width % 2 == 0 ? Border::wrap : Border::reflect;
                        expect_bytes_of_tiled(request, whole(size));
                        expect_bytes_of_tiled(request, {width, 3, 512 + channels, 333});
                    }
}

TEST_F(Gradient, LengthsOfSmallIntegerSlopesHaveTheBytesOfTiled) {
    const Extent size{613, 409};
    const std::vector<float> smooth3{1, 2, 1}, slope3{-1, 0, 1}, smooth5{1, 4, 6, 4, 1},
        slope5{-1, -2, 0, 2, 1}, one{1}, wide4{3, -1, 0, 5}, scharr{3, 10, 3}, most{64, 64};
    // Column and row of both kernels. The sums of two samples times 64 reach 32640, the most that is packed.
    const std::vector<float> all[][4] = {{smooth3, slope3, slope3, smooth3},
                                         {scharr, slope3, slope3, scharr},
                                         {smooth5, slope5, slope5, smooth5},
                                         {one, slope3, slope5, one},
                                         {wide4, one, smooth3, wide4},
                                         {most, one, one, most},
                                         {one, one, one, slope3}};
    const auto product = [](const std::vector<float>& column, const std::vector<float>& row) {
        std::vector<float> weights;
        for (const float c : column)
            for (const float r : row) weights.push_back(c * r);
        return make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()), std::move(weights));
    };
    for (const auto& factors : all)
        for (const int channels : {1, 3, 4})
            for (const auto border :
                 {Border::zero, Border::replicate, Border::reflect, Border::reflect101, Border::wrap})
                for (const bool flip : {false, true}) {
                    auto request = request_of(size, {Depth::u8, channels}, 0, 1, 1, Combine::l2);
                    request.border = border;
                    auto& stage = request.stages.front();
                    for (const int k : {0, 2}) {
                        stage.kernels.push_back(product(factors[k], factors[k + 1]));
                        stage.kernels.back().flip = flip;
                        stage.factors.push_back(*integer_factors(stage.kernels.back()));
                    }
                    expect_bytes_of_tiled(request, whole(size));
                    expect_bytes_of_tiled(request, {5, 3, 512 + channels, 333});
                    expect_bytes_of_tiled(request, {9, 0, 7, 2});
                    if (!flip) expect_same_from_any_column(*engine, request, "gradient");
                }
}

TEST_F(Gradient, OtherResultsHaveThoseOfTiled) {
    const Extent size{700, 500};
    for (const int channels : {1, 3, 4}) {
        auto request = request_of(size, {Depth::u8, channels}, 2, 3, 3, Combine::l2);
        request.stages.front().offset = 0.125f;
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
