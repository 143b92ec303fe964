#include "core/separate.hpp"

#include "core/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// True if no product of two of them that are not 0 is so small that it has fewer digits: products of two profiles, rounded
/// once, then are those of the rounded profiles to within kRoundings, and need not be looked at one by one.
bool are_normal(const Factors& f) {
    const auto smallest = [](const std::vector<float>& side) {
        float least = std::numeric_limits<float>::infinity();
        for (const float v : side)
            if (v != 0) least = std::min(least, std::fabs(v));
        return static_cast<double>(least);
    };
    constexpr double kSafe = 2 * static_cast<double>(std::numeric_limits<float>::min());
    const double column = smallest(f.column), row = smallest(f.row);
    return column >= kSafe && row >= kSafe && column * row >= kSafe;
}

/// True if four weights at the corners of a rectangle are further from a product than roundings bring them: so is the kernel.
/// Of most that are no product one look says so.
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
    // Sums along a row stay of the size of the samples; a power of two rounds nothing.
    double sum = 0;
    for (const double v : row) sum += std::fabs(v);
    const double scale = std::exp2(-std::ceil(std::log2(sum)));
    for (double& v : row) v *= scale;
    for (std::size_t i = 0; i < height; ++i) column[i] = at(i, pivot_column) / row[pivot_column];
    return {to_floats(column), to_floats(row)};
}

} // namespace

std::optional<Factors> separate(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    if (const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator)) {
        Factors f{to_floats(gaussian_profile(gaussian->sigma, kernel.height)),
                  to_floats(gaussian_profile(gaussian->sigma, kernel.width))};
        if (!has_weights(stage) || are_normal(f) || reproduces(kernel, f, kRoundings)) return f;
        return std::nullopt; // the tails of a narrow one vanish in its products before they do in its profile
    }
    if (!has_weights(stage)) // a box
        return Factors{std::vector<float>(static_cast<std::size_t>(kernel.height), 1.0f),
                       std::vector<float>(static_cast<std::size_t>(kernel.width), 1.0f)};
    if (index < stage.factors.size() && !stage.factors[index].row.empty())
        return Factors{to_floats(stage.factors[index].column), to_floats(stage.factors[index].row)};
    // Whose sums may be exact is left so: only factors that are listed are exact.
    if (std::ranges::all_of(kernel.weights, is_whole) && sums_exactly(kernel, 1)) return std::nullopt;
    if (is_no_product(kernel)) return std::nullopt;
    auto f = cross(kernel);
    if (!reproduces(kernel, f, kRoundings)) return std::nullopt;
    return f;
}

float flat_weight(const Stage& stage) {
    if (std::holds_alternative<BoxGenerator>(stage.generator)) return 1.0f;
    if (!has_weights(stage)) return 0.0f;
    const auto& weights = stage.kernels.front().weights;
    return are_all(weights, weights.front()) ? weights.front() : 0.0f;
}

} // namespace kg
