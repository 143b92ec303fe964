#pragma once
// From a result to a texture. The window sees a GL texture, its content and a badge; the presentation path of
// the pixels (interop: CUDA writes the texture; host upload: through host memory) is visible nowhere else. GL
// thread only, context current.

#include "display/probe.hpp"
#include "display/two_paths.hpp"

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
    std::string explanation; ///< messages: why this path, the remedy, how much is not shown
    bool warning = false;    ///< the user may want to change something
};

/// The presentation path of images in this GL context: probed once, shared by all its images.
class DisplayRoute {
public:
    /// `gpu` is the CUDA engine, or null; the probe runs unless `mode` is host. Throws Unavailable if interop
    /// is forced and not available. `fault` is for tests.
    DisplayRoute(DisplayMode mode, std::shared_ptr<Engine> gpu, std::optional<Fault> fault = {});

    bool interop_for(Engine& engine) const;
    bool has_interop() const { return interop_; }
    /// Called when a presentation fails after the start: all images of this context use host upload from now
    /// on.
    void fall_back(const Failure& failure);
    const std::optional<Failure>& failure() const { return failure_; }
    /// A message for the window, returned once, after images have switched to the slower path.
    std::optional<std::string> take_news() { return std::exchange(news_, std::nullopt); }
    /// Which path an image of this engine takes, and why.
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
    /// Called from any thread when a host upload can continue; must not block or throw. Interop continues
    /// when the result's own fence is ready, so that fence should wake the window too.
    std::function<void()> wake{};
    std::int64_t texture_limit = 0; ///< 0 = OpenGL's limit
};

/// One image on the screen.
class DisplayImage {
public:
    explicit DisplayImage(std::shared_ptr<DisplayRoute> route, DisplayOptions options = {});

    /// Does not wait: until the result is ready, texture and shown() stay as they are. The newest result
    /// wins. A serial that is shown or in flight is not transferred again.
    void present(Frame frame);
    /// Makes progress without showing anything: true if poll() would show a result.
    bool ready();
    /// Called once per frame. True if texture() and shown() have just changed, together. If interop fails,
    /// the same result is presented by host upload; if that fails too (graphics or pinned memory is
    /// exhausted), throws Error or std::bad_alloc and the old image stays.
    bool poll();
    /// Drops results that were presented but not shown yet.
    void give_up();

    /// 0 until the first result is shown.
    GLuint texture() const { return paths_.current() ? paths_.current()->texture() : 0; }
    Shown shown() const { return paths_.current() ? paths_.current()->shown() : Shown{}; }
    bool busy() const { return latest_.has_value(); } ///< a result is still in flight
    /// Whether the current texture came by interop.
    bool is_interop() const { return paths_.is_interop(); }
    /// Times of each presentation, returned once, as soon as they are known. OpenGL's times arrive
    /// separately.
    std::optional<PresentationTimes> take_times() { return paths_.take_times(); }
    std::optional<DrawTimer::Drawn> take_gl_time() { return paths_.take_gl_time(); }
    Badge badge() const;

private:
    template <typename Step>
    bool attempt(Step step);
    void hand_over(const Frame& frame);

    std::shared_ptr<DisplayRoute> route_;
    DisplayOptions options_;
    /// For a result presented in regions: all regions so far, for a texture that has missed some of them.
    struct Regions {
        std::shared_ptr<Buffer> memory; // keeps the address from being reused for another result
        std::vector<Rect> changed;
    };

    std::optional<Frame> latest_; // presented, not shown yet: kept to be presented again on the other path
    Regions so_far_;
    std::shared_ptr<Engine> engine_; // engine of the latest result
    TwoPaths paths_;
};

} // namespace kg::display
