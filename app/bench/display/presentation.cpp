// Presents a finished result to a texture: alone; with OpenGL busy, because a mapping waits for all earlier
// drawing; and with another size every time, which needs a new texture.

#include "app/bench/display/busy.hpp"
#include "app/bench/display/trial.hpp"

#include <array>

namespace kg {

namespace {

using namespace display;

class PresentationTrial final : public Trial {
public:
    PresentationTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), busy_(row.mode == "busy"), resized_(row.mode == "resized"),
          interop_(row.path == "interop"),
          // one row more than is shown: the two images are views of one buffer, a row apart
          source_(screen.image({row.size.width, row.size.height + 1}, row.format)),
          image_(screen.route(row.path)), competing_(screen) {}

    void begin() override {
        const auto both = screen_.on_engine(source_);
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            pixels_[i] = both.crop(rect(i));
            pixels_[i].covers = {0, 0, rect(i).width, rect(i).height};
        }
        present();
        if (busy_) competing_.calibrate(display_pass_image(image_));
    }

    void step(Samples& samples) override {
        screen_.finish_drawing();
        if (busy_) competing_.queue(display_pass_image(image_));
        const auto began = BenchClock::now();
        present();
        if (!busy_) screen_.queue_timed([this] { draw_a_little(); });
        screen_.finish_drawing();
        const auto shown = microseconds_since(began);
        const auto times = times_of(screen_, image_);
        if (!busy_) samples.add("shown", shown);
        if (const auto us = gl_time_of(image_); us > 0) samples.add("presentation_gl", us);
        if (const auto us = screen_.finish_timed(); us > 0) samples.add(busy_ ? "busy" : "first_draw", us);
        samples.add("presentation", times.device_us);
        samples.add("presentation_submit", times.submit_us);
        if (interop_) {
            for (const auto& part : times.device_parts) samples.add(part.name, part.microseconds);
            for (const auto& part : times.submit_parts) samples.add(part.name + "_submit", part.microseconds);
        }
    }

    std::string wrong() override {
        screen_.finish_drawing();
        return difference(screen_, image_, source_.view().crop(rect(latest_)));
    }

private:
    Rect rect(std::size_t i) const {
        const auto down = static_cast<std::int64_t>(i);
        return {0, down, source_.size().width, source_.size().height - 1 - (resized_ ? down : 0)};
    }

    void present() {
        latest_ = 1 - latest_;
        const auto serial = screen_.next_serial();
        image_.present({screen_.engine(), pixels_[latest_], {}, serial});
        wait_until_shown(screen_, image_, serial, interop_);
    }

    /// A small first drawing of the texture, which includes a wait for the pixels.
    void draw_a_little() { little_.draw({16, 16}, {}, display_pass_image(image_), {}); }

    Screen& screen_;
    bool busy_, resized_, interop_;
    const Image& source_;
    std::array<BufferView, 2> pixels_;
    DisplayImage image_;
    BusyDrawing competing_;
    ImagePass little_;
    std::size_t latest_ = 1;
};

} // namespace

std::unique_ptr<Trial> make_presentation_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<PresentationTrial>(screen, row);
}

} // namespace kg
