// Draws a texture into the view, by the pass that draws the window's image.

#include "app/bench/display/trial.hpp"

#include <optional>

namespace kg {

namespace {

using namespace display;

class DrawTrial final : public Trial {
public:
    DrawTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), pixels_(screen.image(row.size, row.format)),
          image_(screen.interop() ? screen.interop() : screen.host()) {
        const Point middle{static_cast<double>(row.size.width) / 2, static_cast<double>(row.size.height) / 2};
        const auto fit = ViewTransform::fit(row.size, screen.view());
        settings_.view = row.mode == "actual" ? ViewTransform::actual(middle, screen.view()).snapped() : fit;
        if (row.mode == "zoom") widest_ = fit.zoom;
    }

    void begin() override {
        const auto serial = screen_.next_serial();
        image_.present({screen_.engine(), screen_.on_engine(pixels_), {}, serial});
        wait_until_shown(screen_, image_, serial, screen_.interop() != nullptr);
    }

    void step(Samples& samples) override {
        auto drawn = display_pass_image(image_);
        if (widest_) zoom(*widest_);
        else drawn.serial = screen_.next_serial(); // as for a new result
        screen_.finish_drawing();
        const auto began = BenchClock::now();
        double submit_us = 0;
        screen_.queue_timed([&] {
            screen_.pass().draw(screen_.view(), {}, drawn, settings_);
            submit_us = microseconds_since(began);
        });
        const auto us = screen_.finish_timed();
        samples.add("drawn", microseconds_since(began));
        samples.add("draw_submit", submit_us);
        if (us > 0) samples.add("draw", us);
    }

    std::string wrong() override { return difference(screen_, image_, pixels_.view()); }

private:
    /// A tenth closer or further about the middle of the view, between the whole image and eight times its
    /// size.
    void zoom(double widest) {
        constexpr double kStep = 1.1, kClosest = 8;
        auto& view = settings_.view;
        if (view.zoom * kStep > kClosest) closer_ = false;
        if (view.zoom / kStep < widest) closer_ = true;
        const auto [width, height] = screen_.view();
        view = view.zoomed_to({static_cast<double>(width) / 2, static_cast<double>(height) / 2},
                              closer_ ? view.zoom * kStep : view.zoom / kStep);
    }

    Screen& screen_;
    const Image& pixels_;
    DisplayImage image_;
    PassSettings settings_;
    std::optional<double> widest_; ///< of mode zoom, in which the image stays the same
    bool closer_ = true;
};

} // namespace

std::unique_ptr<Trial> make_draw_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<DrawTrial>(screen, row);
}

} // namespace kg
