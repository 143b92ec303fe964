#pragma once
// Trials of the presentation path, one row each: a trial repeats a step and verifies the pixels.

#include "app/bench/display_report.hpp"
#include "app/bench/timeout.hpp"
#include "core/support/elapsed.hpp"
#include "display/display_image.hpp"
#include "display/draw_timer.hpp"
#include "display/egl_device.hpp"
#include "display/pass/image_pass.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

using BenchClock = std::chrono::steady_clock;

/// Timings by name, in insertion order.
class Samples {
public:
    void add(std::string_view figure, double us);
    std::vector<DisplayFigure> figures() const;
    /// The fraction of a figure's samples that are at most `us`.
    double fraction_within(std::string_view figure, double us) const;

private:
    std::vector<std::pair<std::string, std::vector<double>>> all_;
};

/// OpenGL without a window, and the state shared by trials.
class Screen {
public:
    explicit Screen(std::shared_ptr<Engine> engine, Timeout timeout = {});

    const std::shared_ptr<Engine>& engine() const { return engine_; }
    const display::EglDevice& egl() const { return egl_; }
    /// Null where CUDA cannot write OpenGL textures; no_interop() returns the reason.
    const std::shared_ptr<display::DisplayRoute>& interop() const { return interop_; }
    const std::shared_ptr<display::DisplayRoute>& host() const { return host_; }
    const std::string& no_interop() const { return no_interop_; }
    Extent view() const { return view_; }
    std::shared_ptr<display::DisplayRoute> route(std::string_view path) const {
        return path == "interop" ? interop_ : host_;
    }
    display::ImagePass& pass() { return pass_; }
    std::uint64_t next_serial() { return ++serial_; }
    const Timeout& timeout() const { return timeout_; }
    /// Noise, regenerated only for another size or format.
    const Image& image(Extent size, const PixelFormat& format);
    /// A copy of it on the engine.
    BufferView on_engine(const Image& image);
    /// Pixels of a view without pending writes.
    Image from_engine(const BufferView& pixels);
    /// Returns when all drawing so far is done.
    void finish_drawing() const;
    /// Texels of a texture without pending writes: RGBA.
    Image texels_of(GLuint texture, Extent size, Depth depth) const;

    /// Runs `draw` and times it.
    template <typename Draw>
    void queue_timed(Draw draw) {
        timer_.time(next_serial(), draw);
    }
    /// Waits for OpenGL, and returns the GPU time of the latest timed drawing; 0 where OpenGL has no timer.
    double finish_timed();

private:
    Timeout timeout_;
    display::EglDevice egl_; // first: the others live in its context
    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_; ///< copies to and from the engine
    std::shared_ptr<display::DisplayRoute> interop_, host_;
    std::string no_interop_;
    Extent view_{1920, 1080};
    display::ImagePass pass_;
    display::DrawTimer timer_;
    Image image_;
    std::uint64_t serial_ = 0;
};

/// Steps and verifications throw Stuck where something they wait for never ends; the trial must then be
/// abandoned.
class Trial {
public:
    virtual ~Trial() = default;
    /// Called once, first: setup that has to be waited for.
    virtual void begin() {}
    virtual void step(Samples& samples) = 0;
    /// Why the pixels of the last step are wrong; empty if they are right.
    virtual std::string wrong() = 0;
    virtual std::string algorithm() const { return {}; }
};

std::unique_ptr<Trial> make_presentation_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_write_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_draw_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_drag_trial(Screen& screen, const DisplayRow& row);

/// Polls until the serial is shown. Throws Error if the result took another presentation path, Stuck if it
/// never arrives.
void wait_until_shown(const Screen& screen, display::DisplayImage& image, std::uint64_t serial, bool interop);
/// Times of the latest presentation; waits for them.
display::PresentationTimes times_of(const Screen& screen, display::DisplayImage& image);
/// OpenGL's time for it, after finish_drawing(); 0 where OpenGL has no timer.
double gl_time_of(display::DisplayImage& image);
/// The image as input of the image pass.
display::PassImage display_pass_image(const display::DisplayImage& image);
/// Difference between a texture and the image (3 or 4 channels; white = 1 for floats), with a missing alpha
/// of 1. Empty if there is none.
std::string texture_difference(const Screen& screen, GLuint texture, const ConstImageView& pixels);
/// Difference between the texture and the image (4 channels), or between the drawn pixels and the image where
/// that is well defined: 8 bits, no alpha. Empty if there is none.
std::string difference(Screen& screen, const display::DisplayImage& image, const ConstImageView& pixels);

} // namespace kg
