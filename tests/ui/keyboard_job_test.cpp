// The main job by keys alone: open an image, add filters, change them, save the result. No mouse event
// occurs.

#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/keyboard_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class KeyboardJobTest : public KeyboardTest {
protected:
    /// The window at its first start, whose frames are searched for mouse events.
    bool start_without_a_mouse() {
        WindowOptions options;
        options.state_file = folder_ / "state.json";
        if (!start(options)) return false;
        harness_->set_frame([this] {
            const auto& io = ImGui::GetIO();
            if (ImGui::IsAnyMouseDown() || io.MouseWheel != 0 || io.MouseDelta.x != 0 || io.MouseDelta.y != 0)
                ADD_FAILURE() << "a mouse event, at " << io.MousePos.x << ", " << io.MousePos.y;
            return playground_->draw();
        });
        return true;
    }
    void keys(const char* what, const std::function<void(ImGuiTestContext*)>& script) {
        harness_->run(what, script);
        settle();
    }
    /// Replaces the text of the field with the focus.
    static void type_over(ImGuiTestContext* ctx, const std::string& text) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
        ctx->KeyChars(text.c_str());
    }
    /// Chooses a filter in the open menu, whose first one has the focus.
    void choose(ImGuiTestContext* ctx, std::string_view filter) {
        const auto all = filters();
        const auto* wanted = &find_filter(filter);
        ctx->KeyPress(ImGuiKey_DownArrow,
                      static_cast<int>(std::find(all.begin(), all.end(), wanted) - all.begin()));
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
        IM_CHECK_STR_EQ(document().recipe().steps.back().filter.c_str(), std::string(filter).c_str());
    }
};

TEST_F(KeyboardJobTest, OpensFiltersAndSavesAnImage) {
    if (!start_without_a_mouse()) GTEST_SKIP() << kNoOpenGl;
    const auto image = folder_ / "a photo.png", saved = folder_ / "saved.png", made = folder_ / "made.png";
    write_image(image, sample_image({120, 80}).view());
    keys("open: Tab completes the name", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        ctx->Yield(3);
        type_over(ctx, (folder_ / "a p").string());
        ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyPress(ImGuiKey_Enter);
    });
    ASSERT_EQ(document().image()->path, image);
    keys("a larger sigma of the first step, typed", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "left");
        tab_to(ctx, "//left/recipe/sigma/##number"); // which opens it
        type_over(ctx, "1.25");
        ctx->KeyPress(ImGuiKey_Enter);
    });
    keys("another filter, and one of its weights", [&](ImGuiTestContext* ctx) {
        press(ctx, "//left/recipe/" + named(icon::kPlus, "Add filter", "add"));
        choose(ctx, "sharpen");
        ctx->SetRef(ctx->WindowInfo("//left/kernel_grid/cells").ID);
        tab_to(ctx, ctx->ItemInfo("$$4/##weight").ID);
        ctx->KeyChars("5.5");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
    });
    harness_->save_screenshot("keyboard_job");
    keys("save", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
        ctx->Yield(3);
        type_over(ctx, saved.string());
        ctx->KeyPress(ImGuiKey_Enter);
    });
    EXPECT_EQ(document().saved_path(), saved);
    ASSERT_EQ(shell("kernelglass filter -q --engine cpu '" + image.string() + "' '" + made.string() +
                    "' -f gaussian:sigma=1.25 -f custom:size=3x3:weights=0,-1,0,-1,5.5,-1,0,-1,0"),
              0);
    EXPECT_TRUE(read_file(saved) == read_file(made)) << to_text(document().recipe());
}

} // namespace
} // namespace kg
