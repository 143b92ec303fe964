// The recipes A, B and C in the window.

#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class SlotsTest : public PlaygroundTest {
protected:
    static constexpr const char* kCopy = "//left/recipe/\uF18F##copy slot";
};

TEST_F(SlotsTest, ClicksAndKeysShowAnotherRecipe) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    const auto a = document().recipe();
    harness_->run("by the mouse", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//left/recipe/slot/B");
        IM_CHECK_EQ(document().slot(), size_t{1});
        IM_CHECK(document().recipe().steps.empty());
    });
    document().add_step("sobel");
    settle();
    harness_->save_screenshot("recipe_slots");
    harness_->run("by keys", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_1);
        IM_CHECK(document().recipe() == a);
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_3);
        IM_CHECK_EQ(document().slot(), size_t{2});
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_2);
        IM_CHECK_EQ(document().recipe().steps.size(), size_t{1});
        ctx->ItemClick("//left/recipe/direction/X"); // a later edit stays in B
        IM_CHECK(document().slot_recipe(0) == a);
    });
}

TEST_F(SlotsTest, TheKeysWaitForATextFieldAndLeaveLessonsAlone) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("while typing", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//left/recipe/sigma/##number");
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_2);
        IM_CHECK_EQ(document().slot(), size_t{0});
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->ItemClick("//top bar/workspace/Explain");
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_2);
        IM_CHECK_EQ(document().slot(), size_t{0});
    });
}

TEST_F(SlotsTest, ARecipeIsCopiedToAnotherAndComesBackByUndo) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    const auto a = document().recipe();
    harness_->run("copy A to C", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(kCopy);
        ctx->ItemClick("//$FOCUSED/Copy A to C");
        IM_CHECK(document().slot_recipe(2) == a);
        IM_CHECK(document().slot_recipe(1).steps.empty());
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_3);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
        IM_CHECK(document().slot_recipe(2).steps.empty());
        IM_CHECK(document().slot_recipe(0) == a);
    });
}

TEST_F(SlotsTest, AllRecipesAreThereAtTheNextStart) {
    WindowOptions options;
    options.state_file = folder_ / "last.json";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto a = document().recipe();
    document().show_slot(1);
    document().add_step("sobel");
    const auto b = document().recipe();
    harness_->frames_until([&] { return fs::exists(options.state_file); }); // kept without an end
    ASSERT_TRUE(start(options));
    EXPECT_EQ(document().slot(), 1u);
    EXPECT_EQ(document().recipe(), b);
    EXPECT_EQ(document().slot_recipe(0), a);
    options.files = {photo()};
    ASSERT_TRUE(start(options));
    EXPECT_EQ(document().recipe(), Recipe()) << "files begin without a recipe";
    EXPECT_EQ(document().last_recipe(), b);
    EXPECT_EQ(document().slot_recipe(0), a);
}

} // namespace
} // namespace kg
