// Weights and bounds for bytes weighted by alpha, without a GPU: quotients of sums of the rounded weights
// beside those of the weights themselves.

#include "gpu/kernels/tensor/alpha_finish.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kg::gpu {
namespace {

/// Weights that differ up to a million times, so that three digits are coarse for the least of them.
Kernel kernel_of(int width, int height, std::uint32_t seed, float centre) {
    std::mt19937 random(seed);
    std::vector<float> weights(static_cast<std::size_t>(width * height));
    float sum = 0;
    for (auto& w : weights) {
        const auto root = static_cast<float>(1 + random() % 1000);
        sum += w = root * root;
    }
    for (auto& w : weights) w *= (1 - centre) / sum;
    weights[weights.size() / 2] += centre;
    return make_kernel(width, height, std::move(weights));
}

/// The largest difference of two quotients, in levels, among pixels whose alpha is zero but for a few taps.
double most_off(const Kernel& kernel, const DigitWeights& weights, const AlphaFinish& finish,
                std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto exact = taps(kernel).weights;
    double most = 0;
    for (int pixel = 0; pixel < 4000; ++pixel) {
        const auto density = 1 + random() % 64, brightest = 1 + random() % 255;
        double colour = 0, alpha = 0, rounded_colour = 0, rounded_alpha = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double a = random() % density == 0 ? static_cast<double>(random() % (brightest + 1)) : 0,
                         c = random() % 3 == 0 ? 0 : 255;
            const double number = weights.numbers[i], weight = exact[i];
            alpha += weight * a, colour += weight * a * c;
            rounded_alpha += number * a, rounded_colour += number * a * c;
        }
        if (std::fabs(rounded_alpha) < finish.faint || rounded_alpha <= 0) continue;
        const auto clamped = [](double level) { return std::fmin(std::fmax(level, 0), 255); };
        most = std::fmax(most, std::fabs(clamped(colour / alpha) - clamped(rounded_colour / rounded_alpha)));
    }
    return most;
}

TEST(AlphaFinish, QuotientsOfRoundedWeightsStayBelowT) {
    for (const auto& [size, centre] : {std::pair{3, 0.0f}, {3, 1.5f}, {15, 0.0f}, {31, 0.0f}})
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            const auto kernel = kernel_of(size, size + 1, seed, centre);
            const auto& weights = finest_digit_weights(kernel);
            ASSERT_TRUE(weights) << size << ' ' << centre;
            const auto finish = alpha_finish(kernel, *weights);
            ASSERT_TRUE(finish) << size << ' ' << centre;
            EXPECT_EQ(finish->faint > 0, size > 3 || centre > 0);
            EXPECT_LT(most_off(kernel, *weights, *finish, seed), 1.0 / 64) << size << ' ' << centre;
        }
}

TEST(AlphaFinish, NothingIsFaintForWeightsThatAreExactOrAlike) {
    const auto ones = make_kernel(31, 31, std::vector<float>(961, 1.0f), 961);
    const auto exact = alpha_finish(ones, *finest_digit_weights(ones));
    ASSERT_TRUE(exact);
    EXPECT_EQ(exact->faint, 0);
    const auto thirds = make_kernel(15, 15, std::vector<float>(225, 1.0f / 225));
    const auto alike = alpha_finish(thirds, *finest_digit_weights(thirds));
    ASSERT_TRUE(alike);
    EXPECT_EQ(alike->faint, 0);
    EXPECT_FLOAT_EQ(alike->full * alike->reciprocal, 255);
}

TEST(AlphaFinish, ATinyWeightBesideALargeOneIsRefused) {
    std::vector<float> weights(961, 1e-3f);
    weights[480] = 1 - 960e-3f + 30;
    weights[481] -= 30;
    const auto kernel = make_kernel(31, 31, std::move(weights));
    const auto& found = finest_digit_weights(kernel);
    EXPECT_TRUE(!found || !alpha_finish(kernel, *found));
}

TEST(AlphaFinish, WeightsFarAboveTheDivisorAreRefused) {
    const auto accepted = [](float magnitude) {
        const auto kernel = make_kernel(3, 1, {-magnitude, 2 * magnitude + 1, -magnitude});
        return alpha_finish(kernel, *finest_digit_weights(kernel)).has_value();
    };
    EXPECT_TRUE(accepted(4));
    EXPECT_FALSE(accepted(1000));
}

TEST(AlphaFinish, ANegativeDivisorIsRefused) {
    const auto kernel = make_kernel(3, 3, std::vector<float>(9, -1.0f), -9);
    const auto& found = finest_digit_weights(kernel);
    ASSERT_TRUE(found);
    EXPECT_FALSE(alpha_finish(kernel, *found));
}

} // namespace
} // namespace kg::gpu
