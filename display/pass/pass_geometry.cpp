#include "display/pass/pass_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace kg::display {

double texels_per_pixel(const PassImage& image, const ViewTransform& view) {
    return 1 / (view.zoom * image.reduction);
}

double first_edge(const PassImage& image) { return 0.5 - 0.5 / image.reduction; }

double last_edge(const PassImage& image, std::int64_t pixels) {
    return first_edge(image) + static_cast<double>(pixels) / image.reduction;
}

Range drawn_range(const PassImage& image, std::int64_t pixels, double origin, double step) {
    const Range own{first_edge(image), last_edge(image, pixels)};
    if (own.end - own.begin >= step) return own;
    const double middle = origin + (own.end - own.begin) / 2 / step;
    const double begin = own.begin + (std::floor(middle) - origin) * step;
    return {std::min(own.begin, begin), std::max(own.end, begin + step)};
}

std::array<float, 4> texels_there(const PassImage& image, double step) {
    const auto width = static_cast<double>(image.texture_size.width),
               height = static_cast<double>(image.texture_size.height);
    constexpr double kBeyond = 1; // the last texel also covers the rest of the image behind its square
    if (image.part.empty())
        return {0, 0, static_cast<float>(width + kBeyond), static_cast<float>(height + kBeyond)};
    const double rim = step > 1 ? kPartRim * step : 0;
    const auto low = [&](std::int64_t begin) {
        const double texel = std::ceil(static_cast<double>(begin) / image.reduction);
        return static_cast<float>(begin > 0 ? texel + rim : 0);
    };
    const auto high = [&](std::int64_t end, std::int64_t length, double texels) {
        const double texel = std::ceil(static_cast<double>(end) / image.reduction);
        return static_cast<float>(end < length ? texel - rim : texels + kBeyond);
    };
    return {low(image.part.x), low(image.part.y), high(image.part.right(), image.size.width, width),
            high(image.part.bottom(), image.size.height, height)};
}

double grid_opacity(const PassImage& image, const PassSettings& settings) {
    if (!settings.pixel_grid) return 0;
    const double texel = 1 / texels_per_pixel(image, settings.view);
    return std::clamp((texel - kGridFrom) / (kGridFull - kGridFrom), 0.0, 1.0);
}

int last_level(double step) { return std::max(static_cast<int>(std::ceil(std::log2(step))) - 1, 0); }

} // namespace kg::display
