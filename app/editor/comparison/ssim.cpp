#include "app/editor/comparison/ssim.hpp"

#include "core/request/stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kg {

namespace {

constexpr double kSigma = 1.5, kC1 = 0.01 * 0.01, kC2 = 0.03 * 0.03; ///< the range of the numbers is 1

} // namespace

Ssim::Ssim(std::int64_t width) {
    const auto profile = gaussian_profile(kSigma, kWindow);
    std::ranges::copy(profile, weights_.begin());
    const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(width - kWindow + 1, 0));
    for (auto& row : latest_)
        for (auto& moment : row) moment.resize(columns);
    products_.resize(static_cast<std::size_t>(width));
}

void Ssim::filter_along(std::span<const double> row, std::vector<double>& filtered) const {
    std::ranges::fill(filtered, 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i)
        for (std::size_t x = 0; x < filtered.size(); ++x) filtered[x] += weights_[i] * row[x + i];
}

void Ssim::add_row(std::span<const double> a, std::span<const double> b) {
    auto& moments = latest_[static_cast<std::size_t>(rows_ % kWindow)];
    filter_along(a, moments[0]);
    filter_along(b, moments[1]);
    const auto product = [&](std::span<const double> p, std::span<const double> q, std::size_t moment) {
        std::ranges::transform(p, q, products_.begin(), [](double x, double y) { return x * y; });
        filter_along(products_, moments[moment]);
    };
    product(a, a, 2);
    product(b, b, 3);
    product(a, b, 4);
    if (++rows_ >= kWindow) add_windows();
}

/// The windows whose last row is the latest.
void Ssim::add_windows() {
    const auto columns = latest_.front().front().size();
    for (std::size_t x = 0; x < columns; ++x) {
        std::array<double, 5> m{};
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const auto& row = latest_[(static_cast<std::size_t>(rows_) + i) % kWindow];
            for (std::size_t k = 0; k < m.size(); ++k) m[k] += weights_[i] * row[k][x];
        }
        const double variance_a = m[2] - m[0] * m[0], variance_b = m[3] - m[1] * m[1],
                     covariance = m[4] - m[0] * m[1];
        sum_ += (2 * m[0] * m[1] + kC1) * (2 * covariance + kC2) /
                ((m[0] * m[0] + m[1] * m[1] + kC1) * (variance_a + variance_b + kC2));
    }
    windows_ += static_cast<std::int64_t>(columns);
}

std::optional<double> Ssim::mean() const {
    if (windows_ == 0 || !std::isfinite(sum_)) return {};
    return sum_ / static_cast<double>(windows_);
}

} // namespace kg
