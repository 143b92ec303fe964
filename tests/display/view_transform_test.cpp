// Position of the image on the screen; needs no OpenGL.

#include "display/view_transform.hpp"

#include <gtest/gtest.h>

namespace {

using kg::Extent;
using kg::display::Point;
using kg::display::ViewTransform;

void expect_near(Point a, Point b, double tolerance = 1e-9) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
}

TEST(ViewTransform, ScreenAndImageAreInverse) {
    const ViewTransform view{2.5, {-31.25, 17}};
    expect_near(view.to_screen(view.to_image({123, 456})), {123, 456});
    expect_near(view.to_image({-31.25, 17}), {0, 0});
}

TEST(ViewTransform, FitShowsAllOfTheLongerSideAndCentres) {
    const auto view = ViewTransform::fit({4000, 1000}, {800, 600});
    EXPECT_DOUBLE_EQ(view.zoom, 0.2);
    EXPECT_EQ(view.origin, (Point{0, 200}));
}

TEST(ViewTransform, FitFillsTheViewAtAnyFactor) {
    const auto view = ViewTransform::fit({100, 30}, {799, 600});
    EXPECT_DOUBLE_EQ(view.zoom, 7.99);
    EXPECT_EQ(view.origin, (Point{0, 180})); // (600 - 30 * 7.99) / 2 = 180.15
    EXPECT_DOUBLE_EQ(ViewTransform::fit({500, 500}, {704, 700}).zoom, 1.4) << "between 100 and 200 %";
}

TEST(ViewTransform, ZoomStepsMeetRoundFactors) {
    const auto after = [](double zoom, double steps) { return ViewTransform{zoom, {}}.zoom_after(steps); };
    double zoom = 1;
    for (const auto next : {1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
        EXPECT_DOUBLE_EQ(after(zoom, 1), next);
        EXPECT_DOUBLE_EQ(after(next, -1), zoom);
        zoom = next;
    }
    EXPECT_DOUBLE_EQ(after(1, -1), 0.75);
    EXPECT_DOUBLE_EQ(after(0.75, -1), 0.5);
    EXPECT_DOUBLE_EQ(after(1.4, 1), 1.5) << "from between two steps to the next";
    EXPECT_DOUBLE_EQ(after(1.4, -1), 1);
    EXPECT_DOUBLE_EQ(after(1.4, 2), 2);
    EXPECT_DOUBLE_EQ(after(1, 0.5), 1.25) << "part of a step";
    EXPECT_EQ(after(ViewTransform::kMaxZoom, 1), ViewTransform::kMaxZoom);
    EXPECT_EQ(after(ViewTransform::kMinZoom, -1), ViewTransform::kMinZoom);
}

TEST(ViewTransform, FitOfNothingIsHarmless) {
    EXPECT_EQ(ViewTransform::fit({0, 0}, {10, 10}), ViewTransform{});
    EXPECT_EQ(ViewTransform::fit({10, 10}, {0, 0}), ViewTransform{});
}

TEST(ViewTransform, ActualSizeIsExactlyOnFramebufferPixels) {
    const auto view = ViewTransform::actual({10.5, 20.5}, {801, 600});
    EXPECT_EQ(view.zoom, 1);
    EXPECT_EQ(view.origin, (Point{390, 280})); // 400.5 - 10.5, and 300 - 20.5 rounded away from zero
}

TEST(ViewTransform, ZoomKeepsWhatIsUnderTheCursor) {
    auto view = ViewTransform::fit({4000, 3000}, {704, 696});
    const Point cursor{100, 650};
    const auto held = view.to_image(cursor);
    for (int i = 0; i < 40; ++i) view = view.zoomed_to(cursor, 1.1 * view.zoom);
    expect_near(view.to_image(cursor), held, 1e-6);
}

TEST(ViewTransform, ZoomStaysWithinItsLimits) {
    ViewTransform view;
    EXPECT_EQ(view.zoomed_to({5, 5}, 1e9).zoom, ViewTransform::kMaxZoom);
    EXPECT_EQ(view.zoomed_to({5, 5}, 1e-9).zoom, ViewTransform::kMinZoom);
}

TEST(ViewTransform, ImageCannotBeLost) {
    const Extent image{100, 50}, view_size{400, 300};
    const ViewTransform view{2, {0, 0}};
    EXPECT_EQ(view.panned(-9999, -9999).kept_in_view(image, view_size).origin, (Point{48 - 200, 48 - 100}));
    EXPECT_EQ(view.panned(9999, 9999).kept_in_view(image, view_size).origin, (Point{400 - 48, 300 - 48}));
    EXPECT_EQ(view.panned(7, 9).kept_in_view(image, view_size).origin, (Point{7, 9}));
}

TEST(ViewTransform, ResizingTheViewKeepsItsMiddle) {
    const ViewTransform view{3, {12, -40}};
    const auto after = view.resized({640, 480}, {900, 500});
    expect_near(after.to_image({450, 250}), view.to_image({320, 240}));
}

} // namespace
