// The two columns in use: tabs that stay, a width that no scrollbar changes, tooltips beside what they
// explain, sliders that step finely.

#include "app/ui/widgets/tooltip.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

const HarnessOptions kLow{.size = {1280, 560}};

class ColumnsTest : public PlaygroundTest {
protected:
    bool start_with_gaussian() {
        WindowOptions options;
        options.recipe.steps = {parse_step("gaussian:sigma=2")};
        options.has_recipe = true;
        return start(options, kLow);
    }
    static ImRect rect(ImGuiTestContext* ctx, const char* item) { return ctx->ItemInfo(item).RectFull; }
    /// Hovers the item until its tooltip appears.
    static ImRect tooltip_of(ImGuiTestContext* ctx, const std::string& item) {
        ctx->MouseMove(item.c_str());
        ctx->SleepNoSkip(1, 0.1f);
        for (const auto* window : ImGui::GetCurrentContext()->Windows)
            if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active && !window->Hidden)
                return window->Rect();
        return {};
    }
};

TEST_F(ColumnsTest, TabsStayWhereTheyAreWhileTheirContentScrolls) {
    if (!start_with_gaussian()) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    harness_->run("scroll down and choose another tab", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Presets");
        const auto tab = rect(ctx, "//right/tabs/Kernel");
        const auto preset = rect(ctx, "//right/tabs/Presets/box_blur/##preset");
        ctx->MouseMoveToPos(ImGui::FindWindowByName("right")->Rect().GetCenter());
        ctx->MouseWheelY(-8);
        ctx->Yield(2);
        IM_CHECK_LT(rect(ctx, "//right/tabs/Presets/box_blur/##preset").Min.y, preset.Min.y);
        IM_CHECK(rect(ctx, "//right/tabs/Kernel").Min == tab.Min);
        ctx->MouseMoveToPos(tab.GetCenter());
        ctx->MouseClick();
        ctx->Yield(2);
    });
    harness_->save_screenshot("tabs_scrolled");
    EXPECT_EQ(playground_->arrangement().front(), "kernel");
    EXPECT_EQ(document().recipe(), recipe) << "the click went to the tab, not to a preset";
}

TEST_F(ColumnsTest, AScrollbarMovesNothing) {
    if (!start_with_gaussian()) GTEST_SKIP() << kNoOpenGl;
    ImRect before, after;
    const auto measure = [&](ImRect& box) {
        harness_->run("measure",
                      [&](ImGuiTestContext* ctx) { box = rect(ctx, "//left/recipe/sigma/##track"); });
    };
    const auto scrolls = [] { return ImGui::FindWindowByName("left")->ScrollbarY; };
    document().change([](Recipe& recipe) { recipe.steps = {parse_step("gaussian:sigma=2:size=1")}; });
    harness_->frames(3);
    const bool scrolled = scrolls();
    measure(before);
    for (int i = 0; i < 12; ++i) document().add_step("gaussian");
    settle();
    ASSERT_TRUE(scrolls());
    measure(after);
    EXPECT_EQ(after.Min.x, before.Min.x);
    EXPECT_EQ(after.Max.x, before.Max.x) << (scrolled ? "with" : "without") << " a scrollbar before";
}

TEST_F(ColumnsTest, TooltipsLieBesideTheRegionOfTheirItem) {
    if (!start_with_gaussian()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("hover", [&](ImGuiTestContext* ctx) {
        for (const auto& [region, item] :
             {std::pair{"left", std::string("//left/recipe/sigma/##track")},
              {"left", "//left/border/border wrap"},
              {"right", "//right/tabs/Kernel"},
              {"right", "//right/tabs/Presets/box_blur/##preset"},
              {"top bar", "//top bar/" + named(icon::kSave, "Save image...", "save")}}) {
            const auto tooltip = tooltip_of(ctx, item);
            IM_CHECK_GT(tooltip.GetWidth(), 0.0f);
            IM_CHECK(!tooltip.Overlaps(ImGui::FindWindowByName(region)->Rect()));
        }
    });
}

TEST_F(ColumnsTest, ArrowKeysStepASliderFinely) {
    if (!start_with_gaussian()) GTEST_SKIP() << kNoOpenGl;
    const auto sigma = [&] { return std::stod(document().recipe().steps.at(0).values.at("sigma")); };
    harness_->run("by keys", [&](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//left/recipe/sigma/##track");
        ctx->KeyPress(ImGuiKey_RightArrow);
        ctx->Yield(2);
    });
    EXPECT_GT(sigma(), 2);
    EXPECT_LT(sigma(), 2.1);
    const auto fine = sigma();
    harness_->run("back, and coarsely", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_LeftArrow);
        ctx->Yield(2);
        IM_CHECK_LT(sigma(), fine);
        ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
        ctx->Yield(2);
    });
    EXPECT_GT(sigma(), 2.2);
    document().undo();
    EXPECT_LT(sigma(), fine) << "each press is one entry";
}

TEST_F(ColumnsTest, InANarrowWindowTheModesAreAComboBox) {
    if (!start({}, {.size = {640, 480}})) GTEST_SKIP() << kNoOpenGl;
    harness_->run("choose", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//view bar/##mode");
        ctx->ItemClick("//$FOCUSED/Difference");
    });
    EXPECT_EQ(document().view.mode, ViewState::Mode::difference);
    harness_->save_screenshot("narrow_modes");
}

TEST_F(ColumnsTest, ALongTooltipAtTheBottomIsWholeOnTheScreen) {
    if (!start({}, {.size = {1280, 800}})) GTEST_SKIP() << kNoOpenGl;
    ImGui::GetStyle().HoverDelayNormal = ImGui::GetStyle().HoverStationaryDelay = 0;
    std::string text = "A long tooltip";
    for (int i = 0; i < 14; ++i)
        text += " of words that fill its lines with a remainder " + std::to_string(i);
    harness_->set_frame([&] {
        ImGui::SetNextWindowPos({0, 764});
        ImGui::SetNextWindowSize({288, 36});
        ImGui::Begin("low", nullptr, ImGuiWindowFlags_NoDecoration);
        ImGui::Button("item");
        help(text);
        ImGui::End();
        return FramePacer::kNever;
    });
    harness_->run("hover", [](ImGuiTestContext* ctx) {
        ctx->MouseMove("//low/item");
        const auto& windows = ImGui::GetCurrentContext()->Windows;
        auto tooltip = windows.end();
        for (int i = 0; i < 60 && tooltip == windows.end(); ++i) {
            ctx->Yield();
            tooltip = std::find_if(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
                return window->Active && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
            });
        }
        ctx->Yield(2);
        ASSERT_NE(tooltip, windows.end());
        EXPECT_LE((*tooltip)->Rect().Max.y, 800);
        EXPECT_LE((*tooltip)->ContentSize.y, (*tooltip)->InnerRect.GetHeight());
    });
    harness_->set_frame([this] { return playground_->draw(); });
}

TEST_F(ColumnsTest, ListsOpenAtTheirButtons) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto add = "//left/recipe/" + named(icon::kPlus, "Add filter", "add");
    for (const auto& button :
         {std::string("//top bar/File##file menu"), std::string("//top bar/View##menu"), add}) {
        SCOPED_TRACE(button);
        ImRect item;
        harness_->run("open", [&](ImGuiTestContext* ctx) {
            item = ctx->ItemInfo(button.c_str()).RectFull;
            ctx->ItemClick(button.c_str());
            ctx->Yield(2);
        });
        ASSERT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
        const auto* popup = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
        ASSERT_TRUE(popup);
        EXPECT_EQ(popup->Pos.x, item.Min.x);
        EXPECT_EQ(popup->Pos.y, item.Max.y + 4);
        EXPECT_LE(popup->Rect().Max.y, 800);
        harness_->save_screenshot(button == add ? "add_filter_list" : "menu");
        harness_->run("close", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    }
}

TEST(TooltipPlace, IsOutsideTheRegionOnTheScreenAndNotFarAway) {
    const ImVec2 screen{1280, 800}, size{320, 60};
    const Box left{0, 40, 288, 736}, right{992, 40, 288, 736}, top{0, 0, 1280, 40}, status{0, 776, 1280, 24},
        image{288, 76, 704, 700};
    EXPECT_EQ(tooltip_place({12, 100, 264, 28}, left, size, screen, 1), (Box{292, 100, 320, 60}));
    EXPECT_EQ(tooltip_place({1004, 100, 90, 28}, right, size, screen, 1), (Box{668, 100, 320, 60}));
    EXPECT_EQ(tooltip_place({12, 770, 264, 28}, left, size, screen, 1).bottom(), 800);
    EXPECT_EQ(tooltip_place({1200, 6, 70, 28}, top, size, screen, 1), (Box{960, 44, 320, 60}));
    EXPECT_EQ(tooltip_place({700, 776, 200, 24}, status, size, screen, 1).bottom(), 772);
    EXPECT_EQ(tooltip_place({300, 90, 100, 24}, image, size, screen, 1), (Box{300, 118, 320, 60}))
        << "inside";
    EXPECT_EQ(tooltip_place({300, 770, 100, 24}, {0, 0, 1280, 800}, size, screen, 1).bottom(), 766);
}

} // namespace
} // namespace kg
