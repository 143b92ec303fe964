#include "core/support/quantile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace kg {
namespace {

/// 1 to n in random order.
std::vector<double> one_to(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    std::ranges::shuffle(values, std::mt19937(1));
    return values;
}

TEST(Quantile, LiesBetweenNeighboursInProportion) {
    EXPECT_EQ(quantile(one_to(5), 0.5), 3);
    EXPECT_EQ(quantile(one_to(4), 0.5), 2.5);
    EXPECT_EQ(quantile(one_to(3), 0.125), 1.25);
    EXPECT_EQ(quantile(one_to(101), 0.05), 6);
    EXPECT_EQ(quantile(one_to(101), 0), 1);
    EXPECT_EQ(quantile(one_to(101), 1), 101);
    EXPECT_EQ(quantile(one_to(1), 0.95), 1);
}

TEST(Quantile, EqualValuesHaveTheirOwn) { EXPECT_EQ(quantile({2, 2, 7, 2}, 0.5), 2); }

TEST(Quantile, OfNothingIsZero) { EXPECT_EQ(quantile({}, 0.5), 0); }

} // namespace
} // namespace kg
