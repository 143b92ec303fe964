#include "core/request/winograd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg {

namespace {

constexpr std::size_t kTaps = 3;
using Points = std::array<double, WinogradMethod::kMostPoints * WinogradMethod::kMostPoints>;

/// G g G^T of one 3 x 3 filter of a channel: the first points x points numbers.
Points transformed(const WinogradMethod& method, const float* g) {
    const auto points = method.points();
    std::array<double, kTaps * WinogradMethod::kMostPoints> rows{};
    Points all{};
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j < kTaps; ++j)
            for (std::size_t k = 0; k < kTaps; ++k)
                rows[kTaps * i + j] += method.weights[i][k] * static_cast<double>(g[kTaps * k + j]);
    for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j < points; ++j)
            for (std::size_t k = 0; k < kTaps; ++k)
                all[points * i + j] += rows[kTaps * i + k] * method.weights[j][k];
    return all;
}

/// Of the absolute values of each row of B^T.
std::array<double, WinogradMethod::kMostPoints> input_sums(const WinogradMethod& method) {
    std::array<double, WinogradMethod::kMostPoints> sums{};
    for (std::size_t i = 0; i < sums.size(); ++i)
        for (const double number : method.input[i]) sums[i] += std::fabs(number);
    return sums;
}

} // namespace

std::vector<std::vector<float>> winograd_weights(const WinogradMethod& method, const BankRequest& r) {
    const auto count = static_cast<std::size_t>(r.filters * group_channels(r)),
               points = method.points() * method.points();
    std::vector<std::vector<float>> weights(points, std::vector<float>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const auto all = transformed(method, r.weights.data() + kTaps * kTaps * i);
        for (std::size_t point = 0; point < points; ++point)
            weights[point][i] = static_cast<float>(all[point]);
    }
    return weights;
}

double winograd_error(const WinogradMethod& method, const BankRequest& r) {
    // At each point, the sum over the channels is at most that of |w'| times the row sums of |B^T| times the
    // largest number. A transform of it weighs the points by |A^T|, and all partial sums on this path are
    // below. Each rounding is half an eps of one; the other half covers products of roundings, and those of
    // products where no fused multiply-add is.
    const auto points = method.points(), side = static_cast<std::size_t>(method.side);
    const auto of_input = input_sums(method);
    const auto channels = group_channels(r);
    const auto roundings = static_cast<double>(channels + channels / kWinogradChain + method.roundings);
    double largest = 0;
    for (std::int64_t k = 0; k < r.filters; ++k) {
        Points sums{};
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto weights = transformed(method, r.weights.data() + kTaps * kTaps * (k * channels + c));
            for (std::size_t i = 0; i < points * points; ++i) sums[i] += std::fabs(weights[i]);
        }
        for (std::size_t p = 0; p < side; ++p)
            for (std::size_t q = 0; q < side; ++q) {
                double output = 0;
                for (std::size_t i = 0; i < points; ++i)
                    for (std::size_t j = 0; j < points; ++j)
                        output += std::fabs(method.output[p][i]) * of_input[i] * sums[points * i + j] *
                                  of_input[j] * std::fabs(method.output[q][j]);
                largest = std::max(largest, output);
            }
    }
    return largest / (method.scale * method.scale) * roundings *
           static_cast<double>(std::numeric_limits<float>::epsilon());
}

std::string why_not_winograd(const WinogradMethod& method, const BankRequest& r) {
    if (r.kernel != Extent{3, 3} || r.stride != RowsAndColumns{} || r.dilation != RowsAndColumns{})
        return "it computes 3 x 3 weights without stride and dilation";
    if (r.tolerance == 0) return "it is not exact, and no tolerance was given";
    if (const double bound = winograd_error(method, r); bound > r.tolerance)
        return "its error of up to " + std::to_string(bound) +
               " of the largest number is above the tolerance";
    return {};
}

} // namespace kg
