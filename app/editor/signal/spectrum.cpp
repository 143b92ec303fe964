#include "app/editor/signal/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace kg {

namespace {

using Complex = std::complex<double>;

double decibels(double power) { return power > 0 ? std::max(10 * std::log10(power), kSilence) : kSilence; }

std::vector<double> hann_window(std::size_t size) {
    std::vector<double> window(size, 1);
    for (std::size_t i = 0; size > 1 && i < size; ++i)
        window[i] = 0.5 -
                    0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
    return window;
}

/// Where the frames begin: from the first sample to the last.
std::vector<std::size_t> frames_of(std::size_t samples, std::size_t frame) {
    const std::size_t last = samples - frame, hop = std::max<std::size_t>(frame / 2, 1);
    const auto count = std::min((last + hop - 1) / hop + 1, kMostFrames);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back(count == 1 ? 0 : last * i / (count - 1));
    return places;
}

} // namespace

void fourier_transform(std::span<Complex> values) {
    const auto size = values.size();
    for (std::size_t i = 1, reversed = 0; i < size; ++i) {
        auto bit = size >> 1;
        for (; (reversed & bit) != 0; bit >>= 1) reversed ^= bit;
        reversed |= bit;
        if (i < reversed) std::swap(values[i], values[reversed]);
    }
    for (std::size_t length = 2; length <= size; length *= 2) {
        std::vector<Complex> twiddles;
        for (std::size_t i = 0; i < length / 2; ++i)
            twiddles.push_back(std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) /
                                                   static_cast<double>(length)));
        for (std::size_t begin = 0; begin < size; begin += length)
            for (std::size_t i = 0; i < length / 2; ++i) {
                auto &low = values[begin + i], &high = values[begin + i + length / 2];
                const auto product = high * twiddles[i];
                high = low - product;
                low += product;
            }
    }
}

template <typename T>
Spectrum welch_spectrum(std::span<const T> samples) {
    if (samples.empty()) return {};
    const auto frame = std::min(std::bit_floor(samples.size()), kSpectrumFrame);
    const auto window = hann_window(frame);
    double weight = 0;
    for (const double w : window) weight += w;
    std::vector<double> power(frame / 2 + 1, 0.0);
    std::vector<Complex> values(frame);
    const auto places = frames_of(samples.size(), frame);
    for (const auto place : places) {
        for (std::size_t i = 0; i < frame; ++i) {
            const auto sample = static_cast<double>(samples[place + i]);
            values[i] = std::isfinite(sample) ? sample * window[i] : 0;
        }
        fourier_transform(values);
        for (std::size_t i = 0; i < power.size(); ++i) power[i] += std::norm(values[i]);
    }
    Spectrum spectrum;
    for (std::size_t i = 0; i < power.size(); ++i) {
        // Half of a sine's power is at its negative frequency; frequency 0 and the highest have none.
        const double scale = (i == 0 || 2 * i == frame ? 1 : 2) / weight;
        spectrum.levels.push_back(decibels(power[i] * scale * scale / static_cast<double>(places.size())));
    }
    return spectrum;
}

template Spectrum welch_spectrum(std::span<const float>);
template Spectrum welch_spectrum(std::span<const double>);
template Spectrum welch_spectrum(std::span<const std::int32_t>);
template Spectrum welch_spectrum(std::span<const std::int64_t>);

Spectrum tap_gain(std::span<const double> taps) {
    constexpr std::size_t kSmallest = 4096, kLevels = 2048; // a transform, and levels but the last
    if (taps.empty() || taps.size() > kMostGainTaps) return {};
    // Twice the taps: two values in each ripple of the gain.
    std::vector<Complex> values(std::max(std::bit_ceil(2 * taps.size()), kSmallest));
    std::ranges::copy(taps, values.begin());
    fourier_transform(values);
    const auto each = values.size() / 2 / kLevels;
    Spectrum gain;
    for (std::size_t i = 0; i <= kLevels; ++i) {
        double most = 0, least = std::norm(values[i * each]);
        for (std::size_t k = i * each; k < std::min((i + 1) * each, values.size() / 2 + 1); ++k) {
            most = std::max(most, std::norm(values[k]));
            least = std::min(least, std::norm(values[k]));
        }
        gain.levels.push_back(decibels(most));
        if (each > 1) gain.lowest.push_back(decibels(least));
    }
    return gain;
}

} // namespace kg
