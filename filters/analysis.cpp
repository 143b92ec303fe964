#include "filters/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace kg {

namespace {

int rank_of(const Kernel& kernel) {
    const auto width = static_cast<std::size_t>(kernel.width);
    std::vector<double> residual(kernel.weights.begin(), kernel.weights.end());
    const auto larger = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
    const double largest = std::fabs(*std::ranges::max_element(residual, larger));
    for (int rank = 0; rank <= Analysis::kMaxRank; ++rank) {
        const auto at = static_cast<std::size_t>(std::ranges::max_element(residual, larger) -
                                                 residual.begin());
        const double pivot = residual[at];
        if (std::fabs(pivot) <= 1e-6 * largest) return rank;
        const std::vector<double> row(residual.begin() + static_cast<std::ptrdiff_t>(at / width * width),
                                      residual.begin() +
                                          static_cast<std::ptrdiff_t>((at / width + 1) * width));
        for (std::size_t i = 0; i < residual.size(); i += width) {
            const double factor = residual[i + at % width] / pivot;
            for (std::size_t j = 0; j < width; ++j) residual[i + j] -= factor * row[j];
        }
    }
    return Analysis::kMaxRank + 1;
}

} // namespace

Analysis analyse(const Kernel& kernel) {
    Analysis a;
    a.rank = rank_of(kernel);
    a.gain = dc_gain(kernel);
    a.taps = static_cast<long>(kernel.weights.size());
    a.zeros = std::ranges::count(kernel.weights, 0.0f);
    const auto whole = [](float v) { return v == std::rint(v); };
    a.integer = whole(kernel.divisor) && std::ranges::all_of(kernel.weights, whole);
    a.symmetric_x = a.symmetric_y = true;
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            const auto at = [&](int row, int column) {
                return kernel.weights[static_cast<std::size_t>(row * kernel.width + column)];
            };
            if (at(i, j) != at(i, kernel.width - 1 - j)) a.symmetric_x = false;
            if (at(i, j) != at(kernel.height - 1 - i, j)) a.symmetric_y = false;
        }
    return a;
}

std::optional<IntegerFactors> integer_factors(const Kernel& kernel) {
    constexpr float largest = 0x1p24f; // whole numbers up to here are floats and ints
    const auto width = static_cast<std::size_t>(kernel.width),
               height = static_cast<std::size_t>(kernel.height);
    const auto whole = [](float w) { return w == std::rint(w) && std::fabs(w) <= largest; };
    const auto first = std::ranges::find_if(kernel.weights, [](float w) { return w != 0; });
    if (first == kernel.weights.end() || !std::ranges::all_of(kernel.weights, whole)) return {};
    const auto at = static_cast<std::size_t>(first - kernel.weights.begin());
    const auto weight = [&](std::size_t i, std::size_t j) {
        return static_cast<int>(kernel.weights[i * width + j]);
    };

    // Every row is a whole multiple of the first one that is not empty, less the common factor of that one.
    IntegerFactors factors{std::vector<int>(height), std::vector<int>(width)};
    int common = 0;
    for (std::size_t j = 0; j < width; ++j) common = std::gcd(common, weight(at / width, j));
    for (std::size_t j = 0; j < width; ++j) factors.row[j] = weight(at / width, j) / common;
    for (std::size_t i = 0; i < height; ++i) {
        factors.column[i] = weight(i, at % width) / factors.row[at % width];
        for (std::size_t j = 0; j < width; ++j)
            if (static_cast<long>(factors.column[i]) * factors.row[j] != weight(i, j)) return {};
    }
    // The sign goes where it reads best: smoothing factors are positive.
    const auto sum = [](const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0L); };
    if (sum(factors.row) < 0 || (sum(factors.row) == 0 && sum(factors.column) < 0)) {
        for (int& v : factors.row) v = -v;
        for (int& v : factors.column) v = -v;
    }
    return factors;
}

float auto_divisor(const Kernel& kernel) {
    double sum = 0, magnitude = 0;
    for (const float w : kernel.weights) {
        sum += static_cast<double>(w);
        magnitude += std::fabs(static_cast<double>(w));
    }
    constexpr double rounding = 1e-6; // what is left of a sum of 0 in floats
    const auto divisor = static_cast<float>(std::fabs(sum));
    return std::fabs(sum) > rounding * magnitude && std::isfinite(divisor) && divisor > 0 ? divisor : 1.0f;
}

std::string verdict(const Kernel& kernel, const Analysis& a) {
    const auto products = std::to_string(a.taps - a.zeros);
    if (a.rank == 0) return "All weights are zero: every pixel becomes the offset.";
    if (a.rank > Analysis::kMaxRank)
        return "Not separable: rank above " + std::to_string(Analysis::kMaxRank) + "; " + products +
               " products a pixel.";
    const long separated = static_cast<long>(a.rank) * (kernel.width + kernel.height);
    if (a.rank == 1)
        return "Separable: rank 1; " + std::to_string(separated) + " products instead of " +
               std::to_string(a.taps) + ".";
    return "Not separable: rank " + std::to_string(a.rank) + "; " + products + " products a pixel" +
           (separated < a.taps - a.zeros ? ", " + std::to_string(separated) + " as a sum of separable ones"
                                         : "") +
           ".";
}

} // namespace kg
