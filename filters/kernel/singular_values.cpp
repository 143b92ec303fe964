#include "filters/kernel/singular_values.hpp"

#include "core/request/separate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kg {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void rotate(Vector& a, Vector& b, double cosine, double sine) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i], y = b[i];
        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

/// Rotates two columns until they are orthogonal, and `turns` with them. False if they already are.
bool make_orthogonal(Vector& a, Vector& b, Vector& turn_a, Vector& turn_b) {
    constexpr double kOrthogonal = 1e-15;
    const double ab = dot(a, b), aa = dot(a, a), bb = dot(b, b);
    if (std::fabs(ab) <= kOrthogonal * std::sqrt(aa * bb)) return false;
    const double zeta = (bb - aa) / (2 * ab);
    const double tangent = std::copysign(1 / (std::fabs(zeta) + std::hypot(1, zeta)), zeta);
    const double cosine = 1 / std::hypot(1, tangent);
    rotate(a, b, cosine, cosine * tangent);
    rotate(turn_a, turn_b, cosine, cosine * tangent);
    return true;
}

void scale(Vector& vector, double factor) {
    for (double& v : vector) v *= factor;
}

double total(const Vector& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

/// Both factors get the same length, and the sign of integer_factors(): smoothing is positive.
void balance(SingularValues& s) {
    const double column = std::sqrt(dot(s.column, s.column)), row = std::sqrt(dot(s.row, s.row));
    if (column == 0 || row == 0) return;
    constexpr double kCancelled = 1e-9;
    const double across = total(s.row) / row, down = total(s.column) / column;
    const bool is_negative = (std::fabs(across) > kCancelled ? across : down) < 0;
    const double even = std::sqrt(row / column) * (is_negative ? -1 : 1);
    scale(s.column, even);
    scale(s.row, 1 / even);
}

/// A = (columns after the rotations) * (transposed rotations): the columns' lengths are the singular values.
SingularValues decompose(const Kernel& kernel) {
    const auto width = static_cast<std::size_t>(kernel.width),
               height = static_cast<std::size_t>(kernel.height);
    std::vector<Vector> columns(width, Vector(height)), turns(width, Vector(width));
    for (std::size_t j = 0; j < width; ++j) {
        turns[j][j] = 1;
        for (std::size_t i = 0; i < height; ++i)
            columns[j][i] = static_cast<double>(kernel.weights[i * width + j]) /
                            static_cast<double>(kernel.divisor);
    }
    constexpr int kSweeps = 30; // some six are needed
    bool is_moving = true;
    for (int sweep = 0; sweep < kSweeps && is_moving; ++sweep) {
        is_moving = false;
        for (std::size_t p = 0; p + 1 < width; ++p)
            for (std::size_t q = p + 1; q < width; ++q)
                is_moving |= make_orthogonal(columns[p], columns[q], turns[p], turns[q]);
    }
    SingularValues s;
    for (const auto& column : columns) s.values.push_back(std::sqrt(dot(column, column)));
    const auto first = static_cast<std::size_t>(std::ranges::max_element(s.values) - s.values.begin());
    if (s.values[first] > 0) {
        s.column = columns[first];
        s.row = turns[first];
        balance(s);
    }
    std::ranges::sort(s.values, std::greater<>());
    s.values.resize(std::min(width, height));
    return s;
}

std::optional<SingularValues> of_factors(const Stage& stage, std::size_t index) {
    const auto factors = separate(stage, index);
    if (!factors) return {};
    SingularValues s;
    s.column.assign(factors->column.begin(), factors->column.end());
    s.row.assign(factors->row.begin(), factors->row.end());
    scale(s.row, 1 / static_cast<double>(stage.kernels[index].divisor));
    s.values = {std::sqrt(dot(s.column, s.column) * dot(s.row, s.row))};
    balance(s);
    return s;
}

} // namespace

double SingularValues::share() const {
    const double whole = dot(values, values);
    return whole > 0 ? values.front() * values.front() / whole : 0;
}

std::optional<SingularValues> singular_values(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    const bool is_small = std::max(kernel.width, kernel.height) <= SingularValues::kMaxSize;
    if (has_weights(stage) && is_small) return decompose(kernel);
    return of_factors(stage, index);
}

} // namespace kg
