#pragma once
// Drawing that is in the way.

#include "app/bench/display/trial.hpp"

namespace kg {

/// About two milliseconds of OpenGL's time.
class BusyDrawing {
public:
    explicit BusyDrawing(Screen& screen) : screen_(screen) {}
    /// Finds out how much that is, of this picture.
    void calibrate(const display::PassImage& image);
    /// Queues it, to be timed.
    void queue(const display::PassImage& image);

private:
    void draw(const display::PassImage& image, int times);

    Screen& screen_;
    display::ImagePass pass_;
    int times_ = 1;
    double shift_ = 0;
};

} // namespace kg
