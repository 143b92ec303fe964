// A result that is there already, to a texture: with nothing else to draw; with OpenGL busy, because a mapping waits for
// all drawing before it; and of another size every time, which needs a new texture.

#include "app/bench/display/busy.hpp"
#include "app/bench/display/trial.hpp"

#include <array>

namespace kg {

namespace {

using namespace display;

class HandOffTrial final : public Trial {
public:
    HandOffTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), busy_(row.mode == "busy"), resized_(row.mode == "resized"),
          interop_(row.way == "interop"),
          // a row more than is shown: the two pictures are one, a row apart
          picture_(screen.picture({row.size.width, row.size.height + 1}, row.format)),
          image_(screen.route(row.way)), in_the_way_(screen) {}

    void begin() override {
        const auto both = screen_.on_engine(picture_);
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            pixels_[i] = both.crop(part(i));
            pixels_[i].covers = {0, 0, part(i).width, part(i).height};
        }
        hand_over();
        if (busy_) in_the_way_.calibrate(display_pass_image(image_));
    }

    void step(Samples& samples) override {
        screen_.finish_drawing();
        if (busy_) in_the_way_.queue(display_pass_image(image_));
        const auto began = BenchClock::now();
        hand_over();
        if (!busy_) screen_.queue_timed([this] { draw_a_little(); });
        screen_.finish_drawing();
        const auto shown = microseconds_since(began);
        const auto times = times_of(screen_, image_);
        if (!busy_) samples.add("shown", shown);
        if (const auto us = gl_time_of(image_); us > 0) samples.add("hand_off_gl", us);
        if (const auto us = screen_.finish_timed(); us > 0) samples.add(busy_ ? "busy" : "first_draw", us);
        samples.add("hand_off", times.device_us);
        samples.add("hand_off_submit", times.submit_us);
        if (interop_) {
            for (const auto& part : times.device_parts) samples.add(part.name, part.microseconds);
            for (const auto& part : times.submit_parts) samples.add(part.name + "_submit", part.microseconds);
        }
    }

    std::string wrong() override {
        screen_.finish_drawing();
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
        wait_until_shown(screen_, image_, serial, interop_);
    }

    /// Whoever waits for the pixels with the first use of them, waits here.
    void draw_a_little() { little_.draw({16, 16}, {}, display_pass_image(image_), {}); }

    Screen& screen_;
    bool busy_, resized_, interop_;
    const Image& picture_;
    std::array<BufferView, 2> pixels_;
    DisplayImage image_;
    BusyDrawing in_the_way_;
    ImagePass little_;
    std::size_t latest_ = 1;
};

} // namespace

std::unique_ptr<Trial> make_hand_off_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<HandOffTrial>(screen, row);
}

} // namespace kg
