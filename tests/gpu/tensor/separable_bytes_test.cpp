// `separable_bytes` beyond the registry walk's images: rectangles that begin at any address, with and without
// room in the window for pixels before the first tap. Integer weights whose sums are exact, so that every
// algorithm has the same bytes (semantics 11). Skipped where there is no usable GPU.

#include "core/request/separate.hpp"
#include "gpu/engine.hpp"
#include "tests/gpu/support/whole_source.hpp"

namespace kg::testing {
namespace {

ImageRequest box_of(Extent size, int channels, int kernel_size) {
    const auto taps = static_cast<std::size_t>(kernel_size) * static_cast<std::size_t>(kernel_size);
    Stage stage{
        {make_kernel(kernel_size, kernel_size, std::vector<float>(taps, 1.0f), static_cast<float>(taps))}};
    stage.factors.push_back(*integer_factors(stage.kernels.front()));
    const PixelFormat format{Depth::u8, channels};
    ImageRequest request{size, format, format, {stage}};
    request.alpha = AlphaMode::straight;
    return request;
}

TEST(SeparableBytes, RectanglesFromAnyColumnHaveTheBytesOfTiled) {
    const auto engine = gpu::make_engine();
    if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    for (const int channels : {1, 3, 4})
        for (const int kernel_size : {9, 15, 17, 31, 33, 63})
            expect_same_from_any_column(*engine, box_of({613, 309}, channels, kernel_size),
                                        "separable_bytes");
}

} // namespace
} // namespace kg::testing
