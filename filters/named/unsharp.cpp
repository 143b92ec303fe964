#include "filters/filter.hpp"
#include "filters/parts.hpp"
#include "filters/sampled.hpp"

namespace kg {

namespace {

/// in + amount (in - blurred), as one kernel.
Stage build(const Values& values) {
    const double sigma = number(values, "sigma");
    const auto amount = static_cast<float>(number(values, "amount"));
    const int size = size_for_sigma(sigma);
    auto weights = outer_product(gaussian_profile(sigma, size));
    for (float& weight : weights) weight *= -amount;
    balance(weights, 1);
    Stage stage;
    stage.kernels = {make_kernel(size, size, std::move(weights))};
    return stage;
}

} // namespace

extern const Filter kUnsharp;
const Filter kUnsharp{"unsharp",
                      "Unsharp mask",
                      "Adds the details that a Gaussian blur removes: sharpens at a chosen scale",
                      {sigma_parameter("sigma", "Sigma", "1", "Size of the details that are raised"),
                       {"amount",
                        "Amount",
                        Parameter::Kind::number,
                        0,
                        10,
                        {},
                        "0.5",
                        "",
                        "How much of the difference to the blurred image is added; 0 changes nothing"}},
                      build};

} // namespace kg
