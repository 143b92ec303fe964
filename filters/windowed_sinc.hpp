#pragma once
// Low, high and band passes by windowed design: the ideal response, cut by a window.
// Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", section 7.5.

#include "filters/signal_filter.hpp"

#include <string_view>
#include <vector>

namespace kg {

/// The taps of a low pass with a gain of 1 at frequency 0. `cutoff` is in periods per sample, below 0.5, and
/// has half the gain. `window` is one of kWindows. The taps are symmetric.
std::vector<double> lowpass_taps(double cutoff, int taps, std::string_view window);

/// What is left of a signal without the taps of an odd number: a high pass of a low pass.
std::vector<double> inverted_spectrum(std::vector<double> taps);

/// The parameters of every windowed design, behind its frequencies: the number of taps, and the window.
Parameter taps_parameter();
Parameter window_parameter();

/// A frequency in Hz, or in periods per sample where the rate is not known.
Parameter frequency_parameter(std::string_view id, std::string_view label, std::string_view help);

/// The frequency in periods per sample. Throws Error unless it is below half of the rate; `filter` begins the
/// message.
double relative_frequency(const Values& values, std::string_view id, double rate, std::string_view filter);

/// The number of taps. Throws Error unless it is odd: an even number has no tap at its centre.
int odd_taps(const Values& values, std::string_view filter);

} // namespace kg
