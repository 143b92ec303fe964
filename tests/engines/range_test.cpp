// Semantics 12 far from 1: a result is finite and correct wherever the sum of the weighted magnitudes and the
// quotient are at most 2^126. Tested for every algorithm with numbers computed by hand: flat images, and one
// bright column.

#include "core/request/separate.hpp"
#include "filters/recipe.hpp"
#include "tests/support/algorithms.hpp"

#include <cmath>

namespace kg::testing {
namespace {

constexpr Extent kSize{70, 41};
constexpr double kMost = 0x1p126;

Image flat(double value) {
    Image image(kSize, {Depth::f32, 1});
    for (std::int64_t y = 0; y < kSize.height; ++y)
        for (std::int64_t x = 0; x < kSize.width; ++x) store(image.view(), x, y, 0, value);
    return image;
}

/// `count` columns from `x` on are `value`; the others are 0.
Image stripe(double value, std::int64_t x, std::int64_t count) {
    auto image = flat(0);
    for (std::int64_t y = 0; y < kSize.height; ++y)
        for (auto i = x; i < x + count; ++i) store(image.view(), i, y, 0, value);
    return image;
}

/// Expects `want` in all samples of every algorithm's result. `image` is `value` at the taps of the centre
/// output.
void expect_value(const Stage& stage, const Image& image, std::int64_t x, double want) {
    const ImageRequest request{kSize, image.format(), image.format(), {stage}, Border::replicate};
    int algorithms = 0;
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto result = run(engine, request, image.view(), algorithm.id);
        const double got = sample(result.view(), x, kSize.height / 2, 0);
        EXPECT_NEAR(got, want, 1e-5 * std::fabs(want));
        EXPECT_TRUE(std::isfinite(got));
        ++algorithms;
    });
    EXPECT_GT(algorithms, 2);
}

Stage product(const std::vector<float>& column, const std::vector<float>& row, float divisor = 1) {
    std::vector<float> weights;
    for (const float c : column)
        for (const float r : row) weights.push_back(c * r);
    return {{make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()), std::move(weights),
                         divisor)}};
}

TEST(Range, SumsOfWeightsBelowOneStayFinite) {
    const auto blur = product({0.11f, 0.27f, 0.24f, 0.27f, 0.11f}, {0.07f, 0.23f, 0.4f, 0.23f, 0.07f});
    expect_value(blur, flat(0.95 * kMost), 35, 0.95 * kMost);
    expect_value(product({0.3f, 0.4f, 0.3f}, {0.01f, 0.98f, 0.01f}), stripe(3.4e38, 36, 1), 35, 3.4e36);
    // A column of large weights next to one of small ones, and vice versa.
    expect_value(product({100, 90, 80}, {1e-3f, 2e-3f, 1e-3f}), flat(7e37), 35, 7e37 * 270 * 4e-3);
    expect_value(product({1e-3f, 2e-3f, 1e-3f}, {100, 90, 80}), flat(7e37), 35, 7e37 * 270 * 4e-3);
    expect_value(product({3e-3f, 7e-3f}, {5e-3f, 1e-3f, 9e-3f}, 1e-3f), flat(3.3e38), 35,
                 3.3e38 * 1.5e-4 / 1e-3);
}

TEST(Range, BoxesOfListedWeightsBelowOneStayFinite) {
    const auto ninth = std::vector<float>(9, 1.0f / 9);
    expect_value({{make_kernel(3, 3, ninth)}}, flat(0.95 * kMost), 35, 0.95 * kMost);
    expect_value({{make_kernel(9, 1, ninth)}}, flat(0.95 * kMost), 35, 0.95 * kMost);
    expect_value({{make_kernel(9, 9, std::vector<float>(81, 0.01f))}}, flat(kMost), 35, 0.81 * kMost);
    expect_value({{make_kernel(3, 3, std::vector<float>(9, 1), 9)}}, flat(0.1 * kMost), 35, 0.1 * kMost);
}

TEST(Range, LengthsOfSlopesStayFinite) { // although their squares are not
    for (const auto* text : {"sobel:norm=l2", "scharr:norm=l2", "prewitt:norm=l2", "sobel:size=5:norm=l2"}) {
        const auto stage = stage_of(parse_step(text));
        double rise = 0; // only columns right of the centre count, and the image is constant along columns
        const auto& along = stage.kernels.front();
        for (int i = 0; i < along.height; ++i)
            for (int j = along.width / 2 + 1; j < along.width; ++j)
                rise += static_cast<double>(along.weights[static_cast<std::size_t>(i * along.width + j)]);
        const double slope = std::fabs(rise / static_cast<double>(along.divisor));
        ASSERT_GT(slope, 0);
        const double value = 0.4 * kMost / std::fabs(rise);
        expect_value(stage, stripe(value, 36, kSize.width - 36), 35, value * slope);
    }
    const auto identity = make_kernel(1, 1, {1});
    expect_value(Stage{{identity, identity}, Combine::l2}, flat(4e37), 35, 4e37 * std::sqrt(2.0));
    expect_value(Stage{{identity, identity, identity}, Combine::l2}, flat(4e37), 35, 4e37 * std::sqrt(3.0));
    expect_value(Stage{{identity, make_kernel(1, 1, {1e-30f})}, Combine::l2}, flat(4e37), 35, 4e37);
}

} // namespace
} // namespace kg::testing
