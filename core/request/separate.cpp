#include "core/request/separate.hpp"

#include "core/image/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kg {

namespace {

bool is_whole(float v) { return v == std::rint(v); }

bool reproduces(const Kernel& kernel, const Factors& f, double tolerance) {
    for (std::size_t i = 0; i < f.column.size(); ++i)
        for (std::size_t j = 0; j < f.row.size(); ++j) {
            const auto weight = static_cast<double>(kernel.weights[i * f.row.size() + j]);
            const auto product = static_cast<double>(f.column[i]) * static_cast<double>(f.row[j]);
            if ((weight == 0) != (product == 0) ||
                !(std::fabs(product - weight) <= tolerance * std::fabs(weight)))
                return false;
        }
    return true;
}

std::vector<float> to_floats(const auto& values) {
    std::vector<float> floats;
    for (const auto v : values) floats.push_back(static_cast<float>(v));
    return floats;
}

/// True if no product of two nonzero factors is subnormal. Products of two profiles, rounded once, then equal
/// those of the rounded profiles to within kRoundings, and need no test one by one.
bool are_normal(const Factors& f) {
    const auto smallest = [](const std::vector<float>& factors) {
        float least = std::numeric_limits<float>::infinity();
        for (const float v : factors)
            if (v != 0) least = std::min(least, std::fabs(v));
        return static_cast<double>(least);
    };
    constexpr double kSafe = 2 * static_cast<double>(std::numeric_limits<float>::min());
    const double column = smallest(f.column), row = smallest(f.row);
    return column >= kSafe && row >= kSafe && column * row >= kSafe;
}

/// True if four weights at the corners of a rectangle differ from a product by more than rounding; then so
/// does the kernel. One test rejects most kernels that are not products.
bool is_no_product(const Kernel& kernel) {
    constexpr double kFar = 16 * kRoundings;
    const auto at = [&](int i, int j) {
        return static_cast<double>(
            kernel.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(kernel.width) +
                           static_cast<std::size_t>(j)]);
    };
    const int i = kernel.height / 2, j = kernel.width / 2;
    if (i == 0 || j == 0) return false;
    const double one = at(i, j) * at(i - 1, j - 1), other = at(i - 1, j) * at(i, j - 1);
    return std::fabs(one - other) > kFar * (std::fabs(one) + std::fabs(other));
}

Factors cross(const Kernel& kernel) {
    const auto width = static_cast<std::size_t>(kernel.width),
               height = static_cast<std::size_t>(kernel.height);
    const auto at = [&](std::size_t i, std::size_t j) {
        return static_cast<double>(kernel.weights[i * width + j]);
    };
    const auto pivot = static_cast<std::size_t>(
        std::ranges::max_element(kernel.weights, {}, [](float w) { return std::fabs(w); }) -
        kernel.weights.begin());
    const auto pivot_row = pivot / width, pivot_column = pivot % width;
    std::vector<double> column(height), row(width);
    for (std::size_t j = 0; j < width; ++j) row[j] = at(pivot_row, j);
    for (std::size_t i = 0; i < height; ++i) column[i] = at(i, pivot_column) / row[pivot_column];
    // Sums down a column, which come first, stay below the largest sample, so that they do not overflow where
    // the whole sum does not (semantics 12). A power of two adds no rounding.
    double sum = 0;
    for (const double v : column) sum += std::fabs(v);
    const double scale = std::exp2(-std::ceil(std::log2(sum)) - 1);
    for (double& v : column) v *= scale;
    for (double& v : row) v /= scale;
    return {to_floats(column), to_floats(row)};
}

} // namespace

std::optional<Factors> separate(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    if (const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator)) {
        Factors f{to_floats(gaussian_profile(gaussian->sigma, kernel.height)),
                  to_floats(gaussian_profile(gaussian->sigma, kernel.width))};
        if (!has_weights(stage) || are_normal(f) || reproduces(kernel, f, kRoundings)) return f;
        return std::nullopt; // the tails of a narrow profile vanish in its products first
    }
    if (!has_weights(stage)) // a box
        return Factors{std::vector<float>(static_cast<std::size_t>(kernel.height), 1.0f),
                       std::vector<float>(static_cast<std::size_t>(kernel.width), 1.0f)};
    if (index < stage.factors.size() && !stage.factors[index].row.empty())
        return Factors{to_floats(stage.factors[index].column), to_floats(stage.factors[index].row)};
    // Kernels whose sums may be exact stay unseparated: only listed factors are exact.
    if (std::ranges::all_of(kernel.weights, is_whole) && sums_exactly(kernel, 1)) return std::nullopt;
    if (is_no_product(kernel)) return std::nullopt;
    auto f = cross(kernel);
    if (!reproduces(kernel, f, kRoundings)) return std::nullopt;
    return f;
}

Stage with_whole_weights(Stage stage, double largest_sample) {
    const bool described = !std::holds_alternative<std::monostate>(stage.generator);
    if (described || !sums_exactly(stage, largest_sample)) return stage;
    bool changed = false;
    for (auto& kernel : stage.kernels) {
        const double unit = std::min(common_unit(kernel.weights), common_unit({&kernel.divisor, 1}));
        if (unit >= 1 && sums_of(kernel.weights).magnitude * largest_sample < 0x1p24) continue;
        const auto divisor = static_cast<float>(static_cast<double>(kernel.divisor) / unit);
        if (!std::isfinite(divisor)) continue;
        for (float& w : kernel.weights) w = static_cast<float>(static_cast<double>(w) / unit);
        kernel.divisor = divisor;
        changed = true;
    }
    if (!changed) return stage;
    stage.factors.clear();
    for (const auto& kernel : stage.kernels)
        if (auto factors = integer_factors(kernel)) stage.factors.push_back(std::move(*factors));
    if (stage.factors.size() != stage.kernels.size()) stage.factors.clear();
    return stage;
}

std::optional<IntegerFactors> integer_factors(const Kernel& kernel) {
    constexpr float largest = 0x1p24f; // integers up to here are exact in float and int
    const auto width = static_cast<std::size_t>(kernel.width),
               height = static_cast<std::size_t>(kernel.height);
    const auto whole = [](float w) { return w == std::rint(w) && std::fabs(w) <= largest; };
    const auto first = std::ranges::find_if(kernel.weights, [](float w) { return w != 0; });
    if (first == kernel.weights.end() || !std::ranges::all_of(kernel.weights, whole)) return {};
    const auto at = static_cast<std::size_t>(first - kernel.weights.begin());
    const auto weight = [&](std::size_t i, std::size_t j) {
        return static_cast<int>(kernel.weights[i * width + j]);
    };

    // Every row is an integer multiple of the first nonzero row divided by its common factor.
    IntegerFactors factors{std::vector<int>(height), std::vector<int>(width)};
    int common = 0;
    for (std::size_t j = 0; j < width; ++j) common = std::gcd(common, weight(at / width, j));
    for (std::size_t j = 0; j < width; ++j) factors.row[j] = weight(at / width, j) / common;
    for (std::size_t i = 0; i < height; ++i) {
        factors.column[i] = weight(i, at % width) / factors.row[at % width];
        for (std::size_t j = 0; j < width; ++j)
            if (static_cast<long>(factors.column[i]) * factors.row[j] != weight(i, j)) return {};
    }
    // Sign convention: smoothing factors are positive, differences go from minus to plus.
    const auto sum = [](const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0L); };
    if (sum(factors.row) < 0 || (sum(factors.row) == 0 && sum(factors.column) < 0)) {
        for (int& v : factors.row) v = -v;
        for (int& v : factors.column) v = -v;
    }
    return factors;
}

float flat_weight(const Stage& stage) {
    if (std::holds_alternative<BoxGenerator>(stage.generator)) return 1.0f;
    if (!has_weights(stage)) return 0.0f;
    const auto& weights = stage.kernels.front().weights;
    return are_all(weights, weights.front()) ? weights.front() : 0.0f;
}

} // namespace kg
