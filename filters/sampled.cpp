#include "filters/sampled.hpp"

#include <cmath>

namespace kg {

int size_for_sigma(double sigma) { return 2 * static_cast<int>(std::ceil(4 * sigma)) + 1; }

std::vector<float> outer_product(const std::vector<double>& profile) {
    std::vector<float> weights;
    weights.reserve(profile.size() * profile.size());
    for (const double y : profile)
        for (const double x : profile) weights.push_back(static_cast<float>(y * x));
    return weights;
}

Parameter sigma_parameter(std::string_view id, std::string_view label, std::string_view preset,
                          std::string_view help) {
    return {id, label, Parameter::Kind::number, 0.3, 128, {}, preset, "px", help};
}

} // namespace kg
