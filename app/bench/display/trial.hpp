#pragma once
// What is measured about the way to the screen, one row at a time: a trial takes a step again and again, and says whether
// the pixels are right.

#include "app/bench/patience.hpp"
#include "app/bench/display_report.hpp"
#include "core/support/elapsed.hpp"
#include "display/display_image.hpp"
#include "display/draw_timer.hpp"
#include "display/egl_device.hpp"
#include "display/image_pass.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

using BenchClock = std::chrono::steady_clock;

/// Timings by name, in the order in which the names came.
class Samples {
public:
    void add(std::string_view figure, double us);
    std::vector<DisplayFigure> figures() const;
    /// The part of a figure's samples that are no larger than `us`.
    double part_within(std::string_view figure, double us) const;

private:
    std::vector<std::pair<std::string, std::vector<double>>> all_;
};

/// OpenGL without a window, and all that trials share in it.
class Screen {
public:
    explicit Screen(std::shared_ptr<Engine> engine, Patience patience = {});

    const std::shared_ptr<Engine>& engine() const { return engine_; }
    const display::EglDevice& egl() const { return egl_; }
    /// Null where CUDA does not write OpenGL's textures: no_interop() says why.
    const std::shared_ptr<display::DisplayRoute>& interop() const { return interop_; }
    const std::shared_ptr<display::DisplayRoute>& host() const { return host_; }
    const std::string& no_interop() const { return no_interop_; }
    Extent view() const { return view_; }
    std::shared_ptr<display::DisplayRoute> route(std::string_view way) const {
        return way == "interop" ? interop_ : host_;
    }
    display::ImagePass& pass() { return pass_; }
    std::uint64_t next_serial() { return ++serial_; }
    const Patience& patience() const { return patience_; }
    /// Noise, made anew only for another size or format.
    const Image& picture(Extent size, const PixelFormat& format);
    /// A copy of it on the engine.
    BufferView on_engine(const Image& picture);
    /// The pixels of a view that nothing writes any more.
    Image from_engine(const BufferView& pixels);
    /// Returns when all that was drawn so far is done.
    void finish_drawing() const;
    /// The texels of a texture that nothing writes any more: RGBA.
    Image texels_of(GLuint texture, Extent size, Depth depth) const;

    /// Draws, to be timed.
    template <typename Draw>
    void queue_timed(Draw draw) {
        timer_.time(next_serial(), draw);
    }
    /// Waits for OpenGL, and returns its own time for what was queued last to be timed; 0 where it has none.
    double finish_timed();

private:
    Patience patience_;
    display::EglDevice egl_; // first: the others live in its context
    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_; ///< of copies to and from the engine
    std::shared_ptr<display::DisplayRoute> interop_, host_;
    std::string no_interop_;
    Extent view_{1920, 1080};
    display::ImagePass pass_;
    display::DrawTimer timer_;
    Image picture_;
    std::uint64_t serial_ = 0;
};

/// Steps and proofs throw Stuck where something they wait for does not come to an end; then it is to be abandoned.
class Trial {
public:
    virtual ~Trial() = default;
    /// Once, before all else: what has to be waited for.
    virtual void begin() {}
    virtual void step(Samples& samples) = 0;
    /// Why the pixels of the last step are not right; empty = they are.
    virtual std::string wrong() = 0;
    virtual std::string algorithm() const { return {}; }
};

std::unique_ptr<Trial> make_hand_off_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_write_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_draw_trial(Screen& screen, const DisplayRow& row);
std::unique_ptr<Trial> make_drag_trial(Screen& screen, const DisplayRow& row);

/// Polls until the serial is shown. Throws Error if the result took another way than it should, Stuck if it does not come.
void wait_until_shown(const Screen& screen, display::DisplayImage& image, std::uint64_t serial, bool interop);
/// The times of the latest hand-off, waited for.
display::HandOffTimes times_of(const Screen& screen, display::DisplayImage& image);
/// What OpenGL's clock says of it, after finish_drawing(); 0 where it has none.
double gl_time_of(display::DisplayImage& image);
/// As the image pass wants it.
display::PassImage display_pass_image(const display::DisplayImage& image);
/// How a texture differs from the picture (3 or 4 channels, white = 1 where floats), whose missing coverage is 1. Empty = not
/// at all.
std::string texture_difference(const Screen& screen, GLuint texture, const ConstImageView& picture);
/// How the texture differs from the picture (4 channels), or what is drawn of it, where that can
/// be said: 8 bits, no coverage. Empty = not at all.
std::string difference(Screen& screen, const display::DisplayImage& image, const ConstImageView& picture);

} // namespace kg
