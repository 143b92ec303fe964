#include "filters/kernel/response.hpp"

#include "core/image/weights.hpp"
#include "core/request/separate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace kg {

namespace {

using Vector = std::vector<double>;

constexpr std::size_t kSize = Response::kSize;
constexpr std::size_t kLongestProfile = 1024; ///< values; longer ones are thinned out

/// What the responses need to know of a kernel, as a correlation and before the division. All frequencies are
/// multiples of 1/64, so that weights 64 columns or rows apart have the same phase: their sums suffice.
struct Summary {
    Vector folded = Vector(kSize * kSize);
    double squares = 0;
    struct Axis {
        Vector sums; ///< across the axis: down every column, or along every row
        Vector line; ///< the weights in line with the output pixel, or the strongest line if these are 0
        int anchor = 0;
        long beside = 0; ///< lines from a bright pixel to where `line` shows
    };
    Axis x, y;
};

double sum(const Vector& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double squares(const Vector& v) { return std::inner_product(v.begin(), v.end(), v.begin(), 0.0); }

Summary::Axis axis_of_factors(const Vector& along, const Vector& across, int anchor, int anchor_across) {
    Summary::Axis axis{along, along, anchor};
    const double total = sum(across), middle = across[static_cast<std::size_t>(anchor_across)];
    for (double& v : axis.sums) v *= total;
    for (double& v : axis.line) v *= middle;
    return axis;
}

Summary summary_of_factors(const Vector& column, const Vector& row, int anchor_x, int anchor_y) {
    Summary s;
    Vector down(kSize), across(kSize);
    for (std::size_t i = 0; i < column.size(); ++i) down[i % kSize] += column[i];
    for (std::size_t j = 0; j < row.size(); ++j) across[j % kSize] += row[j];
    for (std::size_t i = 0; i < kSize; ++i)
        for (std::size_t j = 0; j < kSize; ++j) s.folded[i * kSize + j] = down[i] * across[j];
    s.x = axis_of_factors(row, column, anchor_x, anchor_y);
    s.y = axis_of_factors(column, row, anchor_y, anchor_x);
    s.squares = squares(column) * squares(row);
    return s;
}

/// The weights of line `anchor`, or of the strongest line where these are all 0; `weight(line, i)` reads one.
template <typename Weight>
void take_line(Summary::Axis& axis, std::size_t lines, int anchor, Weight weight) {
    const auto line_of = [&](std::size_t line) {
        Vector values(axis.sums.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = weight(line, i);
        return values;
    };
    axis.line = line_of(static_cast<std::size_t>(anchor));
    if (squares(axis.line) > 0) return;
    for (std::size_t line = 0; line < lines; ++line)
        if (auto values = line_of(line); squares(values) > squares(axis.line))
            axis.line = std::move(values), axis.beside = anchor - static_cast<long>(line);
}

Summary summary_of_weights(const Kernel& kernel) {
    const auto t = taps(kernel);
    const auto width = static_cast<std::size_t>(t.width), height = static_cast<std::size_t>(t.height);
    Summary s;
    const auto weight = [&](std::size_t i, std::size_t j) {
        return static_cast<double>(t.weights[i * width + j]);
    };
    s.x = {Vector(width), {}, t.anchor_x};
    s.y = {Vector(height), {}, t.anchor_y};
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j) {
            const double w = weight(i, j);
            s.folded[i % kSize * kSize + j % kSize] += w;
            s.x.sums[j] += w;
            s.y.sums[i] += w;
            s.squares += w * w;
        }
    take_line(s.x, height, t.anchor_y, weight);
    take_line(s.y, width, t.anchor_x, [&](std::size_t line, std::size_t i) { return weight(i, line); });
    return s;
}

Summary summary_of(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    if (has_weights(stage)) return summary_of_weights(kernel);
    const auto f = *separate(stage, index); // generated kernels look the same flipped, but for the anchor
    const int x = kernel.flip ? kernel.width - 1 - kernel.anchor_x : kernel.anchor_x;
    const int y = kernel.flip ? kernel.height - 1 - kernel.anchor_y : kernel.anchor_y;
    return summary_of_factors({f.column.begin(), f.column.end()}, {f.row.begin(), f.row.end()}, x, y);
}

/// Transforms one line of kSize values, `stride` apart, at the frequencies (k - 32) / 64. Written in real
/// numbers: a product of std::complex tests for NaN.
void transform_line(Vector& real, Vector& imaginary, std::size_t first, std::size_t stride) {
    static const auto cosines = [] {
        std::array<double, kSize> all;
        for (std::size_t k = 0; k < kSize; ++k)
            all[k] = std::cos(2 * std::numbers::pi * static_cast<double>(k) / kSize);
        return all;
    }();
    std::array<double, kSize> x{}, y{};
    for (std::size_t j = 0; j < kSize; ++j) {
        const double a = real[first + j * stride], b = imaginary[first + j * stride];
        if (a == 0 && b == 0) continue; // most weights of a small kernel's frame
        for (std::size_t k = 0; k < kSize; ++k) {
            const auto angle = (k + kSize / 2) * j % kSize;
            const double c = cosines[angle], s = cosines[(angle + 3 * kSize / 4) % kSize];
            x[k] += a * c - b * s;
            y[k] += a * s + b * c;
        }
    }
    for (std::size_t k = 0; k < kSize; ++k)
        real[first + k * stride] = x[k], imaginary[first + k * stride] = y[k];
}

Vector magnitudes(const Vector& folded, double divisor) {
    Vector real = folded, imaginary(folded.size());
    for (std::size_t i = 0; i < kSize; ++i) transform_line(real, imaginary, i * kSize, 1);
    for (std::size_t j = 0; j < kSize; ++j) transform_line(real, imaginary, j, kSize);
    for (std::size_t i = 0; i < real.size(); ++i)
        real[i] = std::hypot(real[i], imaginary[i]) / std::fabs(divisor);
    return real;
}

void fill_radial(Response& r) {
    std::array<int, kSize / 2 + 1> count{};
    for (int y = 0; y < Response::kSize; ++y)
        for (int x = 0; x < Response::kSize; ++x) {
            const auto distance = static_cast<std::size_t>(
                std::lround(std::hypot(x - Response::kSize / 2, y - Response::kSize / 2)));
            if (distance >= count.size()) continue; // the corners
            r.radial[distance] += r.at(x, y);
            ++count[distance];
        }
    for (std::size_t i = 0; i < count.size(); ++i) r.radial[i] /= count[i];
}

/// A tap at column j brings the pixel at x + j - anchor: column x of the result gets it from column 0 if j =
/// anchor - x. So the response runs backwards through the weights.
Response::Profile impulse_of(const Summary::Axis& axis, double divisor) {
    const auto n = axis.line.size();
    const auto every = (n + kLongestProfile - 1) / kLongestProfile;
    Response::Profile profile{axis.anchor - static_cast<long>(n) + 1, static_cast<long>(every), {}};
    for (std::size_t i = 0; i < n; i += every) profile.values.push_back(axis.line[n - 1 - i] / divisor);
    return profile;
}

/// The sum of the taps that see columns from 0 on, with one value more at both ends: 0 and the gain.
Response::Profile step_of(const Summary::Axis& axis, double divisor) {
    const auto n = axis.sums.size();
    const auto every = (n + kLongestProfile - 1) / kLongestProfile;
    Response::Profile profile{axis.anchor - static_cast<long>(n), static_cast<long>(every), {0}};
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        total += axis.sums[n - 1 - i];
        if ((i + 1) % every == 0) profile.values.push_back(total / divisor);
    }
    profile.values.push_back(total / divisor);
    return profile;
}

/// True if the sums cancel, but for rounding: an edge across this axis leaves no trace.
bool is_flat(const Summary::Axis& axis, double strength) {
    return std::ranges::all_of(axis.sums, [&](double v) { return std::fabs(v) <= 1e-6 * strength; });
}

} // namespace

double Response::largest() const { return *std::ranges::max_element(magnitude); }

Response response(const Stage& stage, std::size_t index) {
    const auto divisor = static_cast<double>(stage.kernels[index].divisor);
    const auto s = summary_of(stage, index);
    Response r;
    r.magnitude = magnitudes(s.folded, divisor);
    fill_radial(r);
    r.gain = dc_gain(stage, index);
    r.nyquist_x = r.at(0, Response::kSize / 2);
    r.nyquist_y = r.at(Response::kSize / 2, 0);
    r.noise_gain = std::sqrt(s.squares) / std::fabs(divisor);
    const double strength = std::sqrt(s.squares);
    r.is_down = is_flat(s.x, strength) && !is_flat(s.y, strength);
    const auto& axis = r.is_down ? s.y : s.x;
    r.impulse = impulse_of(axis, divisor);
    r.impulse_below = axis.beside;
    r.step = step_of(axis, divisor);
    return r;
}

SampleWork sample_work(const Stage& stage, std::size_t index, int rank, const PixelFormat& in,
                       const PixelFormat& out) {
    const auto& kernel = stage.kernels[index];
    SampleWork work;
    work.direct = has_weights(stage) ? static_cast<long>(count_taps(kernel.weights))
                                     : static_cast<long>(kernel.width) * kernel.height;
    work.separated = static_cast<long>(rank) * (kernel.width + kernel.height);
    work.bytes = static_cast<int>(bytes(in.depth) + bytes(out.depth));
    return work;
}

} // namespace kg
