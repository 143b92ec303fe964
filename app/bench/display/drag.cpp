// A slider's drag: every step has new weights, so every step needs a plan, the filter, a presentation and a
// drawing. The window adds its event loop and its other panels.

#include "app/bench/display/trial.hpp"
#include "app/bench/sweep.hpp"
#include "core/plan/planner.hpp"
#include "measure/verify.hpp"

#include <array>
#include <thread>

namespace kg {

namespace {

using namespace display;

// Verifies some rectangles of the image in a fraction of a second.
constexpr double kVerificationProducts = 2e7;

class DragTrial final : public Trial {
public:
    DragTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), interop_(row.path == "interop"), paced_(row.mode == "paced"), kernel_(row.kernel),
          pixels_(screen.image(row.size, row.format)), request_(request_for({}, row.size, row.format)),
          queue_(screen.engine()->queue(Priority::high)), image_(screen.route(row.path)) {
        for (auto& output : outputs_)
            output = allocate_view(*screen.engine(), request_.out, whole(request_.size));
        settings_.view = ViewTransform::fit(row.size, screen.view());
    }

    void begin() override { source_ = screen_.on_engine(pixels_); }

    void step(Samples& samples) override {
        const auto serial = screen_.next_serial();
        const auto stage = dense_stage(kernel_, static_cast<unsigned>(serial));
        latest_ = 1 - latest_;
        const std::array items{Item{source_, outputs_[latest_]}};
        screen_.finish_drawing();
        if (paced_) wait_for_frame();

        const auto began = BenchClock::now();
        request_.stages = {stage};
        plan_ = plan(*screen_.engine(), request_);
        const auto planned = BenchClock::now();
        queue_->mark("filter");
        queue_->run(plan_, items);
        const auto ready = queue_->fence();
        const auto queued = BenchClock::now();
        image_.present({screen_.engine(), items.front().dst, ready, serial});
        wait_until_shown(screen_, image_, serial, interop_);
        const auto shown = BenchClock::now();
        screen_.queue_timed(
            [&] { screen_.pass().draw(screen_.view(), {}, display_pass_image(image_), settings_); });
        screen_.finish_drawing();
        const auto pixels_us = microseconds_since(began);

        double filter_us = 0;
        for (const auto& span : ready.report().spans) filter_us += span.microseconds;
        const auto times = times_of(screen_, image_);
        samples.add("pixels", pixels_us);
        samples.add("queued", microseconds_between(began, shown));
        samples.add("plan", microseconds_between(began, planned));
        samples.add("filter_submit", microseconds_between(planned, queued));
        samples.add("filter", filter_us);
        samples.add("presentation", times.device_us);
        samples.add("presentation_submit", times.submit_us);
        if (const auto us = gl_time_of(image_); us > 0) samples.add("presentation_gl", us);
        if (interop_) samples.add("gpu", filter_us + times.device_us);
        if (const auto us = screen_.finish_timed(); us > 0) samples.add("draw", us);
    }

    std::string wrong() override {
        const auto result = screen_.from_engine(outputs_[latest_]);
        const auto verification = measure::verify(request_, pixels_.view(), result.view(),
                                                  inexact_algorithm(*screen_.engine(), *plan_),
                                                  kVerificationProducts, screen_.timeout().stop());
        return verification.right() ? difference(screen_, image_, result.view()) : verification.first_wrong;
    }

    std::string algorithm() const override { return plan_ ? plan_->algorithm : std::string(); }

private:
    /// Waits like a window that draws 60 times a second: the device may idle between two steps.
    void wait_for_frame() {
        const auto frame = std::chrono::duration_cast<BenchClock::duration>(
            std::chrono::duration<double, std::micro>(kFrameMicroseconds));
        next_ = std::max(next_ + frame, BenchClock::now());
        std::this_thread::sleep_until(next_);
    }

    Screen& screen_;
    bool interop_, paced_;
    Extent kernel_;
    const Image& pixels_;
    ImageRequest request_;
    BufferView source_;
    std::array<BufferView, 2> outputs_;
    std::unique_ptr<Queue> queue_;
    std::shared_ptr<const Plan> plan_;
    DisplayImage image_;
    PassSettings settings_;
    std::size_t latest_ = 1;
    BenchClock::time_point next_;
};

} // namespace

std::unique_ptr<Trial> make_drag_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<DragTrial>(screen, row);
}

} // namespace kg
