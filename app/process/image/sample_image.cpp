#include "app/process/image/sample_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace kg {

namespace {

struct Colour {
    double r, g, b;
};
Colour operator*(Colour c, double f) { return {c.r * f, c.g * f, c.b * f}; }
Colour operator+(Colour a, Colour b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
Colour mix(Colour a, Colour b, double t) { return a * (1 - t) + b * t; }

Colour hue(double t) {
    const auto channel = [t](double shift) { return 0.5 + 0.5 * std::cos(2 * M_PI * (t + shift)); };
    return {channel(0), channel(1.0 / 3), channel(2.0 / 3)};
}

/// The chart behind the glass; u and v are in [0, 1.5) x [0, 1).
Colour chart(double u, double v) {
    if (v < 0.14) return Colour{1, 1, 1} * std::clamp(u / 1.5, 0.0, 1.0); // grey ramp
    if (v < 0.24) return hue(u / 1.5);                                    // colour ramp
    // lines that become finer
    if (v > 0.86) return Colour{1, 1, 1} * (std::sin(u * u * 420) > 0 ? 0.95 : 0.05);
    const double sx = u - 1.16, sy = v - 0.55, angle = std::atan2(sy, sx), radius = std::hypot(sx, sy);
    if (radius < 0.26)
        return std::cos(angle * 36) > 0 ? Colour{0.96, 0.95, 0.92} : Colour{0.08, 0.09, 0.12}; // star
    const auto column = static_cast<int>(std::floor(u * 12)), row = static_cast<int>(std::floor(v * 12));
    const bool dark = ((column + row) & 1) != 0;
    const auto tone = mix({0.86, 0.84, 0.78}, {0.93, 0.78, 0.55}, std::clamp(u / 1.5, 0.0, 1.0));
    return dark ? tone * 0.72 : tone;
}

/// Refracts, tints and lights the chart through a glass ball of index 1.5 at (cx, cy).
Colour through_glass(double u, double v, double cx, double cy, double radius) {
    const double x = (u - cx) / radius, y = (v - cy) / radius,
                 z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
    const double bend = 1 - 0.75 * z; // near the centre the image is inverted
    auto seen = chart(cx - x * radius * (1.6 - bend), cy - y * radius * (1.6 - bend));
    const double fresnel = 0.04 + 0.96 * std::pow(1 - z, 5);
    const double shine = std::pow(std::max(0.0, -0.45 * x - 0.6 * y + 0.66 * z), 90);
    seen = mix({seen.r * 0.85, seen.g * 0.95, seen.b}, {0.80, 0.90, 0.98}, fresnel);
    return seen + Colour{1, 1, 1} * shine;
}

} // namespace

Image sample_image(Extent size) {
    Image image(size, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < size.height; ++y) {
        auto* row = image.view().row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < size.width; ++x) {
            const double scale = static_cast<double>(size.height);
            const double u = (static_cast<double>(x) + 0.5) / scale,
                         v = (static_cast<double>(y) + 0.5) / scale;
            const double cx = 0.5, cy = 0.55, radius = 0.30, distance = std::hypot(u - cx, v - cy);
            auto colour =
                distance < radius
                    ? through_glass(u, v, cx, cy, radius)
                    : chart(u, v) *
                          (1 - 0.45 * std::exp(-12 * std::max(0.0, std::hypot(u - cx - 0.05, v - cy - 0.08) -
                                                                       radius + 0.02)));
            // The rounded corners fade out, so that alpha has an effect.
            const double width = static_cast<double>(size.width) / scale, corner = 0.09;
            const double qx = std::abs(u - width / 2) - (width / 2 - corner),
                         qy = std::abs(v - 0.5) - (0.5 - corner);
            const double outside = std::hypot(std::max(qx, 0.0), std::max(qy, 0.0)) - corner;
            const double alpha = std::clamp(-outside / 0.02, 0.0, 1.0);
            const auto byte = [](double value) {
                return static_cast<std::uint8_t>(std::lrint(255 * std::clamp(value, 0.0, 1.0)));
            };
            row[4 * x] = byte(colour.r), row[4 * x + 1] = byte(colour.g), row[4 * x + 2] = byte(colour.b),
                    row[4 * x + 3] = byte(alpha);
        }
    }
    return image;
}

} // namespace kg
