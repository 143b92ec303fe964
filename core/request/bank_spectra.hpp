#pragma once
// Filter banks by Fourier transforms: the products of a whole channel with a filter become one product at
// each frequency, and these are summed over the channels. Frames of the input overlap by the reach of the
// kernel (overlap-save). Source: Mathieu, Henaff and LeCun, "Fast training of convolutional networks
// through FFTs", ICLR 2014.

#include "core/request/bank_request.hpp"

#include <string>
#include <string_view>

namespace kg {

inline constexpr std::string_view kSpectraSource =
    "Mathieu, Henaff and LeCun, Fast training of convolutional networks through FFTs, 2014";

/// Rows and columns that the taps of a kernel span, with dilation.
Extent tap_span(const BankRequest& request);

/// Bound of the error in float32, relative to the largest number of the input, with transforms of `numbers`
/// numbers. By the inequality of Cauchy and Schwarz and Parseval's theorem, an error of e relative to the
/// numbers of the spectra is at most e sqrt(2 n) times the largest number times the sum of the channels'
/// root sums of squared weights. Three transforms round some two times at each of their log2(n) levels, the
/// sum once a channel.
double spectra_error(const BankRequest& request, double numbers);
/// Refuses requests that allow no such error.
inline constexpr std::string_view kNeedsTolerance = "it is not exact, and no tolerance was given";
/// Why the request's tolerance is not for it; empty if it is.
std::string why_not_spectra(const BankRequest& request, double numbers);

} // namespace kg
