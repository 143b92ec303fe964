// A device's rate counts once it is steady, and is reported as unsteady otherwise. Samples are synthetic.

#include "measure/steady_rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kg::measure {
namespace {

constexpr double kFull = 31.5e3, kSampleUs = 4e3;

/// A clock at `low` of its full rate for so many microseconds of work, which then rises for as many.
struct Ramp {
    double low = 1, for_us = 0, rising_us = 0;
    double spent_us = 0;

    RateSample operator()() {
        const double rise = rising_us > 0 ? (spent_us - for_us) / rising_us : spent_us >= for_us ? 1.0 : 0.0;
        const double fraction = low + (1 - low) * std::clamp(rise, 0.0, 1.0);
        spent_us += kSampleUs;
        return {kFull * fraction, kSampleUs};
    }
};

TEST(SteadyRate, OfAClockThatStandsIsBelievedSoon) {
    Ramp ramp;
    const auto rate = steady_rate(std::ref(ramp));
    EXPECT_EQ(rate.best, kFull);
    EXPECT_TRUE(rate.is_steady);
    EXPECT_LT(ramp.spent_us, 0.8e6);
}

TEST(SteadyRate, WaitsForAClockThatRisesLate) {
    for (const double idle_us : {100e3, 240e3, 500e3, 600e3})
        for (const double rising_us : {0.0, 100e3, 1e6}) {
            Ramp ramp{0.5, idle_us, rising_us};
            const auto rate = steady_rate(std::ref(ramp));
            EXPECT_EQ(rate.best, kFull) << idle_us << " us of idling, " << rising_us << " us of rising";
            EXPECT_TRUE(rate.is_steady);
        }
}

TEST(SteadyRate, SeesABestSampleThroughNoise) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> fraction(0.5, 1.0);
    const auto rate = steady_rate([&] { return RateSample{kFull * fraction(random), kSampleUs}; });
    EXPECT_GT(rate.best, 0.98 * kFull);
    EXPECT_TRUE(rate.is_steady);
}

TEST(SteadyRate, ReportsARateThatNeverIsSteady) {
    const SteadyRules rules;
    std::size_t samples = 0;
    const auto window = static_cast<std::size_t>(rules.window_us / kSampleUs) + 1;
    const auto rate = steady_rate([&] {
        const bool fast = samples++ / window % 2 == 0;
        return RateSample{fast ? kFull : 0.9 * kFull, kSampleUs};
    });
    EXPECT_FALSE(rate.is_steady);
    EXPECT_EQ(rate.best, kFull);
    EXPECT_LE(samples, rules.most_windows * window) << "it ends";

    Ramp slow{0.1, 0, 1e9}; // rises all the time, by a little
    slow.spent_us = 1e6;
    auto steep = SteadyRules{};
    steep.tolerance = 1e-5;
    EXPECT_FALSE(steady_rate(std::ref(slow), steep).is_steady);
}

TEST(SteadyRate, ThatFellIsNotSteadyAtWhatIsLeft) { // a device that throttles
    double spent = 0;
    const auto rate = steady_rate([&] {
        spent += kSampleUs;
        return RateSample{spent < 300e3 ? kFull : 0.7 * kFull, kSampleUs};
    });
    EXPECT_FALSE(rate.is_steady);
    EXPECT_EQ(rate.best, kFull);
}

TEST(SteadyRate, EndsWithItsTime) {
    Ramp ramp{0.5, 1e9, 0};
    const auto rate = steady_rate(std::ref(ramp), {}, 20e3);
    EXPECT_EQ(ramp.spent_us, 20e3);
    EXPECT_EQ(rate.best, kFull / 2);
    EXPECT_FALSE(rate.is_steady);
    std::size_t samples = 0;
    steady_rate([&] { return ++samples, RateSample{1, 0}; }, {1000, 3, 0.02, 5});
    EXPECT_EQ(samples, 3000u) << "where the clock stands still, too";
}

} // namespace
} // namespace kg::measure
