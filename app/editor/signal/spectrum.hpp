#pragma once
// Levels over frequency: of a signal, and of what taps do to it.

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace kg {

/// Levels in decibels at equal distances from frequency 0 to half of the sampling rate, both included. Empty
/// where there is nothing to measure.
struct Spectrum {
    std::vector<double> levels;
    /// Where each level is the largest of its neighbourhood, the least of it; otherwise empty.
    std::vector<double> lowest{};

    /// Of level i, in periods per sample.
    double frequency(std::size_t i) const {
        return levels.size() < 2 ? 0 : 0.5 * static_cast<double>(i) / static_cast<double>(levels.size() - 1);
    }
};

/// The lowest level: that of silence, of which the logarithm is infinite.
inline constexpr double kSilence = -160;
/// Samples of a frame, at most, and frames that are averaged, at most.
inline constexpr std::size_t kSpectrumFrame = 4096, kMostFrames = 1024;

/// In place; the size is a power of two.
/// Source: Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series", 1965.
void fourier_transform(std::span<std::complex<double>> values);

/// The mean power of frames that overlap by a half, under a Hann window. A sine of amplitude 1 has 0 dB at
/// its frequency. Of a long signal, equally distant frames are taken. Samples that are not finite count as 0.
/// Source: Welch, "The use of fast Fourier transform for the estimation of power spectra", IEEE Transactions
/// on Audio and Electroacoustics 15, 1967.
template <typename T>
Spectrum welch_spectrum(std::span<const T> samples);

/// The gain of the taps. Empty above kMostGainTaps of them. Where taps are many, each level stands for a
/// neighbourhood.
Spectrum tap_gain(std::span<const double> taps);
inline constexpr std::size_t kMostGainTaps = std::size_t{1} << 20;

} // namespace kg
