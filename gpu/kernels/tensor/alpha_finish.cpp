#include "gpu/kernels/tensor/alpha_finish.hpp"

#include "core/request/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

constexpr double kWhite = 255, kMostFaint = 8; // levels
constexpr double kMostOffWithAlpha = kShareOfMargin / 64;
/// Roundings of a quotient in float32, of half a last place each: five of a sum of four powers of 256, of
/// colour and of alpha, whose terms are up to twice the sum, and two of the division.
constexpr double kRoundings = (2 * 2 * 5 + 2) * 0x1p-24;

} // namespace

std::optional<AlphaFinish> alpha_finish(const Kernel& kernel, const DigitWeights& weights) {
    const auto exact = taps(kernel).weights;
    double off = 0, most_relative = 0, magnitude = 0;
    bool positive = true;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double weight = exact[i],
                     error = std::fabs(std::ldexp(static_cast<double>(weights.numbers[i]), -weights.shift) -
                                       weight);
        off += error, magnitude += std::fabs(weight);
        if (weight < 0) positive = false;
        else if (weight > 0) most_relative = std::max(most_relative, error / weight);
    }
    const double divisor = kernel.divisor, unit = std::ldexp(divisor, weights.shift);
    if (!(divisor > 0)) return std::nullopt;
    const double most_off = kMostOffWithAlpha - kRoundings * kWhite * magnitude / divisor;
    if (most_off < kMostOffWithAlpha / 2) return std::nullopt;
    // A weighted mean is off by no more than the weights are, relative to each.
    const bool never = positive && most_relative * kWhite <= most_off;
    const double faint = never ? 0 : std::ldexp(off * kWhite * kWhite / most_off, weights.shift);
    if (faint > kMostFaint * unit) return std::nullopt;
    const auto narrow = [](double v) { return static_cast<float>(v); };
    return AlphaFinish{narrow(unit), narrow(1 / unit), narrow(kWhite * unit), narrow(faint * (1 + 0x1p-20)),
                       kernel.divisor};
}

} // namespace kg::gpu
