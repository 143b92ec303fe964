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

/// t of semantics 11 for u16, and what float32 operations behind the sums would add.
TEST(DigitWeights, OfSixteenBitsAreFineEnoughForSemanticsEleven) {
    const auto wave = [](int i) { return 0.01f + 0.009f * std::sin(static_cast<float>(i) * 1.7f); };
    for (const int size : {9, 15, 31}) {
        const auto kernel = kernel_of(size, size, wave);
        const auto& found = digit_weights(kernel, Depth::u16);
        ASSERT_TRUE(found) << size;
        EXPECT_EQ(found->digits, 3) << size;
        double positive = 0, negative = 0; // errors of a result, in levels
        for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
            const double off = std::ldexp(found->numbers[i], -found->shift) - double{kernel.weights[i]};
            (off > 0 ? positive : negative) += std::fabs(off) * 65535;
        }
        EXPECT_LE(std::max(positive, negative), 2 * size / 512.0) << size;
        EXPECT_GE(found->most_off, std::max(positive, negative) * 0.999) << size;
    }
    EXPECT_EQ(digit_weights(make_kernel(3, 1, {1, 2, 1}, 4), Depth::u16)->digits, 1) << "integers";
    EXPECT_EQ(digit_weights(make_kernel(3, 1, {1, 2, 1}, 4), Depth::u16)->most_off, 0);
}

/// The sums of `toeplitz`, of which equal powers of 256 share a register of 32 bits.
TEST(DigitWeights, SumsOfSixteenBitsByPowersFitIntoRegisters) {
    constexpr std::int64_t kTaps = 32 * 40, kSample = 255;
    for (const std::int64_t digit : {-128, 127}) {
        EXPECT_LT(std::abs(2 * kTaps * kSample * digit), std::int64_t{1} << 31); // the sum of two planes
        const std::int64_t whole = kTaps * 65535 * (digit * 65536 + digit * 256 + digit);
        EXPECT_LT(std::abs(whole), std::int64_t{1} << 53) << "exact in float64";
    }
}

TEST(DigitWeights, AreThoseOfTheKernelAskedFor) { // not of the previous one
    const auto one = make_kernel(2, 1, {1, 3}), other = make_kernel(2, 1, {1, 5});
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(digit_weights(one)->numbers, (std::vector<std::int32_t>{1, 3}));
        EXPECT_EQ(digit_weights(other)->numbers, (std::vector<std::int32_t>{1, 5}));
        const auto rounded = kernel_of(15, 15,
                                       [](int i) { return 0.0043f + 0.0001f * static_cast<float>(i % 7); });
        const auto of_bytes = digit_weights(rounded)->numbers;
        EXPECT_NE(digit_weights(rounded, Depth::u16)->numbers, of_bytes);
    }
}

} // namespace
} // namespace kg::gpu
