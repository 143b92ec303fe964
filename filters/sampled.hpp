#pragma once
// Common code of filters made of sampled Gaussians. The profile itself is in core, because algorithms use it
// too.

#include "filters/filter.hpp"

namespace kg {

/// 2 ceil(4 sigma) + 1 (semantics 9).
int size_for_sigma(double sigma);

/// profile[i] * profile[j], each rounded to float once.
std::vector<float> outer_product(const std::vector<double>& profile);

/// The stage of a signed filter: size x size samples times the value "amount", balanced to sum 0, plus the
/// "offset".
Stage band_pass(const Values& values, int size, const std::vector<double>& samples);

/// A standard deviation for a kernel whose weights are listed: 0.3 to 128 (1025 x 1025).
Parameter sigma_parameter(std::string_view id, std::string_view label, std::string_view preset,
                          std::string_view help);

} // namespace kg
