// Where OpenGL draws in software, a frame draws only what has changed. The pixels are those of a whole frame.

#include "app/ui/frame/changed_regions.hpp"

#include "app/ui/frame/texture_content.hpp"
#include "app/ui/widgets/look.hpp"
#include "display/gl_objects.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

using namespace kg;
using namespace kg::testing;

/// Pixels of the context's last frame that differ from the same frame drawn whole.
class ChangedFramesTest : public PlaygroundTest {
protected:
    std::int64_t wrong_pixels() {
        const auto seen = harness_->screenshot();
        const auto size = seen.size();
        const display::Texture colour(GL_TEXTURE_2D);
        const auto framebuffer = display::Framebuffer::create();
        const auto width = static_cast<GLsizei>(size.width), height = static_cast<GLsizei>(size.height);
        glTextureStorage2D(colour.id(), 1, GL_RGBA8, width, height);
        glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, colour.id(), 0);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
        const auto background = ui::colour(harness_->layer().look().theme.surround);
        glClearColor(background.x, background.y, background.z, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        std::vector<std::uint32_t> expected(static_cast<std::size_t>(size.width * size.height));
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, expected.data());
        glBindFramebuffer(GL_FRAMEBUFFER, harness_->context().framebuffer());
        std::int64_t wrong = 0;
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < size.width; ++x) {
                std::uint32_t pixel = 0;
                std::memcpy(&pixel, seen.view().row<std::uint8_t>(y) + 4 * x, sizeof pixel);
                const auto want = expected[static_cast<std::size_t>((size.height - 1 - y) * size.width + x)];
                wrong += (pixel & 0xffffffu) != (want & 0xffffffu); // alpha is not shown
            }
        return wrong;
    }
    /// Draws and compares some frames.
    void compare(const char* after, int frames = 4) {
        for (int i = 0; i < frames; ++i) {
            harness_->frames();
            ASSERT_EQ(wrong_pixels(), 0) << after << ", frame " << i;
        }
    }
};

TEST_F(ChangedFramesTest, AreTheWholeFrames) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    if (!harness_->layer().draws_changes()) GTEST_SKIP() << "OpenGL draws on a GPU: every frame whole";
    compare("the start");
    auto& io = ImGui::GetIO();
    const auto size = harness_->context().framebuffer_size();
    std::int64_t least = size.width * size.height;
    for (int i = 0; i < 40; ++i) { // across buttons, thumbnails and the image
        io.AddMousePosEvent(static_cast<float>(i * 211 % size.width),
                            static_cast<float>(i * 97 % size.height));
        compare("hovering", 2);
        least = std::min(least, harness_->layer().drawn_pixels());
    }
    EXPECT_LT(least, size.width * size.height / 4) << "only regions of the window have changed";
    for (const float sigma : {2.5f, 3.0f, 9.0f}) {
        document().set_value("sigma", std::to_string(sigma), Gesture::ongoing);
        compare("an edit");
    }
    document().finish_gesture();
    for (const auto mode : {ViewState::Mode::split, ViewState::Mode::side, ViewState::Mode::difference}) {
        playground_->view().show_mode(document(), mode);
        compare("another mode");
    }
    playground_->view().actual_size();
    compare("100 %");
    harness_->layer().set_theme(ui::kLight);
    compare("another theme");
    harness_->layer().set_zoom(1.25f);
    compare("another zoom");
}

class RegionsTest : public ::testing::Test {
protected:
    void SetUp() override {
        harness_ = harness_or_skip();
        if (!harness_) GTEST_SKIP() << kNoOpenGl;
    }
    /// What has changed with a frame that draws this.
    std::vector<Rect> changed(const std::function<void(ImDrawList&)>& draw) {
        harness_->set_frame([&] {
            draw(*ImGui::GetForegroundDrawList());
            return ui::FramePacer::kNever;
        });
        harness_->frames();
        std::vector<Rect> rects;
        for (const auto& region :
             regions_.update(*ImGui::GetDrawData(), harness_->context().framebuffer_size(), IM_COL32_BLACK))
            rects.push_back(region.rect);
        return rects;
    }
    std::unique_ptr<Harness> harness_;
    ui::ChangedRegions regions_;
};

TEST_F(RegionsTest, CoverWhatHasChangedAndLittleMore) {
    const auto square = [](float x) {
        return [x](ImDrawList& list) {
            list.AddRectFilled({100, 100}, {300, 200}, IM_COL32_WHITE);
            list.AddRectFilled({x, 400}, {x + 10, 410}, IM_COL32_WHITE);
        };
    };
    const auto all = whole(harness_->context().framebuffer_size());
    const auto has_all = [&](const std::vector<Rect>& rects) { return std::ranges::count(rects, all) == 1; };
    EXPECT_TRUE(has_all(changed(square(500))));
    EXPECT_TRUE(changed(square(500)).empty());
    const auto moved = changed(square(1000));
    for (const Rect& place : {Rect{500, 400, 10, 10}, Rect{1000, 400, 10, 10}})
        EXPECT_TRUE(std::ranges::any_of(moved, [&](const Rect& rect) { return rect.contains(place); }));
    for (const auto& rect : moved) EXPECT_LE(rect.width * rect.height, 128 * 128);
    regions_.forget();
    EXPECT_TRUE(has_all(changed(square(1000))));
}

TEST_F(RegionsTest, CoverATextureWhoseContentHasChanged) {
    const auto image = [](std::uint64_t version) {
        return [version](ImDrawList& list) {
            ui::note_content(list, {200, 300}, {264, 364}, version);
            list.AddRectFilled({200, 300}, {264, 364}, IM_COL32_WHITE);
        };
    };
    changed(image(1));
    EXPECT_TRUE(changed(image(1)).empty());
    const auto regions = changed(image(2));
    ASSERT_EQ(regions.size(), 1u);
    EXPECT_TRUE(regions.front().contains({200, 300, 64, 64}));
    EXPECT_LE(regions.front().width * regions.front().height, 128 * 128);
}

} // namespace
