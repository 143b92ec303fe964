#include "app/ui/shell/gl_context.hpp"

#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "display/renderer.hpp"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>

namespace kg::ui {

namespace {

/// GLFW's last error; it may come from any thread.
struct {
    std::mutex mutex;
    std::string text;
} last_error;

void note_error(int, const char* text) {
    const std::lock_guard lock(last_error.mutex);
    last_error.text = text;
}

std::string error_text() {
    const std::lock_guard lock(last_error.mutex);
    return last_error.text;
}

/// Initialises GLFW for the lifetime of a window.
class GlfwLibrary {
public:
    GlfwLibrary() {
        glfwSetErrorCallback(note_error);
        // Without a possible Wayland session it is not tried: its library would print errors to stderr.
        const bool wayland = std::getenv("WAYLAND_DISPLAY") || std::getenv("XDG_RUNTIME_DIR");
        glfwInitHint(GLFW_PLATFORM, wayland ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
        if (!glfwInit())
            throw Unavailable("no-display",
                              "No display. Use `kernelglass filter ...` or `--headless --screenshot F`");
    }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
    ~GlfwLibrary() { glfwTerminate(); }
};

std::vector<ScreenArea> screens() {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    std::vector<ScreenArea> areas;
    for (int i = 0; i < count; ++i) {
        auto& area = areas.emplace_back();
        glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
    }
    return areas;
}

/// Whether programs may place their windows. Wayland places them itself.
bool places_windows() { return glfwGetPlatform() != GLFW_PLATFORM_WAYLAND; }

class GlfwContext final : public GlContext {
public:
    GlfwContext(const std::string& title, Extent size, const std::optional<WindowPlace>& place) {
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        glfwWindowHint(GLFW_DEPTH_BITS, 0);
        glfwWindowHint(GLFW_STENCIL_BITS, 0);
        // Hidden until the first frame is drawn: no flash of an empty window.
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHintString(GLFW_WAYLAND_APP_ID, "kernelglass");
        glfwWindowHintString(GLFW_X11_CLASS_NAME, "kernelglass");
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "kernelglass");
        const display::SoftwareOnThisThread software;
        window_ = glfwCreateWindow(static_cast<int>(size.width), static_cast<int>(size.height), title.c_str(),
                                   nullptr, nullptr);
        if (!window_)
            throw Unavailable("no-opengl",
                              "This display has no window with OpenGL 4.5 ({}). A newer graphics driver may "
                              "provide it. `kernelglass filter ...` works without a window",
                              error_text());
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(1);
        glfwSetWindowUserPointer(window_, this);
        put(place);
        listen();
    }
    ~GlfwContext() override { glfwDestroyWindow(window_); }

    void attach_imgui() override { ImGui_ImplGlfw_InitForOpenGL(window_, true); }
    void detach_imgui() override { ImGui_ImplGlfw_Shutdown(); }
    void begin_frame() override { ImGui_ImplGlfw_NewFrame(); }
    void present() override {
        glfwSwapBuffers(window_);
        if (!shown_) glfwShowWindow(window_);
        shown_ = true;
    }

    GLuint framebuffer() const override { return 0; }
    Extent framebuffer_size() const override {
        if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return {};
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        return {width, height};
    }
    float scale() const override { return ImGui_ImplGlfw_GetContentScaleForWindow(window_); }

    bool wait(double seconds) override {
        if (std::isinf(seconds)) {
            glfwWaitEvents();
            happened_ = false;
            return true;
        }
        const auto begin = std::chrono::steady_clock::now();
        glfwWaitEventsTimeout(seconds);
        const auto slept = seconds_since(begin);
        // Events that only the window system knows (a change of focus) count too.
        return something_happened() || slept < 0.99 * seconds;
    }
    bool poll() override {
        glfwPollEvents();
        return something_happened();
    }
    void wake() override {
        happened_ = true;
        glfwPostEmptyEvent();
    }

    bool should_close() const override { return glfwWindowShouldClose(window_) != 0; }
    void set_should_close(bool close) override {
        glfwSetWindowShouldClose(window_, close ? GLFW_TRUE : GLFW_FALSE);
    }
    std::optional<WindowPlace> place() const override {
        if (!places_windows()) return {};
        auto place = unmaximised_;
        place.maximised = is(GLFW_MAXIMIZED);
        return place;
    }
    void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
    void request_attention() override {
        if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) glfwRestoreWindow(window_);
        else if (!glfwGetWindowAttrib(window_, GLFW_FOCUSED)) glfwRequestWindowAttention(window_);
    }
    std::string description() const override {
        const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
        const char* platform = glfwGetPlatform() == GLFW_PLATFORM_WAYLAND ? "Wayland" : "X11";
        return std::string(platform) + ": " + (name ? name : "unnamed");
    }

private:
    /// Sets the smallest size, and the place of an earlier window or a size that the screen can show.
    void put(const std::optional<WindowPlace>& place) {
        float scale = 1; // not scale(), which needs ImGui; Wayland's sizes are scaled already
        if (places_windows()) glfwGetWindowContentScale(window_, &scale, nullptr);
        const auto areas = screens();
        const auto least = [&](std::int64_t length, int most) {
            const auto wanted = static_cast<int>(std::lround(static_cast<float>(length) * scale));
            return most > 0 ? std::min(wanted, most) : wanted;
        };
        const auto screen = areas.empty() ? ScreenArea{} : areas.front();
        const int width = least(kSmallestWindow.width, screen.width),
                  height = least(kSmallestWindow.height, screen.height);
        glfwSetWindowSizeLimits(window_, width, height, GLFW_DONT_CARE, GLFW_DONT_CARE);
        auto& now = unmaximised_;
        glfwGetWindowSize(window_, &now.width, &now.height);
        if (place && places_windows() && is_on_a_screen(*place, areas)) {
            now = *place;
            glfwSetWindowPos(window_, now.x, now.y);
        } else if (screen.width > 0) {
            now.width = std::min(now.width, screen.width);
            now.height = std::min(now.height, screen.height);
        }
        now.width = std::max(now.width, width);
        now.height = std::max(now.height, height);
        glfwSetWindowSize(window_, now.width, now.height);
        if (place && place->maximised) glfwMaximizeWindow(window_);
        if (places_windows()) glfwGetWindowPos(window_, &now.x, &now.y);
    }
    void listen() {
        glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
            auto* self = static_cast<GlfwContext*>(glfwGetWindowUserPointer(window));
            self->happened_ = true;
            if (self->on_drop) self->on_drop(std::vector<std::filesystem::path>(paths, paths + count));
        });
        glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) {
            auto* self = static_cast<GlfwContext*>(glfwGetWindowUserPointer(window));
            self->happened_ = true;
            if (self->may_close && !self->may_close()) glfwSetWindowShouldClose(window, GLFW_FALSE);
        });
        glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) {
            static_cast<GlfwContext*>(glfwGetWindowUserPointer(window))->happened_ = true;
        });
        glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) {
            static_cast<GlfwContext*>(glfwGetWindowUserPointer(window))->happened_ = true;
        });
        glfwSetWindowPosCallback(window_, [](GLFWwindow* window, int, int) {
            static_cast<GlfwContext*>(glfwGetWindowUserPointer(window))->note_place();
        });
        glfwSetWindowSizeCallback(window_, [](GLFWwindow* window, int, int) {
            static_cast<GlfwContext*>(glfwGetWindowUserPointer(window))->note_place();
        });
    }
    bool is(int attribute) const { return glfwGetWindowAttrib(window_, attribute) != 0; }
    void note_place() {
        if (!shown_ || is(GLFW_MAXIMIZED) || is(GLFW_ICONIFIED) || !places_windows()) return;
        glfwGetWindowPos(window_, &unmaximised_.x, &unmaximised_.y);
        glfwGetWindowSize(window_, &unmaximised_.width, &unmaximised_.height);
    }
    bool something_happened() {
        return happened_.exchange(false) ||
               (ImGui::GetCurrentContext() && ImGui::GetCurrentContext()->InputEventsQueue.Size > 0);
    }

    GlfwLibrary library_;
    GLFWwindow* window_ = nullptr;
    std::atomic<bool> happened_ = false;
    bool shown_ = false;
    WindowPlace unmaximised_; ///< while the window was neither maximised nor minimised
};

} // namespace

std::unique_ptr<GlContext> make_glfw_context(const std::string& title, Extent size,
                                             const std::optional<WindowPlace>& place) {
    return std::make_unique<GlfwContext>(title, size, place);
}

} // namespace kg::ui
