#pragma once
// A context whose waits a test controls: it counts frames, can be minimised, and time passes only when the
// loop waits for it.

#include "app/ui/shell/loop.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kg::testing {

class WatchedContext final : public ui::GlContext {
public:
    explicit WatchedContext(std::unique_ptr<ui::GlContext> inner) : inner_(std::move(inner)) {}

    void attach_imgui() override { inner_->attach_imgui(); }
    void detach_imgui() override { inner_->detach_imgui(); }
    void begin_frame() override { inner_->begin_frame(); }
    void present() override {
        ++frames;
        inner_->present();
    }
    GLuint framebuffer() const override { return inner_->framebuffer(); }
    Extent framebuffer_size() const override { return minimised ? Extent{} : inner_->framebuffer_size(); }
    float scale() const override { return inner_->scale(); }
    /// Waits for an event if the time is infinite; a time limit expires at once.
    bool wait(double seconds) override {
        if (!std::isinf(seconds)) {
            ++limited_waits;
            return inner_->poll();
        }
        if (inner_->poll()) return true;
        if (at_rest) at_rest();
        if (over) return true;
        const bool happened = inner_->wait(static_cast<double>(kHang.count()));
        EXPECT_TRUE(happened) << "nobody woke the window";
        over = !happened;
        return true;
    }
    bool poll() override { return wait(0); }
    void wake() override { inner_->wake(); }
    bool should_close() const override { return over || inner_->should_close(); }
    void set_should_close(bool close) override { inner_->set_should_close(close); }
    void set_title(const std::string& title) override { inner_->set_title(title); }
    std::string description() const override { return inner_->description(); }

    int frames = 0, limited_waits = 0;
    bool minimised = false, over = false;
    std::function<void()> at_rest; ///< called when the loop waits forever and nothing has happened

private:
    std::unique_ptr<ui::GlContext> inner_;
};

} // namespace kg::testing
