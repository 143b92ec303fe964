#pragma once
// From a result to a texture. The window sees a GL texture, what it holds, and a badge; which of the two ways the pixels
// took (CUDA writes the texture, or host memory in between) shows nowhere else. GL thread only, context current.

#include "display/probe.hpp"
#include "display/two_ways.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::display {

enum class DisplayMode : std::uint8_t { automatic, interop, host };

/// auto, interop or host. Throws Error for other words.
DisplayMode display_mode(std::string_view word);

struct Badge {
    std::string text;        ///< short: "interop", "host upload, shown 1:3"
    std::string explanation; ///< sentences: why this way, what would help, how much is not shown
    bool warning = false;    ///< something a person may want to change
};

/// Which way pictures take in this GL context: probed once, shared by all its images.
class DisplayRoute {
public:
    /// `gpu` is the CUDA engine, or null; the probe runs unless `mode` is host. Throws Unavailable if interop is forced
    /// and cannot be had. `fault` is for tests.
    DisplayRoute(DisplayMode mode, std::shared_ptr<Engine> gpu, std::optional<Fault> fault = {});

    bool interop_for(Engine& engine) const;
    bool has_interop() const { return interop_; }
    /// A hand-off failed after the start: host upload from now on, in all images of this context.
    void fall_back(const Failure& failure);
    const std::optional<Failure>& failure() const { return failure_; }
    /// A sentence for the window, once, after pictures have begun to take the slower way.
    std::optional<std::string> take_news() { return std::exchange(news_, std::nullopt); }
    /// Why a picture of this engine takes the way it takes.
    Badge badge(Engine& engine) const;
    InteropStages& stages() { return stages_; }

private:
    DisplayMode mode_;
    std::shared_ptr<Engine> gpu_;
    InteropStages stages_;
    std::optional<Failure> failure_;
    std::optional<std::string> news_;
    bool interop_ = false, fell_back_ = false;
};

struct DisplayOptions {
    /// Called from any thread when a host upload can go on; must not block or throw. Interop goes on when the result's
    /// own fence is ready, so that one should wake the window too.
    std::function<void()> wake{};
    std::int64_t texture_limit = 0; ///< 0 = what OpenGL allows
};

/// One picture on the screen.
class DisplayImage {
public:
    explicit DisplayImage(std::shared_ptr<DisplayRoute> route, DisplayOptions options = {});

    /// Does not wait: until the result is there, texture and shown() stay as they are. The newest result wins. A serial
    /// that is shown or on its way already is not transferred again.
    void present(Frame frame);
    /// Moves things along without showing anything: true if poll() would.
    bool ready();
    /// Once per frame. True if texture() and shown() have just changed, together. A failure of the interop way is
    /// answered by host upload of the same result; when that fails too (graphics or pinned memory is short), throws
    /// Error or std::bad_alloc: the old picture stays.
    bool poll();
    /// What was presented and is not shown yet is not to be shown any more.
    void give_up();

    /// 0 until the first result is shown.
    GLuint texture() const { return ways_.current() ? ways_.current()->texture() : 0; }
    Shown shown() const { return ways_.current() ? ways_.current()->shown() : Shown{}; }
    bool busy() const { return latest_.has_value(); } ///< a result is still on its way
    /// Which way the texture that is shown took.
    bool is_interop() const { return ways_.is_interop(); }
    /// Each hand-off's once, as soon as they are known; on OpenGL's clock they come at a time of their own.
    std::optional<HandOffTimes> take_times() { return ways_.take_times(); }
    std::optional<DrawTimer::Drawn> take_gl_time() { return ways_.take_gl_time(); }
    Badge badge() const;

private:
    template <typename Step>
    bool attempt(Step step);
    void hand_over(const Frame& frame);

    std::shared_ptr<DisplayRoute> route_;
    DisplayOptions options_;
    /// Of a result that comes piece by piece: all that was presented, for a texture that has missed some of it.
    struct Pieces {
        std::shared_ptr<Buffer> memory; // kept, so that no other result can have the same
        std::vector<Rect> changed;
    };

    std::optional<Frame> latest_; // presented, not shown yet: kept to be shown again the other way
    Pieces so_far_;
    std::shared_ptr<Engine> engine_; // of the latest result
    TwoWays ways_;
};

} // namespace kg::display
