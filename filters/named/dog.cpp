#include "filters/filter.hpp"
#include "filters/parts.hpp"
#include "filters/sampled.hpp"

#include <algorithm>

namespace kg {

namespace {

/// The difference of a narrow and a wide Gaussian.
Stage build(const Values& values) {
    const double narrow = number(values, "sigma1"), wide = number(values, "sigma2");
    const int size = size_for_sigma(std::max(narrow, wide));
    const auto a = gaussian_profile(narrow, size), b = gaussian_profile(wide, size);
    std::vector<double> samples;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) samples.push_back(a[i] * a[j] - b[i] * b[j]);
    return band_pass(values, size, samples);
}

} // namespace

extern const Filter kDog;
const Filter kDog{"dog",
                  "Difference of Gaussians",
                  "What lies between two sizes: details, without noise and without slow changes, signed",
                  {sigma_parameter("sigma1", "Sigma 1", "1", "Of the added Gaussian"),
                   sigma_parameter("sigma2", "Sigma 2", "1.6", "Of the subtracted Gaussian"),
                   amount_parameter(), offset_parameter()},
                  build};

} // namespace kg
