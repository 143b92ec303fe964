#include "core/support/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kg {

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(at);
    std::ranges::nth_element(values, below);
    if (below + 1 == values.end()) return *below;
    const double above = *std::min_element(below + 1, values.end());
    return std::lerp(*below, above, at - std::floor(at));
}

} // namespace kg
