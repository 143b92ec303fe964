#include "core/request/volume_factors.hpp"

#include <cmath>
#include <numeric>

namespace kg {

namespace {

float sum_of(const std::vector<float>& factor) {
    return static_cast<float>(std::accumulate(factor.begin(), factor.end(), 0.0));
}

double absolute_sum(const std::vector<float>& factor) {
    return std::accumulate(factor.begin(), factor.end(), 0.0,
                           [](double sum, float w) { return sum + std::fabs(static_cast<double>(w)); });
}

} // namespace

std::string why_not_passes(const VolumeRequest& request) {
    const auto& kernel = request.kernel;
    if (!has_factors(kernel)) return "the kernel has no factors along the axes";
    constexpr double kMost = 1.001;
    const double columns = absolute_sum(kernel.factors[0]), rows = absolute_sum(kernel.factors[1]);
    return columns > kMost || columns * rows > kMost
               ? "its first factors add up to more than 1, so that a sum between the passes could overflow"
               : "";
}

std::array<float, 3> outside_of_passes(const VolumeRequest& request) {
    const float after_columns = request.outside * sum_of(request.kernel.factors[0]);
    return {request.outside, after_columns, after_columns * sum_of(request.kernel.factors[1])};
}

} // namespace kg
