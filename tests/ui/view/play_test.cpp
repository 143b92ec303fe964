// Play, pixel by pixel: the kernel crawls along the rows, and the panel shows the sum of each pixel. With
// KERNELGLASS_PLAY every pixel is saved as a frame of the sequence in the documents (scripts/play-sequence).

#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <cstdlib>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

/// A bright stripe and a bright pixel on dark grey, as large pixels whose numbers can be read.
Image stripe() {
    Image image({12, 9}, {Depth::u8, 1});
    for (std::int64_t y = 0; y < 9; ++y)
        for (std::int64_t x = 0; x < 12; ++x)
            image.view().row<std::uint8_t>(y)[x] = x + y == 9 || x + y == 10 || (x == 9 && y == 6) ? 200 : 40;
    return image;
}

TEST_F(PlaygroundTest, PlayExplainsEveryPixelOnItsPath) {
    constexpr int kPixels = 48;
    WindowOptions options;
    options.files = {folder_ / "stripe.png"};
    write_image(options.files.front(), stripe().view());
    options.recipe.steps = {parse_step("sharpen")};
    options.recipe.border = Border::zero;
    options.has_recipe = true;
    options.pin = {0, 0};
    if (!start(options, {.size = {1120, 640}})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("products", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Pixel/value/Product");
        ctx->MouseMoveToPos({560, 58}); // nothing has a tooltip there
    });
    settle();
    auto& crawl = document().pixel.crawl;
    const auto& terms = document().pixel_explanation().terms;
    auto at = std::pair<std::int64_t, std::int64_t>(0, 0);
    for (int i = 0; i < kPixels; ++i) {
        ASSERT_EQ(playground_->view().pinned(), at);
        ASSERT_TRUE(terms);
        EXPECT_EQ(std::pair(terms->x, terms->y), at);
        EXPECT_EQ(terms->stored, document().reading()->after.front());
        crawl.set_speed(4);
        crawl.play(ImGui::GetTime());
        harness_->frames();
        ASSERT_EQ(playground_->view().pinned(), at) << "before its time";
        if (std::getenv("KERNELGLASS_PLAY")) harness_->save_screenshot("play_" + std::to_string(100 + i));
        harness_->frames_until([&] {
            const bool moved = playground_->view().pinned() != at;
            if (moved) crawl.pause();
            return moved;
        });
        settle();
        at = pixel_after(at, 1, stripe().size());
    }
}

} // namespace
} // namespace kg
