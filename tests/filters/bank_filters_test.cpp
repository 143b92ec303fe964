// Presets for filter banks: their declarations, and what their weights respond to.

#include "core/support/error.hpp"
#include "filters/bank_filter.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace kg {
namespace {

BankDesign design(std::string_view text) {
    const auto [filter, values] = parse_bank_filter(text);
    return filter->build(values);
}

/// The response of filter k to value(x, y) at its centre.
template <typename Value>
double response(const BankDesign& bank, std::int64_t k, Value value) {
    const auto [width, height] = bank.kernel;
    double sum = 0;
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            sum += static_cast<double>(bank.weights[static_cast<std::size_t>((k * height + y) * width + x)]) *
                   value(static_cast<double>(x - width / 2), static_cast<double>(y - height / 2));
    return sum;
}

TEST(BankFilters, EveryOneBuildsFromItsDefaultsAndItsLimits) {
    EXPECT_EQ(bank_filters().size(), 3u);
    for (const auto* filter : bank_filters()) {
        std::vector<std::string> texts{std::string(filter->id)};
        for (const auto& parameter : filter->parameters) {
            EXPECT_FALSE(parameter.help.empty()) << filter->id << parameter.id;
            const auto with = [&](const auto& value) {
                texts.push_back(std::string(filter->id) + ":" + std::string(parameter.id) + "=" + value);
            };
            for (const auto choice : parameter.choices) with(std::string(choice));
            if (parameter.choices.empty()) with(to_text(parameter.minimum)), with(to_text(parameter.maximum));
        }
        for (const auto& text : texts) {
            const auto bank = design(text);
            EXPECT_GT(bank.filters, 0) << text;
            EXPECT_EQ(std::ssize(bank.weights), bank.filters * bank.kernel.width * bank.kernel.height)
                << text;
            EXPECT_TRUE(std::ranges::all_of(bank.weights, [](float w) { return std::isfinite(w); })) << text;
        }
    }
}

TEST(BankFilters, GaborRespondsMostToWavesOfItsDirectionAndLength) {
    const auto bank = design("gabor:orientations=4:wavelength=8");
    ASSERT_EQ(bank.filters, 4);
    for (std::int64_t direction = 0; direction < 4; ++direction) {
        const double angle = std::numbers::pi * static_cast<double>(direction) / 4;
        const auto wave = [&](double length) {
            return [=](double x, double y) {
                return std::cos(2 * std::numbers::pi * (x * std::cos(angle) + y * std::sin(angle)) / length);
            };
        };
        const double own = response(bank, direction, wave(8));
        EXPECT_GT(own, 0.5);
        for (std::int64_t k = 0; k < 4; ++k)
            if (k != direction) {
                EXPECT_LT(std::fabs(response(bank, k, wave(8))), own / 3) << k << direction;
            }
        EXPECT_LT(std::fabs(response(bank, direction, wave(24))), own / 2);
        EXPECT_NEAR(response(bank, direction, [](double, double) { return 1.0; }), 0, 1e-5);
    }
    EXPECT_EQ(design("gabor:orientations=4:phase=both").filters, 8);
}

TEST(BankFilters, LawsAreTheProductsOfTheReport) {
    const auto bank = design("laws:scale=integer");
    ASSERT_EQ(bank.filters, 25);
    ASSERT_EQ(bank.kernel, (Extent{5, 5}));
    const std::vector<float> level_edge(bank.weights.begin() + 25, bank.weights.begin() + 30);
    EXPECT_EQ(level_edge, (std::vector<float>{-1, -2, 0, 2, 1})); // L5 in rows, E5 in columns: row 0 times 1
    EXPECT_EQ(bank.weights[25 + 10], -6);
    EXPECT_EQ(design("laws:size=3").filters, 9);
    const auto unit = design("laws");
    double magnitude = 0;
    for (std::size_t i = 0; i < 25; ++i)
        magnitude += std::fabs(static_cast<double>(unit.weights[24 * 25 + i]));
    EXPECT_NEAR(magnitude, 1, 1e-6);
}

TEST(BankFilters, SteerableDerivativesCombineToThoseOfAnyDirection) {
    const auto first = design("steerable:order=1");
    ASSERT_EQ(first.filters, 2);
    EXPECT_GT(response(first, 0, [](double x, double) { return x; }), 0); // brighter to the right
    EXPECT_GT(response(first, 1, [](double, double y) { return y; }), 0); // brighter downwards
    EXPECT_NEAR(response(first, 0, [](double, double y) { return y; }), 0, 1e-5);
    // Order 2: the three directions sum to one and a half Laplacians, alike in all directions.
    const auto second = design("steerable:order=2");
    ASSERT_EQ(second.filters, 3);
    const auto all = [&](auto value) {
        double sum = 0;
        for (std::int64_t k = 0; k < 3; ++k) sum += response(second, k, value);
        return sum;
    };
    const double along = all([](double x, double) { return x * x; });
    EXPECT_GT(along, 0);
    EXPECT_NEAR(all([](double, double y) { return y * y; }), along, 0.001 * along);
    EXPECT_NEAR(all([](double x, double y) { return x * y; }), 0, 0.001 * along);
}

TEST(BankFilters, UnknownNamesAndValuesOutOfRangeAreRefused) {
    using testing::code_of;
    EXPECT_EQ(code_of([] { design("gabo"); }), "unknown-filter");
    EXPECT_EQ(code_of([] { design("gabor:wavelenght=3"); }), "unknown-parameter");
    EXPECT_EQ(code_of([] { design("gabor:wavelength=1"); }), "out-of-range");
    EXPECT_EQ(code_of([] { design("laws:size"); }), "no-value");
    EXPECT_EQ(code_of([] { design("laws:size=3:size=5"); }), "given-twice");
}

TEST(BankFilters, MoreWeightsThanMemoryHoldsAreRefused) {
    using testing::code_of;
    const auto gabor = [](const std::string& values) { return "gabor:" + values; };
    EXPECT_EQ(code_of([&] { design(gabor("wavelength=64:bandwidth=0.5:aspect=0.25")); }), "bank-too-large");
    EXPECT_EQ(code_of([&] { design(gabor("orientations=64:phase=both:wavelength=64:aspect=0.5")); }),
              "bank-too-large");
    const auto most = design(gabor("orientations=64:phase=both:wavelength=16:bandwidth=1:aspect=0.25"));
    EXPECT_EQ(most.filters, 128);
    EXPECT_GT(most.kernel.width, 200);
}

} // namespace
} // namespace kg
