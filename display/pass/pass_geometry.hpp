#pragma once
// The position of an image's texels in the view, shared by the shaders and the processor's loops.

#include "display/pass/pass_settings.hpp"

#include <array>

namespace kg::display {

/// Texels from one framebuffer pixel to the next.
double texels_per_pixel(const PassImage& image, const ViewTransform& view);

/// Position in texels where the image begins in its first texel: a texel that represents n pixels is drawn as
/// a square of n around its pixel's centre, part of which lies outside the image at the rim.
double first_edge(const PassImage& image);

/// Position in texels where `pixels` columns or rows of the image end.
double last_edge(const PassImage& image, std::int64_t pixels);

struct Range {
    double begin = 0, end = 0;
};

/// Positions in texels between which `pixels` columns or rows of the image are drawn, with the image's edge
/// at framebuffer position `origin`. An image that is thinner than a framebuffer pixel also covers the one in
/// which its middle lies: else it would be invisible where it misses every pixel's centre.
Range drawn_range(const PassImage& image, std::int64_t pixels, double origin, double step);

/// The texels that may be shown: left, top, right, bottom. The image's own end is not considered here.
std::array<float, 4> texels_there(const PassImage& image, double step);

/// The opacity of the pixel grid, from 0 (none).
double grid_opacity(const PassImage& image, const PassSettings& settings);

/// Whether an image is averaged for the view, and its last halved size that is needed for that.
int last_level(double step);

} // namespace kg::display
