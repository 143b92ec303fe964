// Detection of kernels that are a column times a row; only accurate factors are returned.

#include "core/request/separate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kg {
namespace {

Stage stage_of(Kernel kernel) { return {{std::move(kernel)}}; }

Kernel product(const std::vector<float>& column, const std::vector<float>& row) {
    std::vector<float> weights;
    for (const float c : column)
        for (const float r : row) weights.push_back(c * r);
    return make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()), std::move(weights));
}

/// The largest |column * row - weight| / |weight|.
double largest_error(const Kernel& kernel, const Factors& f) {
    double largest = 0;
    for (std::size_t i = 0; i < f.column.size(); ++i)
        for (std::size_t j = 0; j < f.row.size(); ++j) {
            const auto weight = static_cast<double>(kernel.weights[i * f.row.size() + j]);
            const auto error = static_cast<double>(f.column[i]) * static_cast<double>(f.row[j]) - weight;
            if (weight != 0) largest = std::max(largest, std::fabs(error / weight));
            else EXPECT_EQ(error, 0);
        }
    return largest;
}

/// A 17 x 17 binomial: no order of its sums is exact, so summing columns first loses nothing.
TEST(Separate, SeparatesWholeNumbersThatAreTooLargeToBeExact) {
    std::vector<float> row{1};
    while (row.size() < 17) {
        row.push_back(0);
        for (auto i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
    }
    const auto kernel = product(row, row);
    const auto f = separate(stage_of(kernel), 0);
    ASSERT_TRUE(f);
    EXPECT_LT(largest_error(kernel, *f), 4e-7);
}

TEST(Separate, GivesListedIntegerFactorsAsTheyAre) {
    auto stage = stage_of(make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 8));
    EXPECT_FALSE(separate(stage, 0)); // integer kernels are never separated by rounded factors
    stage.factors = {{{1, 2, 1}, {-1, 0, 1}}};
    const auto f = separate(stage, 0);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->column, (std::vector<float>{1, 2, 1}));
    EXPECT_EQ(f->row, (std::vector<float>{-1, 0, 1}));
}

TEST(Separate, FindsAProductOfRoundedVectors) {
    const auto kernel = product({0.1f, -0.7f, 0.3f, 1.9f}, {0.25f, 0, -1.3f, 0.01f, 700.3f});
    const auto f = separate(stage_of(kernel), 0);
    ASSERT_TRUE(f);
    EXPECT_LE(largest_error(kernel, *f), 4 * 0x1p-24);
    float magnitude = 0; // sums down a column stay below the largest sample, so they do not overflow
    for (const float c : f->column) magnitude += std::fabs(c);
    EXPECT_LE(magnitude, 0.5f);
}

TEST(Separate, MakesWholeWeightsOfEighths) {
    auto stage = stage_of(make_kernel(3, 1, {0.125f, 0.75f, 0.375f}, 0.5f));
    const auto whole = with_whole_weights(stage, 65535);
    EXPECT_EQ(whole.kernels.front().weights, (std::vector<float>{1, 6, 3}));
    EXPECT_EQ(whole.kernels.front().divisor, 4);
    ASSERT_EQ(whole.factors.size(), 1u);
    EXPECT_EQ(whole.factors.front().row, (std::vector<int>{1, 6, 3}));
    EXPECT_NO_THROW(validate(whole));
    stage.kernels.front().weights[1] = 0.7f; // 24 digits, so its sums are not exact
    EXPECT_EQ(with_whole_weights(stage, 65535), stage);
    stage = stage_of(make_kernel(3, 1, {1, 6, 3}, 4)); // exact
    EXPECT_EQ(with_whole_weights(stage, 65535), stage);
    stage = stage_of(make_kernel(2, 1, {0x1p20f, 0x1.8p20f}, 0x1p20f)); // a common factor is no digit
    EXPECT_TRUE(sums_exactly(stage, 65535));
    EXPECT_EQ(with_whole_weights(stage, 65535).kernels.front().weights, (std::vector<float>{2, 3}));
    stage = stage_of(make_kernel(2, 1, {0x1p-100f, 0x1p-100f}, 0x1p28f)); // its divisor would be infinite
    EXPECT_EQ(with_whole_weights(stage, 255), stage);
}

TEST(Separate, RefusesWhatIsOnlyNearlyAProduct) {
    auto kernel = product({0.1f, 0.7f, 0.3f}, {0.25f, 1.3f, 0.5f});
    for (const std::size_t i : {std::size_t{0}, std::size_t{5}}) {
        auto changed = kernel;
        changed.weights[i] *= 1 + 1e-6f;
        EXPECT_FALSE(separate(stage_of(changed), 0)) << i;
    }
    kernel.weights[8] = 0; // a zero weight would not propagate NaN
    EXPECT_FALSE(separate(stage_of(kernel), 0));
    EXPECT_FALSE(separate(stage_of(make_kernel(2, 2, {0, 0, 0, 0})), 0));
}

TEST(Separate, KnowsGaussiansByTheirProfile) {
    const auto p = gaussian_profile(1.5, 13), q = gaussian_profile(1.5, 7);
    std::vector<float> weights;
    for (const double y : p)
        for (const double x : q) weights.push_back(static_cast<float>(y * x));
    auto stage = stage_of(make_kernel(7, 13, weights));
    stage.generator = GaussianGenerator{1.5, 7, 13};
    const auto f = separate(stage, 0);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->row[3], static_cast<float>(q[3]));
    EXPECT_EQ(f->column[6], static_cast<float>(p[6]));
}

/// separate() derives its answer from the generator. It must equal the answer derived from the weights, also
/// where tails vanish.
TEST(Separate, KnowsGaussiansOfAnyWidthAsTheirWeightsAre) {
    int whole = 0, vanishing = 0;
    for (const double sigma : {0.1, 0.13, 0.2, 0.25, 0.3, 0.5, 0.8, 1.1, 2.0, 3.7, 9.0})
        for (int kernel_size = 1; kernel_size <= 64; ++kernel_size) {
            const auto p = gaussian_profile(sigma, kernel_size);
            std::vector<float> weights;
            for (const double y : p)
                for (const double x : p) weights.push_back(static_cast<float>(y * x));
            auto stage = stage_of(make_kernel(kernel_size, kernel_size, weights));
            stage.generator = GaussianGenerator{sigma, kernel_size, kernel_size};
            const std::vector<float> rounded(p.begin(), p.end());
            bool faithful = true;
            for (std::size_t i = 0; i < rounded.size(); ++i)
                for (std::size_t j = 0; j < rounded.size(); ++j) {
                    const auto weight = static_cast<double>(weights[i * rounded.size() + j]),
                               product = static_cast<double>(rounded[i]) * static_cast<double>(rounded[j]);
                    faithful &= (weight == 0) == (product == 0) &&
                                std::fabs(product - weight) <= 4 * 0x1p-24 * weight;
                }
            EXPECT_EQ(separate(stage, 0).has_value(), faithful) << sigma << ", " << kernel_size;
            ++(faithful ? whole : vanishing);
        }
    EXPECT_GT(whole, 100);
    EXPECT_GT(vanishing, 20);
}

TEST(Separate, FindsProductsWhereverTheyHaveZerosAndSigns) {
    std::mt19937 random(3);
    for (int n = 0; n < 2000; ++n) {
        std::vector<float> column(1 + random() % 7), row(1 + random() % 7);
        for (auto* factors : {&column, &row}) {
            for (float& v : *factors)
                v = random() % 4 ? std::ldexp(static_cast<float>(random() % 2001) - 1000.5f,
                                              static_cast<int>(random() % 40) - 30)
                                 : 0;
            factors->at(random() % factors->size()) = 0.3f;
        }
        EXPECT_TRUE(separate(stage_of(product(column, row)), 0)) << n;
    }
}

TEST(Separate, ServesGeneratorsWithoutWeights) {
    const auto f = separate(generated_stage(GaussianGenerator{300, 2401, 1}), 0);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->row.size(), 2401u);
    EXPECT_EQ(f->column, (std::vector<float>{1}));
    EXPECT_TRUE(separate(generated_stage(BoxGenerator{1101, 3}), 0));
}

} // namespace
} // namespace kg
