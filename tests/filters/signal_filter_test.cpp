// Presets for signals: their taps have the response that they promise, and wrong parameters are named.

#include "filters/signal_filter.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace kg::testing {
namespace {

SignalDesign designed(std::string_view text, double rate = 1, std::int64_t samples = 3) {
    const auto [filter, values] = parse_signal_filter(text);
    return filter->build(values, rate, samples);
}

/// The gain of taps at a frequency in periods per sample.
double gain_at(const std::vector<double>& taps, double frequency) {
    std::complex<double> sum;
    for (std::size_t i = 0; i < taps.size(); ++i)
        sum += taps[i] * std::polar(1.0, -2 * std::numbers::pi * frequency * static_cast<double>(i));
    return std::abs(sum);
}

TEST(SignalFilters, PassesKeepTheirBandAndRemoveTheRest) {
    const auto low = designed("lowpass:cutoff=1000:taps=201", 8000).taps;
    EXPECT_NEAR(gain_at(low, 0), 1, 1e-12);
    EXPECT_NEAR(gain_at(low, 1000.0 / 8000), 0.5, 0.01);
    EXPECT_NEAR(gain_at(low, 800.0 / 8000), 1, 0.01);
    EXPECT_LT(gain_at(low, 1200.0 / 8000), 0.01);
    const auto high = designed("highpass:cutoff=1000:taps=201", 8000).taps;
    EXPECT_LT(gain_at(high, 0), 1e-12);
    EXPECT_NEAR(gain_at(high, 0.5), 1, 0.01);
    EXPECT_NEAR(gain_at(high, 1000.0 / 8000), 0.5, 0.01);
    const auto band = designed("bandpass:low=0.1:high=0.2:taps=201:window=blackman").taps;
    EXPECT_LT(gain_at(band, 0.05), 0.01);
    EXPECT_NEAR(gain_at(band, 0.15), 1, 0.01);
    EXPECT_LT(gain_at(band, 0.25), 0.01);
}

TEST(SignalFilters, LowPassesAreThoseOfScipyFirwin) { // firwin(5, 0.2, fs=1), and with window="hann"
    const double hamming[] = {0.010087266526214677, 0.22034079125542463, 0.5391438844367215};
    const double hann[] = {0, 0.2153959512063694, 0.5692080975872612};
    const auto taps = designed("lowpass:cutoff=0.2:taps=5").taps;
    const auto other = designed("lowpass:cutoff=0.2:taps=5:window=hann").taps;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(taps[i], hamming[i], 1e-15);
        EXPECT_NEAR(other[i], hann[i], 1e-15);
        EXPECT_NEAR(taps[4 - i], hamming[i], 1e-15);
    }
}

TEST(SignalFilters, AnEqualiserOfNoGainLeavesTheSignalAndBandsHaveTheirs) {
    const auto none = designed("equaliser:low=250:high=4000:taps=101", 44100).taps;
    for (std::size_t i = 0; i < none.size(); ++i) EXPECT_NEAR(none[i], i == 50 ? 1 : 0, 1e-15);
    const auto taps = designed("equaliser:bass=-20:treble=20:low=2000:high=8000:taps=401", 44100).taps;
    EXPECT_NEAR(gain_at(taps, 0), 0.1, 0.01);
    EXPECT_NEAR(gain_at(taps, 5000.0 / 44100), 1, 0.01);
    EXPECT_NEAR(gain_at(taps, 0.4), 10, 0.05);
}

TEST(SignalFilters, EchoDenoiseAndInterestHaveTheTapsOfTheirDefinition) {
    const auto echo = designed("echo:delay=0.5:decay=0.5:repeats=2", 4);
    EXPECT_EQ(echo.taps, (std::vector<double>{1, 0, 0.5, 0, 0.25}));
    EXPECT_TRUE(echo.flip && echo.mode == SignalMode::full);
    EXPECT_EQ(designed("denoise:size=4").taps, (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
    const auto growth = designed("compound:percent=5");
    EXPECT_TRUE(growth.flip && growth.mode == SignalMode::same);
    EXPECT_EQ(growth.anchor, 0);
    ASSERT_EQ(growth.taps.size(), 3u);
    EXPECT_NEAR(growth.taps[2], 1.1025, 1e-15);
}

TEST(SignalFilters, WrongParametersAreNamed) {
    const auto code = [](std::string_view text, double rate = 1) {
        return code_of([&] { designed(text, rate); });
    };
    EXPECT_EQ(code("lowpas"), "unknown-filter");
    EXPECT_EQ(code("lowpass:cutof=1"), "unknown-parameter");
    EXPECT_EQ(code("lowpass:cutoff"), "no-value");
    EXPECT_EQ(code("lowpass"), "no-value");
    EXPECT_EQ(code("lowpass:cutoff=0.1:cutoff=0.2"), "given-twice");
    EXPECT_EQ(code("lowpass:cutoff=0.5"), "bad-frequency");
    EXPECT_EQ(code("lowpass:cutoff=0"), "bad-frequency");
    EXPECT_EQ(code("lowpass:cutoff=5000", 8000), "bad-frequency");
    EXPECT_EQ(code("lowpass:cutoff=nan"), "not-a-number");
    EXPECT_EQ(code("lowpass:cutoff=0.1:taps=4"), "even-taps");
    EXPECT_EQ(code("lowpass:cutoff=0.1:taps=1"), "out-of-range");
    EXPECT_EQ(code("lowpass:cutoff=0.1:window=kaiser"), "unknown-choice");
    EXPECT_EQ(code("bandpass:low=0.2:high=0.1"), "bad-frequency");
    EXPECT_EQ(code("equaliser:low=0.2:high=0.1"), "bad-frequency");
    for (const auto* filter : {"bandpass", "equaliser"}) {
        const std::string beyond = std::string(filter) + ":low=100:high=4000";
        EXPECT_EQ(code(beyond, 8000), "bad-frequency");
        EXPECT_EQ(message([&] { designed(beyond, 8000); }),
                  std::string(filter) +
                      ": high must be above 0 and below half of the sampling rate, 4000 Hz, "
                      "not 4000");
    }
    EXPECT_EQ(code("echo:delay=0.1", 4), "short-delay");
    EXPECT_EQ(code("echo:delay=1000000:repeats=1000"), "long-echo");
    EXPECT_EQ(code_of([] { designed("compound:percent=1000", 1, 400); }), "long-growth");
    EXPECT_EQ(code_of([] { designed("compound:percent=-100", 1, 400); }), "no error");
}

TEST(SignalFilters, EveryOneBuildsFromItsDefaults) {
    for (const auto* filter : signal_filters()) {
        std::string text(filter->id);
        for (const auto& p : filter->parameters)
            if (p.preset.empty()) text += ":" + std::string(p.id) + (p.id == "high" ? "=2000" : "=300");
        const auto design = designed(text, 8000);
        EXPECT_FALSE(design.taps.empty()) << text;
        for (const auto tap : design.taps) EXPECT_TRUE(std::isfinite(tap)) << text;
        for (const auto& p : filter->parameters) EXPECT_FALSE(p.help.empty()) << filter->id << p.id;
    }
}

} // namespace
} // namespace kg::testing
