#include "filters/filter.hpp"
#include "filters/parts.hpp"
#include "filters/sampled.hpp"

namespace kg {

namespace {

/// The Laplacian of a Gaussian (Marr and Hildreth 1980): g (x^2 + y^2 - 2 sigma^2) / sigma^4, minus its mean,
/// because the samples of a function whose integral is 0 do not sum to exactly 0.
Stage build(const Values& values) {
    const double sigma = number(values, "sigma"), variance = sigma * sigma;
    const int size = size_for_sigma(sigma);
    const auto profile = gaussian_profile(sigma, size);
    std::vector<double> samples;
    double sum = 0;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            const int x = j - size / 2, y = i - size / 2;
            samples.push_back(profile[static_cast<std::size_t>(i)] * profile[static_cast<std::size_t>(j)] *
                              (x * x + y * y - 2 * variance) / (variance * variance));
            sum += samples.back();
        }
    const double mean = sum / static_cast<double>(samples.size());
    for (auto& sample : samples) sample -= mean;
    return band_pass(values, size, samples);
}

} // namespace

extern const Filter kLog;
const Filter kLog{"log",
                  "Laplacian of Gaussian",
                  "Curvature after smoothing: finds blobs and edges of one size, signed",
                  {sigma_parameter("sigma", "Sigma", "1.4", "Size of the details that are found"),
                   amount_parameter(), offset_parameter()},
                  build};

} // namespace kg
