#pragma once
// The fixture of the tests of interop: an NVIDIA GPU that computes and draws. Skipped with the reason
// elsewhere.

#include "display/interop/interop.hpp"
#include "display/renderer.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"

#include <memory>
#include <optional>
#include <string>

namespace kg::testing {

class Interop : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (IsSkipped()) return;
        gpu_ = gpu::make_engine();
        if (const auto reason = gpu_->usable(); !reason.empty())
            GTEST_SKIP() << "NO CUDA HERE, INTEROP WAS NOT TESTED: " << reason;
        if (const auto renderer = display::Renderer::current(); !renderer.is_nvidia())
            GTEST_SKIP() << "OPENGL IS NOT NVIDIA'S HERE, INTEROP WAS NOT TESTED: " << renderer.name;
        ASSERT_EQ(display::live_registrations(), 0);
    }
    void TearDown() override {
        EXPECT_EQ(display::live_registrations(), 0) << "a test left a texture registered";
        GlTest::TearDown();
    }

    std::shared_ptr<display::DisplayRoute> route(display::DisplayMode mode,
                                                 std::optional<display::Fault> fault = {}) const {
        return std::make_shared<display::DisplayRoute>(mode, gpu_, fault);
    }
    void expect_shown(display::DisplayImage& image, const PixelFormat& format, Extent size, int step = 1) {
        kg::testing::expect_shown(image, gpu_, format, size, ++serial_, step);
    }
    /// Shows the frame on both paths, and compares the two textures.
    static ::testing::AssertionResult alike(display::DisplayImage& interop, display::DisplayImage& host,
                                            const display::Frame& frame) {
        interop.present(frame);
        host.present(frame);
        for (auto* image : {&interop, &host})
            if (auto shown = show(*image, frame.serial); !shown) return shown;
        return same_bytes(read_texture(interop), read_texture(host));
    }
    static void expect_host_badge(const display::DisplayImage& image, display::InteropStage stage) {
        EXPECT_EQ(image.badge().text, "host upload");
        EXPECT_NE(image.badge().explanation.find("Stage " + std::string(name(stage))), std::string::npos)
            << image.badge().explanation;
        EXPECT_TRUE(image.badge().warning);
    }

    std::shared_ptr<Engine> gpu_;
    std::uint64_t serial_ = 0;
};

} // namespace kg::testing
