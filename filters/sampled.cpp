#include "filters/sampled.hpp"

#include "core/image/weights.hpp"
#include "filters/parts.hpp"

#include <cmath>
#include <span>

namespace kg {

int size_for_sigma(double sigma) { return 2 * static_cast<int>(std::ceil(4 * sigma)) + 1; }

std::vector<float> outer_product(const std::vector<double>& profile) {
    const auto size = profile.size();
    std::vector<float> weights(size * size);
    for (std::size_t i = 0; i < size; ++i)
        multiples(profile[i], profile, std::span(weights).subspan(i * size, size));
    return weights;
}

Stage band_pass(const Values& values, int size, const std::vector<double>& samples) {
    const double amount = number(values, "amount");
    std::vector<float> weights;
    weights.reserve(samples.size());
    for (const double sample : samples) weights.push_back(static_cast<float>(amount * sample));
    balance(weights, 0);
    Stage stage;
    stage.kernels = {make_kernel(size, size, std::move(weights))};
    stage.kernels.front().offset = offset_value(values);
    return stage;
}

Parameter sigma_parameter(std::string_view id, std::string_view label, std::string_view preset,
                          std::string_view help) {
    return {id, label, Parameter::Kind::number, 0.3, 128, {}, preset, "px", help};
}

} // namespace kg
