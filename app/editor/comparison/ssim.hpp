#pragma once
// The structural similarity of two images: Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment:
// from error visibility to structural similarity", IEEE Transactions on Image Processing 13(4), 2004.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kg {

/// The mean over all windows that lie inside the image: 11 x 11 Gaussian of sigma 1.5, K1 = 0.01, K2 = 0.03,
/// in float64. Rows are added from top to bottom; only eleven of them are kept.
class Ssim {
public:
    static constexpr int kWindow = 11;

    explicit Ssim(std::int64_t width);
    /// Rows of `width` luminances relative to full scale.
    void add_row(std::span<const double> a, std::span<const double> b);
    /// Empty where the image is smaller than a window, or has a number that is not finite.
    std::optional<double> mean() const;

private:
    void filter_along(std::span<const double> row, std::vector<double>& filtered) const;
    void add_windows();

    /// Sums along the rows of a, b, a * a, b * b and a * b.
    using Moments = std::array<std::vector<double>, 5>;
    std::int64_t rows_ = 0;
    std::array<double, kWindow> weights_{};
    std::array<Moments, kWindow> latest_; ///< row r at r % kWindow
    std::vector<double> products_;
    double sum_ = 0;
    std::int64_t windows_ = 0;
};

} // namespace kg
