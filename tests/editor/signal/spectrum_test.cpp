// Spectra and envelopes of signals: what the workspace Signal draws.

#include "app/editor/signal/envelope.hpp"
#include "app/editor/signal/spectrum.hpp"
#include "filters/signal_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace kg {
namespace {

std::vector<double> sine(std::size_t samples, double frequency, double amplitude) {
    std::vector<double> all;
    for (std::size_t i = 0; i < samples; ++i)
        all.push_back(amplitude * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i)));
    return all;
}

std::size_t peak_of(const Spectrum& spectrum) {
    return static_cast<std::size_t>(std::ranges::max_element(spectrum.levels) - spectrum.levels.begin());
}

TEST(SignalSpectrum, AToneHasItsLevelAtItsBin) {
    for (const std::size_t samples : {4096u, 20000u, 100001u})
        for (const std::size_t bin : {17u, 512u, 2000u}) {
            const auto tone = sine(samples, static_cast<double>(bin) / kSpectrumFrame, 1);
            const auto spectrum = welch_spectrum<double>(tone);
            ASSERT_EQ(spectrum.levels.size(), kSpectrumFrame / 2 + 1);
            EXPECT_EQ(peak_of(spectrum), bin);
            EXPECT_NEAR(spectrum.levels[bin], 0, 1e-6);
            EXPECT_NEAR(spectrum.frequency(bin), static_cast<double>(bin) / kSpectrumFrame, 1e-12);
            EXPECT_LT(spectrum.levels[bin + 3], -100) << "a Hann window is clean beside its peak";
        }
    const auto half = welch_spectrum<double>(sine(8192, 0.125, 0.5));
    EXPECT_NEAR(half.levels[512], 20 * std::log10(0.5), 1e-6);
}

TEST(SignalSpectrum, ShortSignalsHaveAsManyLevelsAsTheirLengthAllows) {
    EXPECT_TRUE(welch_spectrum<float>({}).levels.empty());
    for (std::size_t samples = 1; samples < 256; ++samples) {
        const auto spectrum = welch_spectrum<float>(std::vector<float>(samples, 0.5f));
        std::size_t frame = 1;
        while (2 * frame <= samples) frame *= 2;
        ASSERT_EQ(spectrum.levels.size(), frame / 2 + 1) << samples;
        EXPECT_TRUE(std::ranges::all_of(spectrum.levels, [](double level) { return std::isfinite(level); }));
        EXPECT_NEAR(spectrum.levels[0], 20 * std::log10(0.5), 1e-6) << samples;
    }
}

TEST(SignalSpectrum, SilenceAndWhatIsNoNumberHaveTheLowestLevel) {
    const auto silent = welch_spectrum<std::int64_t>(std::vector<std::int64_t>(1000, 0));
    EXPECT_TRUE(std::ranges::all_of(silent.levels, [](double level) { return level == kSilence; }));
    const std::vector<float> broken(500, std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(welch_spectrum<float>(broken).levels[3], kSilence);
    auto one = sine(4096, 0.25, 1);
    one[7] = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(welch_spectrum<double>(one).levels[1024], 0, 0.1);
}

TEST(SignalSpectrum, TheLastSamplesCount) {
    std::vector<double> late(6000, 0.0);
    std::ranges::copy(sine(1000, 0.125, 1), late.end() - 1000);
    EXPECT_GT(welch_spectrum<double>(late).levels[512], -30) << "without the last frame there is silence";
}

TEST(SignalSpectrum, TheTransformIsThatOfTheDefinition) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const std::size_t size : {1u, 2u, 8u, 64u}) {
        std::vector<std::complex<double>> values(size);
        for (auto& value : values) value = {number(random), number(random)};
        auto transformed = values;
        fourier_transform(transformed);
        for (std::size_t k = 0; k < size; ++k) {
            std::complex<double> sum = 0;
            for (std::size_t i = 0; i < size; ++i)
                sum += values[i] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k) /
                                                       static_cast<double>(size));
            EXPECT_NEAR(std::abs(transformed[k] - sum), 0, 1e-12);
        }
    }
}

TEST(SignalSpectrum, TheGainOfALowPassFallsByHalfAtItsCutoff) {
    const auto [filter, values] = parse_signal_filter("lowpass:cutoff=0.125:taps=201");
    const auto gain = tap_gain(filter->build(values, 1, 1).taps);
    ASSERT_EQ(gain.levels.size(), 2049u);
    EXPECT_NEAR(gain.levels[0], 0, 1e-6);
    EXPECT_NEAR(gain.levels[512], 20 * std::log10(0.5), 0.1);
    EXPECT_NEAR(gain.levels[400], 0, 0.1);
    for (std::size_t i = 600; i < gain.levels.size(); ++i) EXPECT_LT(gain.levels[i], -45) << i;
}

TEST(SignalSpectrum, TheGainOfManyTapsIsTheRangeOfANeighbourhood) {
    std::vector<double> echo(30000, 0.0);
    echo.front() = 1;
    echo.back() = 0.5; // 0.5 to 1.5, closer together than levels are
    const auto gain = tap_gain(echo);
    ASSERT_EQ(gain.levels.size(), 2049u);
    for (std::size_t i = 0; i + 1 < gain.levels.size(); ++i) {
        EXPECT_GT(gain.levels[i], 20 * std::log10(1.25)) << i;
        EXPECT_LE(gain.levels[i], 20 * std::log10(1.5) + 1e-9) << i;
        EXPECT_LT(gain.lowest[i], 20 * std::log10(0.75)) << i;
        EXPECT_GE(gain.lowest[i], 20 * std::log10(0.5) - 1e-9) << i;
    }
    EXPECT_TRUE(tap_gain({}).levels.empty());
    EXPECT_TRUE(tap_gain(std::vector<double>(kMostGainTaps + 1)).levels.empty());
    EXPECT_EQ(tap_gain(std::vector<double>(3, 0.0)).levels[9], kSilence);
}

std::shared_ptr<const SignalData> data_of(SignalNumbers numbers, std::int64_t signals) {
    return std::make_shared<const SignalData>(SignalData{std::move(numbers), signals, 8000, {}});
}

TEST(SignalEnvelope, HasTheExtremesOfEveryStretch) {
    std::mt19937 random(2);
    std::vector<std::int32_t> numbers(2 * 3001);
    for (auto& number : numbers) number = static_cast<std::int32_t>(random());
    const Envelope envelope(data_of(numbers, 2), 1);
    ASSERT_EQ(envelope.samples(), 3001);
    for (int i = 0; i < 300; ++i) {
        const auto from = static_cast<std::int64_t>(random() % 3001),
                   to = from + static_cast<std::int64_t>(random() % 900);
        const auto begin = numbers.begin() + 3001 + from,
                   end = numbers.begin() + 3001 + std::min<std::int64_t>(to, 3001);
        const auto found = envelope.extremes(from, to);
        if (begin == end) {
            EXPECT_FALSE(found.any());
            continue;
        }
        EXPECT_EQ(found.low, *std::min_element(begin, end));
        EXPECT_EQ(found.high, *std::max_element(begin, end));
    }
}

TEST(SignalEnvelope, DrawsEverySampleOnceInColumnsAndPointsWhereTheyFit) {
    std::vector<double> numbers(10000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    const Envelope envelope(data_of(numbers, 1), 0);
    const auto whole = waveform(envelope, 0, 9999, 700);
    EXPECT_FALSE(whole.points);
    ASSERT_EQ(whole.x.size(), 700u);
    EXPECT_EQ(whole.low.front(), 0);
    EXPECT_EQ(whole.high.back(), 9999);
    for (std::size_t i = 1; i < whole.x.size(); ++i) EXPECT_EQ(whole.low[i], whole.high[i - 1] + 1);
    const auto near = waveform(envelope, 99.5, 150.2, 700);
    EXPECT_TRUE(near.points);
    EXPECT_EQ(near.x.front(), 99);
    EXPECT_EQ(near.x.back(), 151);
    EXPECT_EQ(near.low.front(), 99);
    EXPECT_TRUE(waveform(envelope, 20000, 30000, 700).x.empty());
    EXPECT_TRUE(waveform(Envelope(), 0, 1, 700).x.empty());
    EXPECT_EQ(waveform(Envelope(data_of(std::vector<double>{3}, 1), 0), -1, 1, 700).low,
              std::vector<double>{3});
}

TEST(SignalEnvelope, WhatIsNoNumberLeavesAGap) {
    auto numbers = std::vector<float>(600, 1.0f);
    std::fill(numbers.begin() + 256, numbers.begin() + 512, std::numeric_limits<float>::quiet_NaN());
    numbers[0] = std::numeric_limits<float>::infinity();
    const Envelope envelope(data_of(numbers, 1), 0);
    EXPECT_FALSE(envelope.extremes(256, 512).any());
    EXPECT_EQ(envelope.all().high, 1);
    EXPECT_TRUE(std::isnan(waveform(envelope, 300, 310, 100).low[2]));
    EXPECT_TRUE(std::isnan(waveform(envelope, 256, 511, 2).low[0]));
}

} // namespace
} // namespace kg
