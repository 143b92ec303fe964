#pragma once
// How much samples differ: the rules that every comparison of images has in common.

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace kg {

/// |a - b|; 0 for equal numbers and for two NaN, infinite where they differ and one is not finite.
inline double sample_distance(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double distance = std::fabs(a - b);
    return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
}

/// Peak signal-to-noise ratio in dB. `squares`: the sum of squared distances relative to full scale. Empty
/// where nothing differs, or something is not finite.
inline std::optional<double> psnr(std::int64_t samples, double squares) {
    if (!(squares > 0) || !std::isfinite(squares)) return {};
    return 10 * std::log10(static_cast<double>(samples) / squares);
}

} // namespace kg
