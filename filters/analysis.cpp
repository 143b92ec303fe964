#include "filters/analysis.hpp"

#include "core/image/pixel.hpp"
#include "core/image/weights.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>

namespace kg {

namespace {

/// The rows of a kernel.
class Rows {
public:
    explicit Rows(const Kernel& kernel)
        : weights_(kernel.weights), width_(static_cast<std::size_t>(kernel.width)) {}
    std::size_t count() const { return weights_.size() / width_; }
    std::span<const float> operator[](std::size_t i) const { return weights_.subspan(i * width_, width_); }

private:
    std::span<const float> weights_;
    std::size_t width_;
};

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
            if (factor == 0) continue;
            for (std::size_t j = 0; j < width; ++j) residual[i + j] -= factor * row[j];
        }
    }
    return Analysis::kMaxRank + 1;
}

void find_symmetry(const Kernel& kernel, Analysis& a) {
    const Rows rows(kernel);
    a.symmetric_x = a.symmetric_y = true;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const auto row = rows[i];
        if (!std::equal(row.begin(), row.end(), row.rbegin())) a.symmetric_x = false;
        if (!std::ranges::equal(row, rows[rows.count() - 1 - i])) a.symmetric_y = false;
    }
    a.symmetric_turn = std::equal(kernel.weights.begin(), kernel.weights.end(), kernel.weights.rbegin());
}

bool is_flat(std::span<const float> row) {
    const auto some = [](float w) { return w != 0; };
    const auto begin = std::ranges::find_if(row, some);
    const auto end = std::find_if(row.rbegin(), std::make_reverse_iterator(begin), some).base();
    return std::all_of(begin, end, [&](float w) { return w == *begin; });
}

/// Largest difference between the weights over their sum and a Gaussian of this sigma, relative to the larger
/// peak.
double gaussian_error(const Kernel& kernel, double sum, double sigma) {
    const auto p = gaussian_profile(sigma, kernel.height), q = gaussian_profile(sigma, kernel.width);
    double error = 0, peak = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < q.size(); ++j) {
            const double weight = static_cast<double>(kernel.weights[i * q.size() + j]) / sum;
            error = std::max(error, std::fabs(weight - p[i] * q[j]));
            peak = std::max({peak, weight, p[i] * q[j]});
        }
    return error / peak;
}

/// Starts at the sigma of the second moment, which is slightly too small for a truncated Gaussian, and
/// minimises the error by golden-section search.
std::optional<GaussianFit> fit_gaussian(const Kernel& kernel, const Analysis& a) {
    if (a.taps < 3 || !a.symmetric_x || !a.symmetric_y || a.gain == 0) return {};
    const double sum = a.gain * static_cast<double>(kernel.divisor);
    double moment_x = 0, moment_y = 0;
    const Rows rows(kernel);
    for (std::size_t i = 0; i < rows.count(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            const double weight = static_cast<double>(rows[i][j]) / sum;
            if (weight < 0) return {};
            const double x = static_cast<double>(j) - (kernel.width - 1) / 2.0,
                         y = static_cast<double>(i) - (kernel.height - 1) / 2.0;
            moment_x += weight * x * x;
            moment_y += weight * y * y;
        }
    const double moment = std::max(moment_x, moment_y); // a single row or column has only one nonzero moment
    if (moment == 0) return {};
    double low = 0.7 * std::sqrt(moment), high = 1.6 * std::sqrt(moment);
    const auto error = [&](double sigma) { return gaussian_error(kernel, sum, sigma); };
    constexpr double golden = 0.6180339887498949;
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double left_error = error(left), right_error = error(right);
    while (high - low > 1e-6 * high) {
        if (left_error < right_error) {
            high = right, right = left, right_error = left_error;
            left = high - golden * (high - low), left_error = error(left);
        } else {
            low = left, left = right, left_error = right_error;
            right = low + golden * (high - low), right_error = error(right);
        }
    }
    const GaussianFit fit{(low + high) / 2, error((low + high) / 2)};
    return fit.error <= Analysis::kGaussianError ? std::optional(fit) : std::nullopt;
}

/// The rounding error of a sampled Gaussian stored as floats.
constexpr double kNoError = 1e-6;

std::string percent(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g %%", 100 * ratio);
    return text;
}

std::string numbers(const std::vector<int>& values) {
    std::string text;
    for (const int value : values) text += (text.empty() ? "" : " ") + std::to_string(value);
    return text;
}

/// True if the generator describes everything that an analysis of the weights would find. False for kernels
/// so small, narrow or wide that they match several descriptions.
bool is_described(const Stage& stage) {
    constexpr int kLeastSide = 9;
    const auto& kernel = stage.kernels.front();
    if (std::min(kernel.width, kernel.height) < kLeastSide) return false;
    if (std::holds_alternative<BoxGenerator>(stage.generator)) return true;
    const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
    return gaussian && gaussian->sigma >= 1 && 3 * gaussian->sigma <= std::min(kernel.width, kernel.height);
}

IntegerFactors factors_of_box(const Kernel& kernel) {
    return {std::vector<int>(static_cast<std::size_t>(kernel.height), 1),
            std::vector<int>(static_cast<std::size_t>(kernel.width), 1)};
}

} // namespace

Analysis analyse(const Kernel& kernel) {
    if (kernel.weights.empty())
        throw Error("unlisted-weights", "this kernel's weights are not listed; analyse its stage instead");
    Analysis a;
    a.rank = rank_of(kernel);
    a.gain = dc_gain(kernel);
    a.taps = static_cast<long>(kernel.weights.size());
    a.zeros = std::ranges::count(kernel.weights, 0.0f);
    const auto whole = [](float v) { return v == std::rint(v); };
    a.integer = whole(kernel.divisor) && std::ranges::all_of(kernel.weights, whole);
    a.exact = sums_exactly(kernel, full_scale(Depth::u8));
    a.exact_16 = sums_exactly(kernel, full_scale(Depth::u16));
    find_symmetry(kernel, a);
    const Rows rows(kernel);
    a.flat_rows = a.rank > 0;
    for (std::size_t i = 0; i < rows.count(); ++i) a.flat_rows = a.flat_rows && is_flat(rows[i]);
    a.factors = integer_factors(kernel);
    a.gaussian = fit_gaussian(kernel, a);
    return a;
}

Analysis analyse(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
    if (has_weights(stage) && !is_described(stage)) return analyse(kernel);
    Analysis a;
    a.rank = 1;
    a.symmetric_x = a.symmetric_y = a.symmetric_turn = true;
    a.gain = dc_gain(stage, index);
    a.taps = static_cast<long>(kernel.width) * kernel.height;
    if (has_weights(stage)) a.zeros = a.taps - static_cast<long>(count_taps(kernel.weights));
    a.flat_rows = gaussian == nullptr;
    a.integer = gaussian == nullptr && kernel.divisor == std::rint(kernel.divisor);
    a.exact = sums_exactly(stage, full_scale(Depth::u8));
    a.exact_16 = sums_exactly(stage, full_scale(Depth::u16));
    if (gaussian) a.gaussian = GaussianFit{gaussian->sigma, 0};
    else if (has_weights(stage)) a.factors = factors_of_box(kernel);
    return a;
}

float auto_divisor(const Kernel& kernel) {
    double sum = 0, magnitude = 0;
    for (const float w : kernel.weights) {
        sum += static_cast<double>(w);
        magnitude += std::fabs(static_cast<double>(w));
    }
    constexpr double rounding = 1e-6; // the remainder of a sum of 0 in floats
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
    if (a.rank == 1 && separated >= a.taps - a.zeros) // 1 x n, 2 x 2, Sobel's zeros: nothing to win
        return "Separable: rank 1, but two passes save nothing: " + products +
               (separated == a.taps - a.zeros
                    ? std::string(" products directly, as in two passes.")
                    : std::string(products == "1" ? " product" : " products") + " directly, " +
                          std::to_string(separated) + " in two passes.");
    if (a.rank == 1)
        return "Separable: rank 1; " + std::to_string(separated) + " products instead of " +
               std::to_string(a.taps) + ".";
    return "Not separable: rank " + std::to_string(a.rank) + "; " + products + " products a pixel" +
           (separated < a.taps - a.zeros ? ", " + std::to_string(separated) + " as a sum of separable ones"
                                         : "") +
           ".";
}

std::vector<std::string> remarks(const Analysis& a, Combine combine) {
    std::vector<std::string> all;
    if (std::fabs(a.gain) < 1e-6 && combine != Combine::single)
        all.push_back("The weights cancel: a constant image becomes the offset.");
    else if (std::fabs(a.gain) < 1e-6)
        all.push_back("The weights cancel: a constant image becomes the offset, and results are signed.");
    else if (std::fabs(a.gain - 1) < 1e-6) all.push_back("A constant image stays as it is.");
    else all.push_back("A constant image is multiplied by " + to_text(static_cast<float>(a.gain)) + ".");
    if (a.zeros)
        all.push_back(std::to_string(a.zeros) + " of " + std::to_string(a.taps) + " weights are zero.");
    if (a.symmetric_x && a.symmetric_y) all.push_back("Symmetric in x and y.");
    else if (a.symmetric_x) all.push_back("Symmetric in x.");
    else if (a.symmetric_y) all.push_back("Symmetric in y.");
    else if (a.symmetric_turn) all.push_back("Symmetric under rotation by 180 degrees.");
    if (a.exact)
        all.push_back(a.exact_16 ? "Whole numbers: every algorithm gives the same bytes."
                                 : "Whole numbers: every algorithm gives the same bytes from 8-bit images.");
    if (a.factors && a.factors->row.size() <= 31 && a.factors->column.size() <= 31)
        all.push_back("In whole numbers, the column " + numbers(a.factors->column) + " times the row " +
                      numbers(a.factors->row) + ".");
    if (a.flat_rows) all.push_back("Every row is flat: equal weights, with zeros around them at most.");
    if (a.gaussian)
        all.push_back("A Gaussian of sigma " +
                      to_text(static_cast<float>(std::round(a.gaussian->sigma * 1e4) / 1e4)) +
                      (a.gaussian->error < kNoError ? "" : " to within " + percent(a.gaussian->error)) + ".");
    return all;
}

} // namespace kg
