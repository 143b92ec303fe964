// Waves under a Gaussian window, in several directions: edges and textures of one width. Source: Daugman,
// "Uncertainty relation for resolution in space, spatial frequency, and orientation optimized by
// two-dimensional visual cortical filters", JOSA A 1985.

#include "filters/banks/sampled_bank.hpp"

#include <numbers>

namespace kg {

namespace {

BankDesign build(const Values& values) {
    const int orientations = integer(values, "orientations");
    const double wavelength = number(values, "wavelength"), bandwidth = number(values, "bandwidth"),
                 aspect = number(values, "aspect");
    // The standard deviation of the window that has so many octaves of bandwidth.
    const double octaves = std::exp2(bandwidth);
    const double sigma = wavelength / std::numbers::pi * std::sqrt(std::numbers::ln2 / 2) * (octaves + 1) /
                         (octaves - 1);
    constexpr double kDeviations = 3;
    const int radius = static_cast<int>(std::ceil(kDeviations * sigma / std::min(1.0, aspect)));
    const auto phase = values.at("phase");
    check_bank_size(std::int64_t{orientations} * (phase == "both" ? 2 : 1), radius,
                    "choose a shorter wavelength, a larger bandwidth or a larger aspect");
    BankDesign design;
    for (int i = 0; i < orientations; ++i) {
        const double angle = std::numbers::pi * i / orientations, c = std::cos(angle), s = std::sin(angle);
        const auto add = [&](double offset, const char* parity) {
            design.names.push_back(direction_name(i, orientations) + ", " + short_number(wavelength, 4) +
                                   " px" + (phase == "both" ? parity : ""));
            add_filter(design, radius, [&](int x, int y) {
                const double along = x * c + y * s, across = aspect * (y * c - x * s);
                return std::exp(-(along * along + across * across) / (2 * sigma * sigma)) *
                       std::cos(2 * std::numbers::pi * along / wavelength + offset);
            });
        };
        if (phase != "odd") add(0, ", even");
        if (phase != "even") add(-std::numbers::pi / 2, ", odd");
    }
    scale_filters(design);
    return design;
}

} // namespace

extern const BankFilter kGabor;
const BankFilter kGabor{
    "gabor",
    "Gabor",
    "Waves under a Gaussian window, in several directions",
    {{"orientations",
      "Orientations",
      Parameter::Kind::integer,
      1,
      64,
      {},
      "8",
      "",
      "Directions within half a circle; the first wave runs along the rows"},
     {"wavelength", "Wavelength", Parameter::Kind::number, 2, 64, {}, "8", "px", "Length of a wave"},
     {"bandwidth",
      "Bandwidth",
      Parameter::Kind::number,
      0.5,
      3,
      {},
      "1.5",
      "octaves",
      "Width of the frequencies that respond by half or more: the window is wide where this is small"},
     {"aspect",
      "Aspect",
      Parameter::Kind::number,
      0.25,
      2,
      {},
      "0.5",
      "",
      "Length of the window along the waves divided by that across them"},
     {"phase",
      "Phase",
      Parameter::Kind::choice,
      0,
      0,
      {"even", "odd", "both"},
      "even",
      "",
      "even responds to lines, odd to edges; both gives a pair for each direction"}},
    build};

} // namespace kg
