#pragma once
// Competing OpenGL work.

#include "app/bench/display/trial.hpp"

namespace kg {

/// About two milliseconds of GPU time in OpenGL.
class BusyDrawing {
public:
    explicit BusyDrawing(Screen& screen) : screen_(screen) {}
    /// Measures how many draws of this image take that long.
    void calibrate(const display::PassImage& image);
    /// Queues the draws, timed.
    void queue(const display::PassImage& image);

private:
    void draw(const display::PassImage& image, int times);

    Screen& screen_;
    display::ImagePass pass_;
    int times_ = 1;
    double shift_ = 0;
};

} // namespace kg
