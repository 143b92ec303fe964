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
    auto zoom = std::min(view_width / width, view_height / height);
    if (zoom > 1) zoom = std::floor(zoom);
    zoom = std::clamp(zoom, kMinZoom, kMaxZoom);
    return ViewTransform{zoom, {(view_width - width * zoom) / 2, (view_height - height * zoom) / 2}}
        .snapped();
}

ViewTransform ViewTransform::actual(Point centre, Extent view) {
    return ViewTransform{
        1, {static_cast<double>(view.width) / 2 - centre.x, static_cast<double>(view.height) / 2 - centre.y}}
        .snapped();
}

ViewTransform ViewTransform::zoomed_at(Point cursor, double factor) const {
    const auto held = to_image(cursor);
    const auto next = std::clamp(zoom * factor, kMinZoom, kMaxZoom);
    return {next, {cursor.x - held.x * next, cursor.y - held.y * next}};
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
