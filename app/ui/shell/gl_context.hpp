#pragma once
// What the window and the headless program do not share: the OpenGL context, presentation and events.
// Everything above this interface is the same code for both.

#include "app/editor/document/window_place.hpp"
#include "core/image/geometry.hpp"
#include "core/image/image.hpp"

#include <epoxy/gl.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg::ui {

class GlContext {
public:
    virtual ~GlContext() = default;

    /// Connects to, and disconnects from, the current ImGui context.
    virtual void attach_imgui() = 0;
    virtual void detach_imgui() = 0;
    /// Before ImGui::NewFrame: display size, time step, input.
    virtual void begin_frame() = 0;
    /// After the frame has been drawn into framebuffer().
    virtual void present() = 0;

    virtual GLuint framebuffer() const = 0;
    virtual Extent framebuffer_size() const = 0; ///< 0x0 while minimised: draw nothing
    virtual float scale() const = 0;             ///< the screen's density: ImGui's scale factor

    /// Sleeps until input, wake() or the timeout, which may be infinite. True if something happened before
    /// the timeout.
    virtual bool wait(double seconds) = 0;
    virtual bool poll() = 0; ///< processes input without sleeping; true if there was input or a wake()
    /// From any thread: ends a wait(). Safe while the context lives.
    virtual void wake() = 0;

    virtual bool should_close() const = 0;
    virtual void set_should_close(bool close) = 0;
    /// Empty without a window, and where the window system keeps the position to itself (Wayland).
    virtual std::optional<WindowPlace> place() const { return {}; }
    virtual void set_title(const std::string& title) = 0;
    /// Asks for attention: restores a minimised window, flags one behind others.
    virtual void request_attention() {}
    virtual std::string description() const = 0; ///< the renderer, for logs and badges

    /// The pixels of framebuffer(): RGBA u8, opaque, row 0 at the top. Between drawing and present().
    Image screenshot() const;

    /// Files dropped onto the window. Called on the window's thread, from wait() or poll().
    std::function<void(std::vector<std::filesystem::path>)> on_drop;
    /// Called when the window is asked to close; false keeps it open. On the window's thread, from wait() or
    /// poll().
    std::function<bool()> may_close;
    /// Called instead of a frame when something happens while the window is minimised.
    std::function<void()> while_hidden;
};

/// Smallest size of a window, times its scale: below it the modes and the panels cannot be used.
inline constexpr Extent kSmallestWindow{800, 540};

/// A real window (X11 or Wayland), one per process, at the place of an earlier one where that is on a screen,
/// else of this size, at most as large as the screen. Throws Unavailable without a display or without OpenGL
/// 4.5.
std::unique_ptr<GlContext> make_glfw_context(const std::string& title, Extent size,
                                             const std::optional<WindowPlace>& place = {});

/// No window: an EGL device and a framebuffer of this size, time steps of exactly 1/60 s. `device` as in
/// EglDevice. wait() sleeps only for a wake(): it returns false at the timeout, like a window without input.
std::unique_ptr<GlContext> make_headless_context(Extent size, float scale = 1,
                                                 const std::string& device = {});

} // namespace kg::ui
