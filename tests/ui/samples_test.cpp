// Sample images: the menu's list, and the image whose samples are edited as numbers.

#include "app/process/image/teaching_image.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <string>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class SamplesTest : public PlaygroundTest {
protected:
    static constexpr const char* kNumbers = "//Image of numbers##numbers";

    const Image& shown() { return document().image()->pixels; }
    double grey(std::int64_t x, std::int64_t y) { return sample(shown().view(), x, y, 0); }
    static bool is_open() {
        const auto* window = ImGui::FindWindowByName(kNumbers + 2);
        return window && window->WasActive;
    }
    static void type(ImGuiTestContext* ctx, const std::string& cell, const char* number) {
        ctx->SetRef(kNumbers);
        ctx->ItemClick(("##" + cell).c_str());
        ctx->KeyCharsReplaceEnter(number);
        ctx->Yield(2);
    }
};

TEST_F(SamplesTest, TheMenuOpensEachAndTheRecipeStays) {
    if (!start_with_step("sharpen")) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    for (const auto& image : teaching_images()) {
        harness_->run(std::string(image.id).c_str(), [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(("//top bar/" + named(nullptr, "File", "file menu")).c_str());
            ctx->ItemClick("//$FOCUSED/Samples");
            ctx->Yield(2);
            ctx->SetRef("//$FOCUSED");
            ctx->ItemClick(("**/Sample: " + std::string(image.title)).c_str());
        });
        settle();
        EXPECT_TRUE(same_pixels(shown().view(), image.make().view())) << image.id;
        EXPECT_EQ(document().title(), "Sample: " + std::string(image.title));
        EXPECT_EQ(document().recipe(), recipe);
        EXPECT_TRUE(playground_->view().is_fit());
    }
    playground_->actions().run("sample");
    settle();
    EXPECT_EQ(shown().view().format.channels, 4);
}

TEST_F(SamplesTest, AnImageOfNumbersFollowsEachEditAndClosesByEscape) {
    if (!start_with_step("gaussian:sigma=1")) GTEST_SKIP() << kNoOpenGl;
    playground_->actions().run("sample_numbers");
    settle();
    EXPECT_EQ(shown().view().size, (Extent{8, 8}));
    EXPECT_EQ(grey(3, 2), 220);
    EXPECT_EQ(grey(1, 2), 40);
    harness_->run("edit two numbers", [&](ImGuiTestContext* ctx) {
        type(ctx, "2,3", "7");
        type(ctx, "0,7", "300"); // more than white
    });
    settle();
    EXPECT_EQ(grey(3, 2), 7);
    EXPECT_EQ(grey(7, 0), 255);
    harness_->save_screenshot("samples_numbers");
    harness_->run("reset, close", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(kNumbers);
        ctx->ItemClick(named(nullptr, "Reset", "reset").c_str());
        ctx->Yield(2);
        ctx->WindowFocus(kNumbers);
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(4);
        IM_CHECK(!is_open());
    });
    settle();
    EXPECT_EQ(grey(3, 2), 220);
    EXPECT_EQ(grey(7, 0), 40);
}

TEST_F(SamplesTest, AreNotOpenedOverALesson) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    playground_->actions().run("explain");
    EXPECT_FALSE(why_not(playground_->actions().find("sample_step")).empty());
}

} // namespace
} // namespace kg
