// The digits that the tensor cores multiply: they make the weights, and the fewest that suffice are taken.

#include "gpu/kernels/tensor/digit_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg::gpu {
namespace {

Kernel kernel_of(int width, int height, float (*weight)(int)) {
    std::vector<float> weights(static_cast<std::size_t>(width * height));
    for (int i = 0; i < width * height; ++i) weights[static_cast<std::size_t>(i)] = weight(i);
    return make_kernel(width, height, std::move(weights));
}

TEST(DigitWeights, DigitsMakeTheNumber) {
    for (const int n : {0, 1, -1, 127, 128, -128, -129, 255, 256, 32639, -32640, 8355711, -8355712})
        EXPECT_EQ(digit(n, 0) + 256 * digit(n, 1) + 65536 * digit(n, 2), n);
    for (const int n : {32639, -32640, 300}) EXPECT_EQ(digit(n, 0) + 256 * digit(n, 1), n);
}

TEST(DigitWeights, AreAsFewAsSemanticsElevenAllows) {
    const auto digits = [](const Kernel& kernel) {
        const auto& found = digit_weights(kernel);
        return found ? found->digits : 0;
    };
    EXPECT_EQ(digits(make_kernel(3, 1, {1, 127, -128}, 256)), 1);
    EXPECT_EQ(digits(make_kernel(3, 1, {1, 128, 1}, 130)), 2) << "integers stay as they are";
    EXPECT_EQ(digits(make_kernel(2, 1, {65001, -1}, 1000)), 3);
    EXPECT_EQ(
        digits(kernel_of(7, 7, [](int i) { return (1 + 0.1f * std::sin(static_cast<float>(i))) / 49; })), 2);
    EXPECT_EQ(digits(kernel_of(21, 21, [](int i) { return i == 220 ? 2.9f : -0.0043f; })), 3);
    EXPECT_EQ(digits(kernel_of(40, 40, [](int i) { return i % 2 ? -0.0625f : 0.0624f; })), 0) << "gain 100";
}

TEST(DigitWeights, AreThoseOfTheKernelAskedFor) { // not of the previous one
    const auto one = make_kernel(2, 1, {1, 3}), other = make_kernel(2, 1, {1, 5});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(digit_weights(one)->numbers, (std::vector<std::int32_t>{1, 3}));
        EXPECT_EQ(digit_weights(other)->numbers, (std::vector<std::int32_t>{1, 5}));
    }
}

} // namespace
} // namespace kg::gpu
