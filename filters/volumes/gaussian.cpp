#include "filters/sampled.hpp"
#include "filters/volume_filter.hpp"

namespace kg::volumes {

namespace {

VolumeDesign build(const Values& values) {
    const double sigma = number(values, "sigma");
    const int size = size_for_sigma(sigma);
    std::vector<float> factor;
    for (const double weight : gaussian_profile(sigma, size)) factor.push_back(static_cast<float>(weight));
    return {{{size, size, size}, {}, {factor, factor, factor}}};
}

} // namespace

extern const VolumeFilter kGaussian;
const VolumeFilter kGaussian{
    "gaussian",
    "Gaussian blur",
    "Smooths with a bell-shaped kernel, of 2 ceil(4 sigma) + 1 samples along each axis",
    {sigma_parameter("sigma", "Sigma", "1", "Standard deviation in samples")},
    build};

} // namespace kg::volumes
