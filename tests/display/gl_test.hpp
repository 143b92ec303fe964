#pragma once
// A fixture with an OpenGL context and no window. Its tests are skipped, with the reason, where there is
// none.

#include "core/support/error.hpp"
#include "display/egl_device.hpp"

#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace kg::testing {

class GlTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        try {
            context_ = std::make_unique<display::EglDevice>();
        } catch (const Unavailable& e) {
            why_not_ = e.what();
        }
    }
    static void TearDownTestSuite() { context_.reset(); }
    void SetUp() override {
        if (!context_) GTEST_SKIP() << "NO OPENGL HERE, NOTHING WAS TESTED: " << why_not_;
    }
    void TearDown() override {
        if (context_) {
            EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
        }
    }

private:
    static inline std::unique_ptr<display::EglDevice> context_;
    static inline std::string why_not_;
};

} // namespace kg::testing
