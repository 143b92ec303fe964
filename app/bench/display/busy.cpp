#include "app/bench/display/busy.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr double kMicroseconds = 2000;
constexpr Extent kView{2048, 2048};

} // namespace

void BusyDrawing::calibrate(const display::PassImage& image) {
    constexpr int kRuns = 8;
    draw(image, 1);
    screen_.finish_drawing();
    const auto began = BenchClock::now();
    draw(image, kRuns);
    screen_.finish_drawing();
    const auto each = std::max(microseconds_since(began) / kRuns, 1.0);
    times_ = std::clamp(static_cast<int>(kMicroseconds / each), 1, 200);
}

void BusyDrawing::queue(const display::PassImage& image) {
    screen_.queue_timed([&] { draw(image, times_); });
}

void BusyDrawing::draw(const display::PassImage& image, int times) {
    display::PassSettings settings;
    for (int i = 0; i < times; ++i) {
        settings.view.origin.x = -(shift_ = 1 - shift_); // an unchanged image would not be drawn again
        pass_.draw(kView, {}, image, settings);
    }
}

} // namespace kg
