#pragma once
// Position of an image on the screen. All screen positions are framebuffer pixels from the view's top left
// corner, all image positions are pixels from the image's top left corner (the centre of pixel (0, 0) is at
// 0.5, 0.5).

#include "core/image/geometry.hpp"

namespace kg::display {

struct Point {
    double x = 0, y = 0;
    constexpr bool operator==(const Point&) const = default;
};

struct ViewTransform {
    static constexpr double kMinZoom = 1.0 / 256, kMaxZoom = 256;

    double zoom = 1; ///< framebuffer pixels per image pixel
    Point origin;    ///< position of the image's top left corner

    constexpr Point to_image(Point screen) const {
        return {(screen.x - origin.x) / zoom, (screen.y - origin.y) / zoom};
    }
    constexpr Point to_screen(Point image) const {
        return {image.x * zoom + origin.x, image.y * zoom + origin.y};
    }

    /// The whole image, centred, as large as the view allows.
    static ViewTransform fit(Extent image, Extent view);
    /// One image pixel per framebuffer pixel, the image's point `centre` in the middle of the view.
    static ViewTransform actual(Point centre, Extent view);

    /// Zooms about `cursor` to `wanted`, within the limits of the zoom.
    ViewTransform zoomed_to(Point cursor, double wanted) const;
    /// The zoom after so many steps in or out: 100 %, 150 %, 200 %, 300 %, 400 % and so on, and 75 %, 50 %,
    /// 37.5 % below. From between two steps the first leads to the next one. Parts of a step, as touchpads
    /// send them, lie between.
    double zoom_after(double steps) const;
    ViewTransform panned(double dx, double dy) const { return {zoom, {origin.x + dx, origin.y + dy}}; }
    /// Moved just enough that at least `margin` framebuffer pixels of the image stay in view.
    ViewTransform kept_in_view(Extent image, Extent view, double margin = 48) const;
    /// Keeps the image's point in the middle after the view has changed its size.
    ViewTransform resized(Extent before, Extent after) const;
    /// Moved by less than a framebuffer pixel so that the image's corner lies on one: 100 % is then exact.
    ViewTransform snapped() const;

    constexpr bool operator==(const ViewTransform&) const = default;
};

} // namespace kg::display
