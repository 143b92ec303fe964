#include "app/ui/shell/gl_context.hpp"

#include "display/egl_device.hpp"
#include "display/gl_objects.hpp"

#include <imgui_internal.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace kg::ui {

namespace {

class HeadlessContext final : public GlContext {
public:
    HeadlessContext(Extent size, float scale, const std::string& device)
        : egl_(device), size_(size), scale_(scale), colour_(GL_TEXTURE_2D),
          framebuffer_(display::Framebuffer::create()) {
        glTextureStorage2D(colour_.id(), 1, GL_RGBA8, static_cast<GLsizei>(size.width),
                           static_cast<GLsizei>(size.height));
        glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, colour_.id(), 0);
    }

    void attach_imgui() override { ImGui::GetIO().BackendPlatformName = "headless"; }
    void detach_imgui() override {}
    void begin_frame() override {
        auto& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
        io.DeltaTime = 1.0f / 60.0f; // deterministic frames, however slow the machine
    }
    void present() override { glFlush(); }

    GLuint framebuffer() const override { return framebuffer_.id(); }
    Extent framebuffer_size() const override { return size_; }
    float scale() const override { return scale_; }

    bool wait(double seconds) override {
        std::unique_lock lock(mutex_);
        const auto woken = [this] { return woken_; };
        if (std::isinf(seconds)) changed_.wait(lock, woken);
        else changed_.wait_for(lock, std::chrono::duration<double>(seconds), woken);
        return std::exchange(woken_, false) || has_input();
    }
    bool poll() override { return wait(0); }
    void wake() override {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        changed_.notify_one();
    }

    bool should_close() const override { return close_; }
    void set_should_close(bool close) override { close_ = close; }
    void set_title(const std::string&) override {}
    std::string description() const override { return egl_.description(); }

private:
    static bool has_input() {
        return ImGui::GetCurrentContext() && ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
    }

    display::EglDevice egl_; // first: the others live in its context
    Extent size_;
    float scale_;
    display::Texture colour_;
    display::Framebuffer framebuffer_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false, close_ = false;
};

} // namespace

std::unique_ptr<GlContext> make_headless_context(Extent size, float scale, const std::string& device) {
    return std::make_unique<HeadlessContext>(size, scale, device);
}

} // namespace kg::ui
