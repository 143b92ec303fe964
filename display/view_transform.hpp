#pragma once
// Where a picture lies on the screen. All screen positions are framebuffer pixels from the view's top left corner, all
// picture positions are pixels from the picture's top left corner (the centre of pixel (0, 0) is at 0.5, 0.5).

#include "core/image/geometry.hpp"

namespace kg::display {

struct Point {
    double x = 0, y = 0;
    constexpr bool operator==(const Point&) const = default;
};

struct ViewTransform {
    static constexpr double kMinZoom = 1.0 / 256, kMaxZoom = 256;

    double zoom = 1; ///< framebuffer pixels per picture pixel
    Point origin;    ///< where the picture's top left corner is

    constexpr Point to_picture(Point screen) const {
        return {(screen.x - origin.x) / zoom, (screen.y - origin.y) / zoom};
    }
    constexpr Point to_screen(Point picture) const {
        return {picture.x * zoom + origin.x, picture.y * zoom + origin.y};
    }

    /// The whole picture, centred; magnified only by whole numbers, so that all its pixels are equally large.
    static ViewTransform fit(Extent picture, Extent view);
    /// One picture pixel per framebuffer pixel, the picture's point `centre` in the middle of the view.
    static ViewTransform actual(Point centre, Extent view);

    /// What is under `cursor` stays there. The zoom stays within limits.
    ViewTransform zoomed_at(Point cursor, double factor) const;
    ViewTransform panned(double dx, double dy) const { return {zoom, {origin.x + dx, origin.y + dy}}; }
    /// Moved just enough that at least `margin` framebuffer pixels of the picture stay in view.
    ViewTransform kept_in_view(Extent picture, Extent view, double margin = 48) const;
    /// The same part of the picture in the middle after the view has changed its size.
    ViewTransform resized(Extent before, Extent after) const;
    /// Moved by less than a framebuffer pixel so that the picture's corner lies on one: 100 % is then exact.
    ViewTransform snapped() const;

    constexpr bool operator==(const ViewTransform&) const = default;
};

} // namespace kg::display
