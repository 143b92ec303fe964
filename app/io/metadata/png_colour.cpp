#include "app/io/metadata/png_colour.hpp"

#include "app/io/metadata/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <lcms2.h>

namespace kg::io {

namespace {

const std::string* find(const Metadata& metadata, std::string_view type) {
    const auto found = std::ranges::find(metadata.chunks, type, &Metadata::Chunk::type);
    return found == metadata.chunks.end() ? nullptr : &found->data;
}

/// Numbers of gAMA and cHRM are stored times 100000.
double number(const std::string& data, std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(data[4 * index + i]);
    return value / 100000.0;
}

// White, red, green, blue: x and y.
constexpr std::array kSrgb{0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
constexpr double kSrgbGamma = 0.45455;

bool near(double a, double b) { return std::abs(a - b) < 0.01; }

} // namespace

std::string profile_of_chunks(const Metadata& metadata, bool grey) {
    const auto* gamma = find(metadata, "gAMA");
    if (!gamma || gamma->size() < 4 || find(metadata, "sRGB") || find(metadata, "cICP")) return {};
    const double exponent = number(*gamma, 0);
    auto points = kSrgb;
    if (const auto* primaries = find(metadata, "cHRM"); primaries && primaries->size() >= 32 && !grey)
        for (std::size_t i = 0; i < points.size(); ++i) points[i] = number(*primaries, i);
    const bool as_srgb = near(exponent, kSrgbGamma) && std::ranges::equal(points, kSrgb, near);
    if (as_srgb || exponent <= 0 || points[1] <= 0) return {};
    const cmsCIExyY white{points[0], points[1], 1};
    const cmsCIExyYTRIPLE colours{
        {points[2], points[3], 1}, {points[4], points[5], 1}, {points[6], points[7], 1}};
    // 0.45455 is written by programs for sRGB, so that only the primaries differ.
    const std::array<cmsFloat64Number, 5> srgb_curve{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    auto* curve = near(exponent, kSrgbGamma) ? cmsBuildParametricToneCurve(nullptr, 4, srgb_curve.data())
                                             : cmsBuildGamma(nullptr, 1 / exponent);
    cmsToneCurve* curves[] = {curve, curve, curve};
    auto* profile = grey ? cmsCreateGrayProfile(&white, curve)
                         : cmsCreateRGBProfile(&white, &colours, curves);
    cmsFreeToneCurve(curve);
    return profile ? icc_bytes(profile) : std::string(); // collinear primaries give no profile
}

std::string unknown_coding(const Metadata& metadata) {
    const auto* coding = find(metadata, "cICP");
    if (!coding || coding->size() < 2) return {};
    const int primaries = static_cast<unsigned char>((*coding)[0]),
              curve = static_cast<unsigned char>((*coding)[1]);
    if (primaries == 1 && curve == 13) return {}; // sRGB by ITU-T H.273
    return "its colours (cICP: primaries " + std::to_string(primaries) + ", curve " + std::to_string(curve) +
           ") are treated as sRGB";
}

void drop_colour_chunks(Metadata& metadata) {
    constexpr std::array<std::string_view, 4> kColour{"gAMA", "cHRM", "sRGB", "cICP"};
    std::erase_if(metadata.chunks,
                  [&](const auto& chunk) { return std::ranges::find(kColour, chunk.type) != kColour.end(); });
}

} // namespace kg::io
