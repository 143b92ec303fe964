#include "gpu/kernels/decimation/decimation.hpp"

#include "core/image/border.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

namespace kg::gpu {

namespace {

constexpr double kUnit = 0x1p-24; // half of a float's last place
constexpr int kBand = 2 * kSplineTaps;

/// The cubic B-spline with knots at whole numbers, around 0.
double spline(double x) {
    x = std::fabs(x);
    if (x < 1) return 2.0 / 3 - x * x + x * x * x / 2;
    return x < 2 ? (2 - x) * (2 - x) * (2 - x) / 6 : 0;
}

int floor_of_quotient(std::int64_t a, int b) { return static_cast<int>(a >= 0 ? a / b : -((b - 1 - a) / b)); }

using Doubles = std::vector<double>;
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Solves A x = b, where A is symmetric, A[i][j] = band[|i - j|].
Doubles solve_banded(const std::array<double, kBand>& band, Doubles b) {
    const auto n = static_cast<int>(b.size());
    std::vector<std::array<double, kBand>> lower(b.size()); // Cholesky: [i][d] is L[i][i - d]
    for (int i = 0; i < n; ++i)
        for (int d = std::min(i, kBand - 1); d >= 0; --d) {
            const int j = i - d;
            double sum = band[at(d)];
            for (int k = std::max({0, i - kBand + 1, j - kBand + 1}); k < j; ++k)
                sum -= lower[at(i)][at(i - k)] * lower[at(j)][at(j - k)];
            lower[at(i)][at(d)] = d == 0 ? std::sqrt(sum) : sum / lower[at(j)][0];
        }
    for (int i = 0; i < n; ++i) {
        for (int d = 1; d < kBand && d <= i; ++d) b[at(i)] -= lower[at(i)][at(d)] * b[at(i - d)];
        b[at(i)] /= lower[at(i)][0];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int d = 1; d < kBand && i + d < n; ++d) b[at(i)] -= lower[at(i + d)][at(d)] * b[at(i + d)];
        b[at(i)] /= lower[at(i)][0];
    }
    return b;
}

/// The coarse weights with the least squares of the errors.
Doubles fitted_weights(const Doubles& profile, int before, int shift, int count, int stride,
                       const Doubles& prefilter, const Doubles& interpolation) {
    // What two splines make of one coarse weight of 1, summed over the phases of the output: by the pixel,
    // counted from 3 blocks before the cell's block minus the last phase.
    Doubles point(at(stride * kBand + stride), 0.0);
    std::array<double, kBand> products{}; // [i]: products of interpolation weights i cells apart
    std::array<double, kSplineTaps> own{};
    for (int phase = 0; phase < stride; ++phase)
        for (int i = 0; i < kSplineTaps; ++i) {
            const double weight = interpolation[at(phase * kSplineTaps + i)];
            for (int j = 0; j < kSplineTaps * stride; ++j)
                point[at(i * stride + j + stride - 1 - phase)] += weight * prefilter[at(j)];
            for (int other = i; other < kSplineTaps; ++other)
                products[at(other - i)] += weight * interpolation[at(phase * kSplineTaps + other)];
        }
    for (int lag = 0; lag < kSplineTaps; ++lag)
        for (int j = lag * stride; j < kSplineTaps * stride; ++j)
            own[at(lag)] += prefilter[at(j)] * prefilter[at(j - lag * stride)];
    std::array<double, kBand> band{};
    for (int lag = 0; lag < kBand; ++lag)
        for (int a = -kSplineTaps + 1; a < kSplineTaps; ++a)
            if (const int b = std::abs(lag - a); b < kSplineTaps)
                band[at(lag)] += products[at(std::abs(a))] * own[at(b)];
    Doubles right(at(count), 0.0);
    const auto size = static_cast<int>(profile.size()), length = static_cast<int>(point.size());
    for (int k = 0; k < count; ++k) {
        const int first = (shift + k - 3) * stride - (stride - 1) + before; // tap below point[0]
        double sum = 0;
        for (int v = std::max(0, -first); v < std::min(length, size - first); ++v)
            sum += point[at(v)] * profile[at(first + v)];
        right[at(k)] = sum;
    }
    return solve_banded(band, std::move(right));
}

std::vector<float> rounded(const Doubles& values) { return {values.begin(), values.end()}; }

/// The weights of coarse and prefilter together, by the pixel.
Doubles coarse_response(const DecimatedAxis& axis) {
    Doubles response(at((axis.taps() + kSplineTaps - 1) * axis.stride), 0.0);
    for (int k = 0; k < axis.taps(); ++k) {
        const auto weight = static_cast<double>(axis.coarse[at(k)]);
        double* to = &response[at(k * axis.stride)];
        for (std::size_t j = 0; j < axis.prefilter.size(); ++j)
            to[j] += weight * static_cast<double>(axis.prefilter[j]);
    }
    return response;
}

/// The weights of one phase, from the response of coarse and prefilter.
void interpolate(const DecimatedAxis& axis, const Doubles& response, int phase, Doubles& weights) {
    weights.assign(response.size() + at((kSplineTaps - 1) * axis.stride), 0.0);
    for (int i = 0; i < kSplineTaps; ++i) {
        const auto weight = static_cast<double>(axis.interpolation[at(phase * kSplineTaps + i)]);
        if (weight == 0) continue;
        double* to = &weights[at(i * axis.stride)];
        for (std::size_t j = 0; j < response.size(); ++j) to[j] += weight * response[j];
    }
}

double error_of(const DecimatedAxis& axis, const Doubles& profile, int before) {
    const auto response = coarse_response(axis);
    Doubles weights;
    double largest = 0;
    for (int phase = 0; phase < axis.stride; ++phase) {
        interpolate(axis, response, phase, weights);
        const auto first = at(phase - before - first_pixel(axis)); // the tap's place among the weights
        for (std::size_t u = 0; u < profile.size(); ++u) weights[first + u] -= profile[u];
        double sum = 0;
        for (const double w : weights) sum += std::fabs(w);
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Roundings of a sum of products in order, in half last places of the sum of |products|.
double roundings(const std::vector<float>& weights) {
    double sum = 0, all = 0;
    for (const float w : weights) all += sum += std::fabs(static_cast<double>(w));
    return sum > 0 ? all / sum : 0;
}

/// The bound of an image's error: of the weights, and of the roundings of all sums.
double bound_of(const DecimatedAxis& down, const DecimatedAxis& along, float divisor) {
    constexpr double kPartialSums = 8, kInterpolation = 2 * kSplineTaps, kResult = 6;
    const double steps = roundings(down.prefilter) + along.stride + kSplineTaps + 2 * kPartialSums +
                         roundings(along.coarse) + roundings(down.coarse) + kInterpolation + kResult;
    const double gain = 1.01 * down.gain * along.gain;
    return (down.error + along.error + down.error * along.error + steps * kUnit * gain) /
           std::fabs(static_cast<double>(divisor));
}

/// The time of all launches on an H200, for a whole image of the step's size but of these depths.
double microseconds_of(const ImageStep& step, Depth in, Depth out, const DecimatedAxis& down,
                       const DecimatedAxis& along) {
    constexpr double kFixed = 8, kReadPerUs = 3.9e6, kWrittenPerUs = 3.4e6, kSumsPerUs = 8e6;
    const bool bytes = in == Depth::u8;
    const double decimated_per_us = bytes ? 2.4e6 : 2.0e6, interpolated_per_us = bytes ? 1.9e6 : 2.0e6;
    const auto cells = [&](const DecimatedAxis& axis, std::int64_t length) {
        const auto span = decimated_span(axis, step.border, static_cast<int>(length), {0, length}, 1);
        return std::pair{static_cast<double>(span.count), static_cast<double>(span.out_count)};
    };
    const auto [rows, rows_out] = cells(down, step.size.height);
    const auto [columns, columns_out] = cells(along, step.size.width);
    const double channels = step.in.channels,
                 samples = static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
                           channels,
                 read = rows * down.stride * columns * along.stride * channels;
    const double sums = (rows * columns_out * along.taps() + rows_out * columns_out * down.taps()) * channels,
                 partial = rows * columns * channels * 8 * 1.5;
    return kFixed +
           std::max(read / decimated_per_us, samples * static_cast<double>(kg::bytes(in)) / kReadPerUs) +
           sums / kSumsPerUs + partial / kWrittenPerUs +
           std::max(samples / interpolated_per_us,
                    samples * static_cast<double>(kg::bytes(out)) / kWrittenPerUs);
}

DecimatedFit best_fit(const ImageStep& step) {
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto all = reach(stage);
    const double sigma = std::get<GaussianGenerator>(stage.generator).sigma;
    // Strides whose own error is too large are not combined with others.
    const auto axes = [&](int size, int before) {
        std::vector<DecimatedAxis> list;
        const auto profile = gaussian_profile(sigma, size);
        for (int stride = kMostStride; stride > 0; stride /= 2) {
            if (stride > 1 && 2 * stride > size) continue;
            if (size / stride + 6 > kMostCoarseTaps) break;
            auto axis = decimated_axis(profile, before, stride);
            if (stride > 1 && axis.error > 0.5) continue;
            list.push_back(std::move(axis));
            // Smaller strides cost more, unless the other axis is what limits this one.
            if (list.back().error < step.tolerance / 16) break;
        }
        return list;
    };
    const auto down = axes(kernel.height, all.up);
    const auto along = kernel.width == kernel.height && all.left == all.up ? down
                                                                           : axes(kernel.width, all.left);
    DecimatedFit best;
    best.bound = best.microseconds = std::numeric_limits<double>::infinity();
    const DecimatedAxis *best_down = nullptr, *best_along = nullptr;
    for (const auto& d : down)
        for (const auto& a : along) {
            if (d.stride * a.stride == 1) continue;
            const double bound = bound_of(d, a, kernel.divisor);
            const bool good = bound <= step.tolerance;
            if (good < best.good) continue;
            // The choice, and with it the error, is the same for all depths: conversions may be added later.
            const double us = microseconds_of(step, Depth::f32, Depth::f32, d, a);
            if (good == best.good && (good ? us >= best.microseconds : bound >= best.bound)) continue;
            best.bound = bound, best.good = good, best.microseconds = us;
            best_down = &d, best_along = &a;
        }
    if (!best_down) return best;
    best.down = *best_down, best.along = *best_along;
    best.microseconds = microseconds_of(step, step.in.depth, step.out.depth, best.down, best.along);
    return best;
}

} // namespace

DecimatedAxis decimated_axis(const std::vector<double>& profile, int before, int stride) {
    DecimatedAxis axis;
    axis.stride = stride;
    const auto size = static_cast<int>(profile.size());
    if (stride == 1) {
        axis.prefilter = {0, 0, 1, 0};
        axis.interpolation = {0, 1, 0, 0};
        axis.shift = -before;
        axis.coarse = rounded(profile);
    } else {
        Doubles prefilter(at(kSplineTaps * stride)), interpolation(prefilter.size());
        for (int j = 0; j < kSplineTaps * stride; ++j)
            prefilter[at(j)] = spline((j + 0.5) / stride - kSplineTaps / 2.0);
        const double sum = std::accumulate(prefilter.begin(), prefilter.end(), 0.0);
        for (double& p : prefilter) p /= sum;
        for (int phase = 0; phase < stride; ++phase)
            for (int i = 0; i < kSplineTaps; ++i)
                interpolation[at(phase * kSplineTaps + i)] = spline((phase + 0.5) / stride - (i - 1));
        axis.shift = floor_of_quotient(-std::int64_t{before} - 1, stride) - 1;
        const int last = -floor_of_quotient(-std::int64_t{size - before}, stride) + 1;
        auto coarse = fitted_weights(profile, before, axis.shift, last - axis.shift + 1, stride, prefilter,
                                     interpolation);
        const double gain = std::accumulate(coarse.begin(), coarse.end(), 0.0);
        for (double& g : coarse) g /= gain;
        axis.prefilter = rounded(prefilter), axis.coarse = rounded(coarse);
        axis.interpolation = rounded(interpolation);
    }
    for (const float g : axis.coarse) axis.gain += std::fabs(static_cast<double>(g));
    axis.error = error_of(axis, profile, before);
    return axis;
}

std::vector<double> effective_weights(const DecimatedAxis& axis, int phase) {
    Doubles weights;
    interpolate(axis, coarse_response(axis), phase, weights);
    return weights;
}

DecimatedSpan decimated_span(const DecimatedAxis& axis, Border border, int length, Span outputs,
                             int tile_blocks) {
    DecimatedSpan span{};
    span.stride = axis.stride, span.shift = axis.shift, span.taps = axis.taps();
    span.out_first = static_cast<int>(outputs.begin / axis.stride) - 1;
    span.out_count = static_cast<int>((outputs.end - 1) / axis.stride) + 2 - span.out_first + 1;
    span.first = span.out_first + axis.shift;
    int last = span.first + span.out_count - 1 + axis.taps() - 1;
    if (border == Border::zero || border == Border::replicate) {
        // Cells that no pixel of the image belongs to are all the same: the outermost two stand for the
        // others.
        const int least = -2, most = (length + axis.stride - 1) / axis.stride + 2;
        span.first = std::clamp(span.first, least, most), last = std::clamp(last, least, most);
    }
    span.count = last - span.first + 1;
    span.tile_blocks = tile_blocks;
    span.first_tile = floor_of_quotient(span.first - 2, tile_blocks);
    span.tiles = floor_of_quotient(last + 1, tile_blocks) - span.first_tile + 1;
    span.first_pixel = (span.first - 2) * axis.stride, span.end_pixel = (last + 2) * axis.stride;
    return span;
}

int tile_blocks_down(int stride, std::int64_t image_samples) {
    constexpr std::int64_t kBlockSamples = 64 * 4 * kTileSamples, kEnoughBlocks = 400;
    const int rows = image_samples >= kEnoughBlocks * kBlockSamples ? 64 : std::clamp(4 * stride, 32, 64);
    return rows / stride;
}

int tile_blocks_along(int stride, int channels) {
    constexpr int kAligned = 8; // pixels: tiles begin at the alignment of loads
    const int blocks = kTileSamples / (channels * stride);
    return stride < kAligned ? blocks - blocks % (kAligned / stride) : blocks;
}

const DecimatedFit& decimated_fit(const ImageStep& step) {
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto all = reach(stage);
    thread_local struct {
        std::optional<std::tuple<double, int, int, int, int, float, double, std::int64_t, std::int64_t,
                                 PixelFormat, Depth, Border>>
            key;
        DecimatedFit fit;
    } last;
    const std::tuple key(std::get<GaussianGenerator>(stage.generator).sigma, kernel.width, kernel.height,
                         all.left, all.up, kernel.divisor, step.tolerance, step.size.width, step.size.height,
                         step.in, step.out.depth, step.border);
    if (last.key != key) last.fit = best_fit(step), last.key = key;
    return last.fit;
}

} // namespace kg::gpu
