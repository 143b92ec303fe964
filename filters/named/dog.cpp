#include "filters/filter.hpp"
#include "filters/parts.hpp"
#include "filters/sampled.hpp"

#include <algorithm>

namespace kg {

namespace {

/// A narrow Gaussian less a wide one.
Stage build(const Values& values) {
    const double narrow = number(values, "sigma1"), wide = number(values, "sigma2");
    const int side = size_for_sigma(std::max(narrow, wide));
    const auto a = gaussian_profile(narrow, side), b = gaussian_profile(wide, side);
    std::vector<double> samples;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) samples.push_back(a[i] * a[j] - b[i] * b[j]);
    return band_pass(values, side, samples);
}

} // namespace

extern const Filter kDog;
const Filter kDog{"dog",
                  "Difference of Gaussians",
                  "What lies between two sizes: details, without noise and without slow changes, signed",
                  {sigma_parameter("sigma1", "Sigma 1", "1", "Of the Gaussian that counts plus"),
                   sigma_parameter("sigma2", "Sigma 2", "1.6", "Of the Gaussian that counts minus"),
                   amount_parameter(), offset_parameter()},
                  build};

} // namespace kg
