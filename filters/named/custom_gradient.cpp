#include "core/support/error.hpp"
#include "filters/gradient.hpp"

namespace kg {

namespace {

/// As a custom step, this one contains its kernels (filters/recipe.hpp).
Stage build(const Values&) {
    throw Error("missing-kernel", "a custom gradient needs two kernels: "
                                  "custom_gradient:size=3x1:weights_x=-1,0,1:size_y=1x3:weights_y=-1,0,1");
}

} // namespace

extern const Filter kCustomGradient;
const Filter kCustomGradient{"custom_gradient", "Custom gradient",
                             "The magnitude of two kernels of any weights, such as the slopes along x and y",
                             magnitude_parameters(), build};

} // namespace kg
