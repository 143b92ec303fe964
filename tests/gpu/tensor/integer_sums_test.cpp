// From integer sums to bytes: the cheap operations give what semantics 4 and 6 say. The device's operations
// are repeated here (gpu/kernels/tensor/integer_sums.cuh), so that this runs without a GPU.

#include "core/request/sample.hpp"
#include "gpu/kernels/tensor/integer_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg::gpu {
namespace {

float divided(float v, float divisor, float reciprocal) {
    const float rough = v * reciprocal;
    const float near = std::fma(std::fma(-divisor, rough, v), reciprocal, rough);
    return std::fma(std::fma(-divisor, near, v), reciprocal, near);
}

int byte_of(const SumFinish& f, bool small, int sum, float offset) {
    const int kept = static_cast<int>(static_cast<std::int64_t>(f.start) + sum);
    if (f.rounding == SumRounding::shift) return std::clamp(kept >> f.shift, 0, 255);
    const float number = small ? std::bit_cast<float>(kept) - 12582912.0f : static_cast<float>(kept);
    const float value = f.rounding == SumRounding::scale ? std::fma(number, f.reciprocal, offset)
                                                         : divided(number, f.divisor, f.reciprocal) + offset;
    return std::clamp(std::bit_cast<int>(value * 0x1p-149f), 0, 255);
}

struct Case {
    Kernel kernel;
    float offset; ///< levels
    SumRounding rounding;
};

Kernel kernel_of(std::vector<float> weights, float divisor) {
    const auto width = static_cast<int>(weights.size());
    return make_kernel(width, 1, std::move(weights), divisor);
}

/// Every sum of exact weights, or every 97th.
void expect_exact(const Case& one) {
    const auto& weights = digit_weights(one.kernel);
    ASSERT_TRUE(weights && weights->most_off == 0);
    std::int64_t low = 0, high = 0;
    for (const auto n : weights->numbers) (n > 0 ? high : low) += 255 * std::int64_t{n};
    const bool small = weights->digits == 1;
    const auto finish = sum_finish(*weights, one.kernel.divisor, {Depth::u8, one.offset, true, small});
    EXPECT_EQ(finish.rounding, one.rounding) << one.kernel.divisor << " offset " << one.offset;
    const std::int64_t step = high - low > 10'000'000 ? 97 : 1;
    for (auto sum = low; sum <= high; sum += step) {
        const float stored = std::ldexp(static_cast<float>(sum), -weights->shift);
        const int expected = SampleTraits<std::uint8_t>::from(stored / one.kernel.divisor + one.offset);
        ASSERT_EQ(byte_of(finish, small, static_cast<int>(sum), one.offset), expected)
            << sum << " over " << one.kernel.divisor << " offset " << one.offset;
    }
}

TEST(IntegerSums, OfExactWeightsBecomeTheBytesOfSumsInFloats) {
    using enum SumRounding;
    for (const auto& one : std::vector<Case>{{kernel_of({-1, -2, 5, -1, 0}, 1), 0, shift},
                                             {kernel_of({-1, -2, 0, 2, 1}, 1), 128, shift},
                                             {kernel_of({-1, -2, 0, 2, 1}, 1), 127.5f, scale},
                                             {kernel_of({1, 4, 6, 4, 1}, 16), 0, scale},
                                             {kernel_of({1, 4, 6, 4, 1}, 16), 63.75f, scale},
                                             {kernel_of({1, 4, -6, 4, 1}, -8), 63.75f, scale},
                                             {kernel_of({0.125f, 0.5f, 0.375f}, 1), 0, scale},
                                             {kernel_of({0.125f, 0.5f, 0.375f}, 0.625f), 0, scale},
                                             {kernel_of({0.125f, 0.5f, 0.375f}, 0.75f), 0, divide},
                                             {kernel_of({1, 1, 1}, 3), 0, scale},
                                             {kernel_of({1, 1, 1}, 3), 25.5f, divide},
                                             {kernel_of({3, 1, -7, 127, 100}, 4095), 0, scale},
                                             {kernel_of({16383}, 16383), 0, scale},
                                             {kernel_of({9000, 7383}, 16383), 0, scale},
                                             {kernel_of({3, 1, -7, 127, 100}, 16385), 0, divide},
                                             {kernel_of({1, 1, 1, 1, 1, 1}, 6), 0, divide},
                                             {kernel_of({1, 1, 1, 1, 1, 1}, 6), 0.3f * 255, divide},
                                             {kernel_of({400, 225, -36, 1}, 4096), 0, scale},
                                             {kernel_of({400, 225, -36, 1}, 590), 12.75f, divide},
                                             {kernel_of({30000, 20000, 15000}, 65000), 0, scale},
                                             {kernel_of({0, 0, 0}, 7), 3.5f, divide}})
        expect_exact(one);
}

TEST(IntegerSums, OfRoundedWeightsAreRoundedToTheNearest) {
    for (const float divisor : {1.0f, 3.0f, 0.7f})
        for (const float offset : {0.0f, 25.5f, 127.5f}) {
            const auto kernel = kernel_of({0.1f, 0.2f, 0.37f, -0.05f, 0.3f}, divisor);
            const auto& weights = digit_weights(kernel);
            ASSERT_TRUE(weights && weights->most_off > 0);
            const auto finish = sum_finish(*weights, divisor, {Depth::u8, offset, true, false});
            EXPECT_EQ(finish.rounding, divisor == 1 ? SumRounding::shift : SumRounding::scale);
            std::int64_t low = 0, high = 0;
            for (const auto n : weights->numbers) (n > 0 ? high : low) += 255 * std::int64_t{n};
            for (auto sum = low; sum <= high; sum += 11) {
                const double value = std::ldexp(static_cast<double>(sum), -weights->shift) /
                                         static_cast<double>(divisor) +
                                     static_cast<double>(offset);
                ASSERT_LE(std::fabs(byte_of(finish, false, static_cast<int>(sum), offset) -
                                    std::clamp(value, 0.0, 255.0)),
                          0.5 + 0x1p-14)
                    << sum << " over " << divisor << " offset " << offset;
            }
        }
}

TEST(IntegerSums, BeginWithWhatFitsIntoThem) {
    const auto kernel = kernel_of({0.1f, 0.2f, 0.37f, -0.05f, 0.3f}, 1);
    const auto& weights = *digit_weights(kernel);
    EXPECT_EQ(sum_finish(weights, 1, {Depth::f32, 0, true, false}).rounding, SumRounding::scale);
    EXPECT_EQ(sum_finish(weights, 1, {Depth::u8, 9, false, false}).rounding, SumRounding::scale)
        << "alpha has no offset";
    EXPECT_EQ(sum_finish(weights, 1, {Depth::u8, 1e9f, true, false}).rounding, SumRounding::scale)
        << "more than 32 bits";
    const auto ones = kernel_of({1, 2, 1}, 4);
    EXPECT_EQ(sum_finish(*digit_weights(ones), 4, {Depth::u8, 0, true, true}).start, kSmallSum);
    EXPECT_EQ(sum_finish(*digit_weights(ones), 4, {Depth::u8, 0, true, false}).start, 0);
}

TEST(IntegerSums, OfRoundedWeightsAreNotForFloats) {
    const auto ones = kernel_of({1, 2, 1}, 4), rounded = kernel_of({0.1f, 0.2f}, 1);
    for (const auto in : {Depth::u8, Depth::u16}) {
        EXPECT_EQ(why_not_digits(ones, in, Depth::f32), "");
        EXPECT_EQ(why_not_digits(rounded, in, in), "");
    }
    EXPECT_NE(why_not_digits(rounded, Depth::u8, Depth::f32), "");
}

} // namespace
} // namespace kg::gpu
