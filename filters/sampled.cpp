#include "filters/sampled.hpp"

#include "core/error.hpp"
#include "core/kernel.hpp"
#include "filters/text.hpp"

#include <cmath>

namespace kg {

double size_for_sigma(double sigma) { return 2 * std::ceil(4 * sigma) + 1; }

int kernel_side(double side, const std::string& what) {
    if (side > kMaxKernelSide)
        throw Error(what + " needs a kernel of " + to_text(side) + " a side; the largest is " +
                    std::to_string(kMaxKernelSide));
    return static_cast<int>(side);
}

std::vector<float> outer_product(const std::vector<double>& profile) {
    std::vector<float> weights;
    weights.reserve(profile.size() * profile.size());
    for (const double y : profile)
        for (const double x : profile) weights.push_back(static_cast<float>(y * x));
    return weights;
}

} // namespace kg
