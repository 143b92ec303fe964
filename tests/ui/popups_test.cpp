// The layout of menus, lists and dialogs: whole on the screen, no overlap, no clipping, in each size, scale
// and theme.

#include "tests/ui/support/layout_checks.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;

struct Opener {
    const char* name;
    void (*open)(ImGuiTestContext*);
};

void click(ImGuiTestContext* ctx, const std::string& item) { ctx->ItemClick(item.c_str()); }
void press(ImGuiTestContext* ctx, ImGuiKeyChord keys) { ctx->KeyPress(keys); }

constexpr Opener kOpeners[] = {
    {"file_menu", [](auto* ctx) { click(ctx, "//top bar/" + named(nullptr, "File", "file menu")); }},
    {"view_menu", [](auto* ctx) { click(ctx, "//top bar/" + named(nullptr, "View", "menu")); }},
    {"algorithms", [](auto* ctx) { click(ctx, "//top bar/engine"); }},
    {"add_filter", [](auto* ctx) { click(ctx, "//left/recipe/" + named(icon::kPlus, "Add filter", "add")); }},
    {"copy_recipe", [](auto* ctx) { click(ctx, "//left/recipe/" + named(icon::kCopy, "", "copy slot")); }},
    {"kernel_menu",
     [](auto* ctx) { click(ctx, "//left/kernel_grid/" + named(nullptr, "Change", "change")); }},
    {"cell_menu",
     [](auto* ctx) {
         ctx->SetRef(ctx->WindowInfo("//left/kernel_grid/cells").ID);
         ctx->ItemClick("$$1/##weight", ImGuiMouseButton_Right);
     }},
    {"view_only", [](auto* ctx) { click(ctx, "//view bar/View only##view only"); }},
    {"palette", [](auto* ctx) { press(ctx, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P); }},
    {"open", [](auto* ctx) { press(ctx, ImGuiMod_Ctrl | ImGuiKey_O); }},
};
/// Opened by their action.
constexpr const char* kActions[] = {"shortcuts", "log", "save_preset", "save_again"};

class PopupLayoutTest : public PlaygroundTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    void check(const std::string& name) {
        SCOPED_TRACE(name);
        const auto look = GetParam();
        harness_->frames(4);
        const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
        ASSERT_FALSE(stack.empty());
        const auto* window = stack.back().Window;
        ASSERT_TRUE(window);
        const auto box = window->Rect();
        EXPECT_TRUE(
            ImRect(0, 0, static_cast<float>(look.width), static_cast<float>(look.height)).Contains(box))
            << box.Min.x << " " << box.Min.y << " to " << box.Max.x << " " << box.Max.y;
        const auto all = gathered(*harness_, {window->Name});
        EXPECT_FALSE(all.empty());
        check_places(all, look.scale);
        harness_->save_screenshot("popup_" + look.name() + name);
        harness_->run("close", [](ImGuiTestContext* ctx) {
            for (int i = 0; i < 3 && ctx->UiContext->OpenPopupStack.Size > 0; ++i) {
                ctx->KeyPress(ImGuiKey_Escape);
                ctx->Yield(2);
            }
        });
        EXPECT_TRUE(stack.empty());
    }
};

TEST_P(PopupLayoutTest, NothingOverlapsOrIsCutOrOutsideTheWindow) {
    WindowOptions options;
    options.preset_folder = folder_ / "presets";
    options.recipe.steps = {parse_step("gaussian"),
                            parse_step("custom:size=3x3:weights=-1,0,1,-2,0,2,-1,0,1")};
    options.has_recipe = true;
    for (const auto* name : {"one.png", "two.png"}) {
        options.files.push_back(folder_ / name);
        write_image(options.files.back(), sample_image({96, 64}).view());
    }
    if (!start(options, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    document().report(Message::Kind::warning, "A message that is longer than many another one in the log");
    for (const auto& [name, open] : kOpeners) {
        harness_->run(name, open);
        check(name);
    }
    for (const auto* id : kActions) {
        playground_->actions().run(id);
        check(id);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PopupLayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, true, 2},
                                                    {1280, 800, false, 1, 0.4f}})));

} // namespace
} // namespace kg
