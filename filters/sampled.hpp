#pragma once
// Kernels sampled from functions at the pixel centres, in double. An even side centres between two pixels
// (semantics 9).

#include <string>
#include <vector>

namespace kg {

/// 2 ceil(4 sigma) + 1 (semantics 9).
double size_for_sigma(double sigma);

/// The side as an int. Throws Error beginning with `what` if it is larger than a kernel may be.
int kernel_side(double side, const std::string& what);

/// profile[i] * profile[j], each rounded to float once.
std::vector<float> outer_product(const std::vector<double>& profile);

} // namespace kg
