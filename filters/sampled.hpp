#pragma once
// What filters made of sampled Gaussians share (the profile itself is the core's, as algorithms know it too).

#include "filters/filter.hpp"

namespace kg {

/// 2 ceil(4 sigma) + 1 (semantics 9).
int size_for_sigma(double sigma);

/// profile[i] * profile[j], each rounded to float once.
std::vector<float> outer_product(const std::vector<double>& profile);

/// The stage of a signed filter: samples of side x side, times the value "amount", balanced to sum 0, and the "offset".
Stage band_pass(const Values& values, int side, const std::vector<double>& samples);

/// A standard deviation of a kernel whose weights are listed: 0.3 to 128 (1025 a side).
Parameter sigma_parameter(std::string_view id, std::string_view label, std::string_view preset,
                          std::string_view help);

} // namespace kg
