// The fast loops over weights agree with simple ones, wherever in the kernel the decisive weight is.

#include "core/image/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace kg {
namespace {

// Around the lengths of vectors and of the chunks of the loops.
const std::size_t kCounts[] = {1, 2, 7, 8, 9, 31, 1023, 1024, 1025, 3000};

TEST(Weights, TheCommonUnitIsThatOfTheFinest) {
    const auto unit = [](std::vector<float> weights) { return common_unit(weights); };
    EXPECT_EQ(unit({3, -5, 0}), 1);
    EXPECT_EQ(unit({6, -4, 1024}), 2);
    EXPECT_EQ(unit({0.75f, 5, -0.125f}), 0.125);
    EXPECT_EQ(unit({1, 1 + 0x1p-23f}), 0x1p-23);
    EXPECT_EQ(unit({0x1p-149f, 1}), 0x1p-149);
    EXPECT_EQ(unit({0x1.8p-127f}), 0x1p-128);
    EXPECT_EQ(unit({0x1p127f}), 0x1p127);
    EXPECT_TRUE(std::isinf(unit({0, -0.0f})));
}

TEST(Weights, OneThatIsNotFiniteIsFoundWhereverItIs) {
    for (const auto count : kCounts) {
        std::vector<float> weights(count, std::numeric_limits<float>::max());
        EXPECT_TRUE(are_finite(weights));
        for (std::size_t i = 0; i < count; i += 1 + count / 50)
            for (const float bad :
                 {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
                const float good = std::exchange(weights[i], bad);
                EXPECT_FALSE(are_finite(weights)) << i << " of " << count;
                weights[i] = good;
            }
    }
}

TEST(Weights, OneThatDiffersIsFoundWhereverItIs) {
    for (const auto count : kCounts) {
        std::vector<float> weights(count, 0.1f);
        std::vector<float> row(count);
        for (std::size_t j = 0; j < count; ++j) row[j] = static_cast<float>(j % 97);
        auto product = row;
        for (float& v : product) v *= -3;
        EXPECT_TRUE(are_all(weights, 0.1f));
        EXPECT_TRUE(are_multiples(product, -3, row));
        for (std::size_t i = 0; i < count; i += 1 + count / 50) {
            const float same = std::exchange(weights[i], std::nextafter(0.1f, 1.0f));
            EXPECT_FALSE(are_all(weights, 0.1f)) << i << " of " << count;
            weights[i] = same;
            product[i] += 1;
            EXPECT_FALSE(are_multiples(product, -3, row)) << i << " of " << count;
            product[i] -= 1;
        }
    }
}

TEST(Weights, SumsAndCountsLeaveNoneOut) {
    for (const auto count : kCounts) {
        std::vector<float> weights(count);
        double sum = 0, magnitude = 0;
        std::int64_t taps = 0;
        for (std::size_t i = 0; i < count; ++i) {
            // Integers: no order of the sums rounds.
            weights[i] = static_cast<float>(static_cast<int>(i % 7) - 2);
            sum += weights[i], magnitude += std::fabs(weights[i]);
            taps += weights[i] != 0;
        }
        EXPECT_EQ(sums_of(weights).sum, sum) << count;
        EXPECT_EQ(sums_of(weights).magnitude, magnitude) << count;
        EXPECT_EQ(count_taps(weights), taps) << count;
    }
}

TEST(Weights, ProductsAreRoundedOnce) {
    const std::vector<double> row{1.0 / 3, 0, -1e-30, 7};
    std::vector<float> out(4, -1);
    multiples(1.0 / 7, row, out);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(out[j], static_cast<float>(1.0 / 7 * row[j]));
}

} // namespace
} // namespace kg
