#pragma once
// Which presentation path the images of an OpenGL context take, and why: interop (CUDA writes the texture) or
// host upload (through host memory).

#include "display/interop/stages.hpp"
#include "display/presentation.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kg::display {

enum class Path : std::uint8_t { host, interop };
enum class DisplayMode : std::uint8_t { automatic, interop, host };

/// auto, interop or host. Throws Error for other words.
DisplayMode display_mode(std::string_view word);

struct Badge {
    std::string text;        ///< short: "interop", "host upload, shown 1:3"
    std::string explanation; ///< messages: why this path, the remedy, how much is not shown
    bool warning = false;    ///< the user may want to change something
};

struct DisplayOptions {
    /// Called from any thread when a host upload can continue; must not block or throw. Interop continues
    /// when the result's own fence is ready, so that fence should wake the window too.
    std::function<void()> wake{};
    std::int64_t texture_limit = 0; ///< 0 = OpenGL's limit
};

/// The presentation path of images in this GL context: probed once, shared by all its images.
class DisplayRoute {
public:
    /// `gpu` is the CUDA engine, or null; the probe runs unless `mode` is host. Throws Unavailable if interop
    /// is forced and not available. `fault` is for tests.
    DisplayRoute(DisplayMode mode, std::shared_ptr<Engine> gpu, std::optional<Fault> fault = {});
    virtual ~DisplayRoute() = default;

    virtual bool interop_for(Engine& engine) const;
    virtual bool has_interop() const { return interop_; }
    /// Creates a path for an engine's images. Tests override the virtual functions.
    virtual std::unique_ptr<Presentation> make(Path path, const std::shared_ptr<Engine>& engine,
                                               const DisplayOptions& options);
    /// Called when a presentation fails after the start: all images of this context use host upload from now
    /// on.
    void fall_back(const Failure& failure);
    const std::optional<Failure>& failure() const { return failure_; }
    /// A warning for the window, returned once, after images have switched to the slower path.
    std::optional<Error> take_news() { return std::exchange(news_, std::nullopt); }
    /// Which path an image of this engine takes, and why.
    Badge badge(Engine& engine) const;

private:
    DisplayMode mode_;
    std::shared_ptr<Engine> gpu_;
    InteropStages stages_;
    std::optional<Failure> failure_;
    std::optional<Error> news_;
    bool interop_ = false, fell_back_ = false;
};

} // namespace kg::display
