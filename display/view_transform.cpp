#include "display/view_transform.hpp"

#include <algorithm>
#include <cmath>

namespace kg::display {

namespace {

double kept(double origin, double length, double view, double margin) {
    const auto least = std::min({margin, length, view});
    return std::clamp(origin, least - length, view - least);
}

} // namespace

ViewTransform ViewTransform::fit(Extent image, Extent view) {
    if (image.width <= 0 || image.height <= 0 || view.width <= 0 || view.height <= 0) return {};
    const auto width = static_cast<double>(image.width), height = static_cast<double>(image.height);
    const auto view_width = static_cast<double>(view.width), view_height = static_cast<double>(view.height);
    const auto zoom = std::clamp(std::min(view_width / width, view_height / height), kMinZoom, kMaxZoom);
    return ViewTransform{zoom, {(view_width - width * zoom) / 2, (view_height - height * zoom) / 2}}
        .snapped();
}

ViewTransform ViewTransform::actual(Point centre, Extent view) {
    return ViewTransform{
        1, {static_cast<double>(view.width) / 2 - centre.x, static_cast<double>(view.height) / 2 - centre.y}}
        .snapped();
}

ViewTransform ViewTransform::zoomed_to(Point cursor, double wanted) const {
    const auto held = to_image(cursor);
    const auto next = std::clamp(wanted, kMinZoom, kMaxZoom);
    return {next, {cursor.x - held.x * next, cursor.y - held.y * next}};
}

double ViewTransform::zoom_after(double steps) const {
    // Position on the ladder of 2^n and 1.5 * 2^n: whole numbers are its rungs.
    const auto octave = std::floor(std::log2(zoom));
    const auto within = zoom / std::exp2(octave); // 1 to 2
    const auto position = 2 * octave + (within < 1.5 ? (within - 1) / 0.5 : 1 + (within - 1.5) / 0.5);
    auto next = position + steps;
    constexpr double kNear = 1e-6; // a rung that rounding missed
    if (steps >= 1) next = std::floor(next + kNear);
    else if (steps <= -1) next = std::ceil(next - kNear);
    const auto whole = std::floor(next / 2);
    const auto rest = next - 2 * whole; // 0 to 2
    return std::clamp(std::exp2(whole) * (1 + rest / 2), kMinZoom, kMaxZoom);
}

ViewTransform ViewTransform::kept_in_view(Extent image, Extent view, double margin) const {
    return {
        zoom,
        {kept(origin.x, static_cast<double>(image.width) * zoom, static_cast<double>(view.width), margin),
         kept(origin.y, static_cast<double>(image.height) * zoom, static_cast<double>(view.height), margin)}};
}

ViewTransform ViewTransform::resized(Extent before, Extent after) const {
    return panned(static_cast<double>(after.width - before.width) / 2,
                  static_cast<double>(after.height - before.height) / 2);
}

ViewTransform ViewTransform::snapped() const { return {zoom, {std::round(origin.x), std::round(origin.y)}}; }

} // namespace kg::display
