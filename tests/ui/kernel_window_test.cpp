// The large window of the kernel: cells up to 31 x 31, a heat map above.

#include "tests/ui/support/playground_fixture.hpp"

#include <cmath>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class KernelWindow : public PlaygroundTest {
protected:
    const Kernel& kernel() { return document().selected_stage()->kernels.front(); }
    float weight(int row, int column) {
        return kernel().weights.at(static_cast<std::size_t>(row * kernel().width + column));
    }
    static void open(ImGuiTestContext* ctx) {
        ctx->ItemClick(("//left/kernel_grid/" + named(nullptr, "Enlarge", "large")).c_str());
        ctx->Yield(4);
    }
    static bool is_open() {
        const auto* window = ImGui::FindWindowByName("Kernel##large");
        return window && window->WasActive;
    }
};

TEST_F(KernelWindow, HasEditableCellsUpTo31AndClosesByEscape) {
    if (!start_with_step("gaussian:sigma=5:size=31")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("edit the last cell", [&](ImGuiTestContext* ctx) {
        open(ctx);
        IM_CHECK(is_open());
        ctx->SetRef(ctx->WindowInfo("//Kernel##large/cells").ID);
        ctx->ItemClick("$$960/##weight");
        ctx->KeyCharsReplaceEnter("1/8");
        ctx->Yield(4);
    });
    EXPECT_EQ(weight(30, 30), 0.125f);
    settle();
    harness_->save_screenshot("kernel_large_cells");
    harness_->run("close", [&](ImGuiTestContext* ctx) {
        ctx->WindowFocus("//Kernel##large");
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(4);
        IM_CHECK(!is_open());
    });
}

TEST_F(KernelWindow, OpensInTheMiddleAsLargeAsItsCellsNeedWithTheFocusOnTheAnchor) {
    struct Sizes {
        Extent window;
        const char* step;
        int anchor; ///< the cell
        bool all_columns;
    };
    for (const auto& [size, step, anchor, all_columns] :
         {Sizes{{1920, 1080}, "gaussian:sigma=5:size=31", 15 * 31 + 15, true},
          Sizes{{1280, 800}, "gaussian:sigma=5:size=31", 15 * 31 + 15, false},
          Sizes{{1280, 800}, "gaussian:sigma=1:size=9", 4 * 9 + 4, true}}) {
        if (!start_with_step(step, {.size = size})) GTEST_SKIP() << kNoOpenGl;
        const ImVec2 whole{static_cast<float>(size.width), static_cast<float>(size.height)};
        harness_->run("open", [&, anchor = anchor, all_columns = all_columns](ImGuiTestContext* ctx) {
            open(ctx);
            const auto box = ctx->WindowInfo("//Kernel##large").Window->Rect();
            IM_CHECK_LE(std::abs(box.GetCenter().x - whole.x / 2), 1.0f);
            IM_CHECK_LE(std::abs(box.GetCenter().y - whole.y / 2), 1.0f);
            IM_CHECK_LE(box.GetWidth(), whole.x * 0.9f + 1);
            IM_CHECK_LE(box.GetHeight(), whole.y * 0.9f + 1);
            const auto cells = ctx->WindowInfo("//Kernel##large/cells");
            if (all_columns) IM_CHECK_EQ(cells.Window->ScrollMax.x, 0.0f);
            else IM_CHECK_GT(box.GetWidth(), whole.x * 0.89f);
            ctx->SetRef(cells.ID);
            const auto cell = ctx->ItemInfo(("$$" + std::to_string(anchor) + "/##weight").c_str());
            IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, cell.ID);
            IM_CHECK(cells.Window->InnerRect.Contains(cell.RectFull));
        });
        settle();
        harness_->save_screenshot("kernel_large_" + std::to_string(size.width) + "_" +
                                  std::to_string(kernel().width));
    }
}

TEST_F(KernelWindow, ShowsLargerKernelsAsAHeatMapWhoseWeightsCanBeSelectedAndEdited) {
    if (!start_with_step("gaussian:sigma=8:size=49")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("select by a click, type", [&](ImGuiTestContext* ctx) {
        open(ctx);
        ctx->SetRef("//Kernel##large");
        ctx->ItemClick("heat map"); // its middle
        ctx->Yield(2);
        ctx->ItemClick("##selected");
        ctx->KeyCharsReplaceEnter("-1");
        ctx->Yield(2);
    });
    EXPECT_EQ(weight(24, 24), -1);
    harness_->run("select by keys, move the anchor", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//Kernel##large");
        ctx->NavMoveTo("heat map");
        ctx->KeyPress(ImGuiKey_LeftArrow, 2);
        ctx->KeyPress(ImGuiKey_DownArrow);
        ctx->KeyPress(ImGuiKey_Equal, 3);
        ctx->ItemClick(named(icon::kAnchor, "Anchor here", "anchor").c_str());
        ctx->Yield(2);
    });
    EXPECT_EQ(std::pair(kernel().anchor_x, kernel().anchor_y), std::pair(22, 25));
    EXPECT_EQ(document().history().undo_name(), "Kernel anchor to row 26, column 23");
    settle();
    harness_->save_screenshot("kernel_heat_map");
}

TEST_F(KernelWindow, TheWheelZoomsTheHeatMapAtThePointer) {
    if (!start_with_step("gaussian:sigma=8:size=49")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("zoom in at the top, click there", [&](ImGuiTestContext* ctx) {
        open(ctx);
        ctx->SetRef("//Kernel##large");
        const auto box = ctx->ItemInfo("heat map").RectFull;
        // The middle of the weight at row 2, column 25.
        const ImVec2 place{box.GetCenter().x, box.Min.y + box.GetHeight() * 1.5f / 49};
        ctx->MouseMoveToPos(place);
        for (int i = 0; i < 8; ++i) ctx->MouseWheelY(1);
        ctx->MouseClick();
        ctx->Yield(2);
        ctx->ItemClick("##selected");
        ctx->KeyCharsReplaceEnter("3");
        ctx->Yield(2);
    });
    EXPECT_EQ(weight(1, 24), 3);
    settle();
    harness_->save_screenshot("kernel_heat_map_zoomed");
}

TEST_F(KernelWindow, CanBeReachedAndUsedWithoutAMouseAtScaleTwoAndInTheLightTheme) {
    HarnessOptions look;
    look.size = {1920, 1080};
    look.scale = 2;
    look.theme = kLight;
    if (!start_with_step("gaussian:sigma=2:size=9", look)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type", [&](ImGuiTestContext* ctx) {
        open(ctx);
        ctx->SetRef(ctx->WindowInfo("//Kernel##large/cells").ID);
        ctx->NavMoveTo("$$0/##weight");
        ctx->KeyPress(ImGuiKey_7);
        ctx->KeyChars("7");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
    });
    EXPECT_EQ(weight(0, 0), 7);
    settle();
    harness_->save_screenshot("kernel_large_light_2x");
}

} // namespace
} // namespace kg
