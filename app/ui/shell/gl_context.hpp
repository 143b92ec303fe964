#pragma once
// What the window and the headless program do not share: where OpenGL comes from, where pixels and events go.
// Everything above this interface is the same code for both.

#include "core/image/geometry.hpp"
#include "core/image/image.hpp"

#include <epoxy/gl.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kg::ui {

class GlContext {
public:
    virtual ~GlContext() = default;

    /// Connects to the current ImGui context, and lets go of it.
    virtual void attach_imgui() = 0;
    virtual void detach_imgui() = 0;
    /// Before ImGui::NewFrame: display size, time step, input.
    virtual void begin_frame() = 0;
    /// After the frame has been drawn into framebuffer().
    virtual void present() = 0;

    virtual GLuint framebuffer() const = 0;
    virtual Extent framebuffer_size() const = 0; ///< 0x0 while minimised: draw nothing
    virtual float scale() const = 0;             ///< the screen's density as ImGui is to be scaled by it

    /// Sleeps until input, wake() or the end of the time-out, which may be infinite. True if something happened before
    /// the time-out.
    virtual bool wait(double seconds) = 0;
    virtual bool poll() = 0; ///< takes in input without sleeping; true if there was some, or a wake()
    /// From any thread: ends a wait(). Safe while the context lives.
    virtual void wake() = 0;

    virtual bool should_close() const = 0;
    virtual void set_should_close(bool close) = 0;
    virtual void set_title(const std::string& title) = 0;
    /// Something is asked: a window that is minimised comes back, one behind others asks for attention.
    virtual void come_forward() {}
    virtual std::string description() const = 0; ///< who draws, for logs and badges

    /// The pixels of framebuffer(): RGBA u8, opaque, row 0 at the top. Between drawing and present().
    Image screenshot() const;

    /// Files dropped onto the window. Called on the window's thread, from wait() or poll().
    std::function<void(std::vector<std::filesystem::path>)> on_drop;
    /// Asked when a person closes the window; false: it stays. On the window's thread, from wait() or poll().
    std::function<bool()> may_close;
    /// Called in the place of a frame while the window is minimised and something happens.
    std::function<void()> while_hidden;
};

/// A real window (X11 or Wayland), one per process. Throws Unavailable without a display or without OpenGL 4.5.
std::unique_ptr<GlContext> make_glfw_context(const std::string& title, Extent size);

/// No window: an EGL device and a framebuffer of this size, time steps of exactly 1/60 s. `device` as in EglDevice.
/// wait() never sleeps longer than for a wake(): it returns false at the time-out like a window without input.
std::unique_ptr<GlContext> make_headless_context(Extent size, float scale = 1,
                                                 const std::string& device = {});

} // namespace kg::ui
