#include "display/pass/colour_lut.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kg::display {

namespace {

/// Position along one channel: the corner before it, and the next one's share.
struct Along {
    std::size_t first;
    float share;

    explicit Along(float value) {
        constexpr int kLast = ColourLut::kSide - 1;
        const float at = std::clamp(value, 0.0f, 1.0f) * static_cast<float>(kLast);
        first = std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(kLast - 1));
        share = at - static_cast<float>(first);
    }
};

} // namespace

Colour from_lut(const ColourLut& lut, Colour c) {
    constexpr auto kSide = static_cast<std::size_t>(ColourLut::kSide);
    const Along r(c[0]), g(c[1]), b(c[2]);
    const auto corner = [&](std::size_t dr, std::size_t dg, std::size_t db) {
        const auto& colour = lut.colours[((b.first + db) * kSide + g.first + dg) * kSide + r.first + dr];
        return Colour{colour[0], colour[1], colour[2], 0};
    };
    const auto face = [&](std::size_t db) {
        return mixed(mixed(corner(0, 0, db), corner(1, 0, db), r.share),
                     mixed(corner(0, 1, db), corner(1, 1, db), r.share), g.share);
    };
    auto shown = mixed(face(0), face(1), b.share);
    for (int i = 0; i < 3; ++i) shown[i] += c[i] - std::clamp(c[i], 0.0f, 1.0f);
    shown[3] = c[3];
    return shown;
}

} // namespace kg::display
