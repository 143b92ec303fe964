// A result that is there already, to a texture: with nothing else to draw; with OpenGL busy, because a mapping waits for
// all drawing before it; and of another size every time, which needs a new texture.

#include "app/bench/display/trial.hpp"
#include "display/read_back.hpp"

#include <algorithm>
#include <array>

namespace kg {

namespace {

using namespace display;

constexpr double kBusyMicroseconds = 2000; // about so much drawing is in the way
constexpr Extent kBusyView{2048, 2048};

class HandOffTrial final : public Trial {
public:
    HandOffTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), busy_(row.mode == "busy"), resized_(row.mode == "resized"),
          interop_(row.way == "interop"),
          // a row more than is shown: the two pictures are one, a row apart
          picture_(screen.picture({row.size.width, row.size.height + 1}, row.format)),
          image_(screen.route(row.way)) {
        const auto both = screen.on_engine(picture_);
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            pixels_[i] = both.crop(part(i));
            pixels_[i].covers = {0, 0, part(i).width, part(i).height};
        }
        hand_over();
        if (busy_) draws_ = calibrate();
    }

    void step(Samples& samples) override {
        finish_drawing();
        if (busy_) screen_.queue_timed([&] { draw(draws_); });
        const auto began = BenchClock::now();
        hand_over();
        finish_drawing();
        const auto shown = microseconds_since(began);
        const auto times = times_of(image_);
        if (!busy_) samples.add("shown", shown);
        samples.add("hand_off", times.device_us);
        samples.add("hand_off_submit", times.submit_us);
        if (interop_) {
            for (const auto& part : times.device_parts) samples.add(part.name, part.microseconds);
            for (const auto& part : times.submit_parts) samples.add(part.name + "_submit", part.microseconds);
        }
        if (busy_)
            if (const auto us = screen_.finish_timed(); us > 0) samples.add("busy", us);
    }

    std::string wrong() override {
        finish_drawing();
        return difference(screen_, image_, picture_.view().crop(part(latest_)));
    }

private:
    Rect part(std::size_t i) const {
        const auto down = static_cast<std::int64_t>(i);
        return {0, down, picture_.size().width, picture_.size().height - 1 - (resized_ ? down : 0)};
    }

    void hand_over() {
        latest_ = 1 - latest_;
        const auto serial = screen_.next_serial();
        image_.present({screen_.engine(), pixels_[latest_], {}, serial});
        wait_until_shown(image_, serial, interop_);
    }

    void draw(int times) {
        PassSettings settings;
        for (int i = 0; i < times; ++i) {
            settings.view.origin.x = -(shift_ = 1 - shift_); // the same again would not be drawn
            busy_pass_.draw(kBusyView, {}, display_pass_image(image_), settings);
        }
    }

    int calibrate() {
        constexpr int kTries = 8;
        draw(1);
        finish_drawing();
        const auto began = BenchClock::now();
        draw(kTries);
        finish_drawing();
        const auto each = std::max(microseconds_since(began) / kTries, 1.0);
        return std::clamp(static_cast<int>(kBusyMicroseconds / each), 1, 200);
    }

    Screen& screen_;
    bool busy_, resized_, interop_;
    const Image& picture_;
    std::array<BufferView, 2> pixels_;
    DisplayImage image_;
    ImagePass busy_pass_;
    std::size_t latest_ = 1;
    int draws_ = 0;
    double shift_ = 0;
};

} // namespace

std::unique_ptr<Trial> make_hand_off_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<HandOffTrial>(screen, row);
}

} // namespace kg
