// The kernel grid of the left column: cells, size, divisor and offset.

#include "app/ui/widgets/widgets.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <string_view>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class KernelGrid : public PlaygroundTest {
protected:
    bool start_with(const char* step, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.recipe.steps = {parse_step(step)};
        options.has_recipe = true;
        return start(options, look);
    }
    const Kernel& kernel() { return document().selected_stage()->kernels.front(); }
    static ImGuiID cells(ImGuiTestContext* ctx) { return ctx->WindowInfo("//left/kernel_grid/cells").ID; }
    static ImGuiWindow* cells_window(ImGuiTestContext* ctx) {
        return ctx->WindowInfo("//left/kernel_grid/cells").Window;
    }
};

TEST(CompactNumber, IsAccurateWhereThereIsRoomAndNeverZeroForASmallNumber) {
    EXPECT_EQ(compact_number(0, 3), "0");
    EXPECT_EQ(compact_number(0.0625, 8), "0.0625");
    EXPECT_EQ(compact_number(1.0 / 9, 8), "0.1111");
    EXPECT_EQ(compact_number(0.159155, 4), ".159");
    EXPECT_EQ(compact_number(-2, 3), "-2");
    EXPECT_EQ(compact_number(7.5e-5, 8), "7.5e-5");
    EXPECT_EQ(compact_number(7.6e-5, 4), "8e-5");
    EXPECT_EQ(compact_number(7.5e-5, 3), "~0");
    EXPECT_EQ(compact_number(-1e-12, 5), "~0");
    EXPECT_EQ(compact_number(123456, 4), "1e5");
    for (const double value : {3e-7, -0.049, 0.5, 1e-30, 99.5, -1234.5})
        for (int width = 1; width < 10; ++width) EXPECT_NE(compact_number(value, width), "0") << value;
}

TEST_F(KernelGrid, SevenAndElevenColumnsFitAndTheirCellsCanBeTypedInto) {
    for (const auto* step : {"gaussian:sigma=1:size=7", "gaussian:sigma=2:size=11"}) {
        if (!start_with(step)) GTEST_SKIP() << kNoOpenGl;
        const auto size = kernel().width;
        harness_->run("type", [&](ImGuiTestContext* ctx) {
            const auto* window = cells_window(ctx);
            IM_CHECK(window != nullptr);
            IM_CHECK_EQ(window->ScrollMax.x, 0.0f);
            IM_CHECK_EQ(window->ScrollMax.y, 0.0f);
            const auto last = "$$" + std::to_string(size * size - 1) + "/##weight";
            ctx->SetRef(cells(ctx));
            ctx->ItemClick(last.c_str());
            ctx->Yield(2);
            IM_CHECK(std::string_view(ctx->ItemInfo(last.c_str()).DebugLabel).starts_with("##")); // not drawn
            harness_->save_screenshot("kernel_open_" + std::to_string(size));
            ctx->KeyCharsReplaceEnter("1/3");
        });
        EXPECT_EQ(kernel().weights.back(), 1.0f / 3);
        settle();
        harness_->save_screenshot("kernel_" + std::to_string(size));
    }
}

TEST_F(KernelGrid, TheWheelScrollsTheColumnUnlessTheCellHasTheFocus) {
    if (!start_with("gaussian:sigma=1:size=11", {.size = {1280, 600}})) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    harness_->run("scroll over a cell", [&](ImGuiTestContext* ctx) {
        const auto* left = ctx->WindowInfo("//left").Window;
        ctx->SetRef(cells(ctx));
        ctx->MouseMove("$$60/##weight");
        const float before = left->Scroll.y;
        ctx->MouseWheelY(-1);
        ctx->Yield(4);
        IM_CHECK(left->Scroll.y > before);
        IM_CHECK(document().recipe() == recipe);
        ctx->MouseWheelY(1);
        ctx->SleepNoSkip(1, 0.5f);
    });
    harness_->run("focus it, then turn the wheel", [&](ImGuiTestContext* ctx) {
        const auto* left = ctx->WindowInfo("//left").Window;
        ctx->SetRef(cells(ctx));
        ctx->ItemClick("$$60/##weight");
        ctx->Yield(2);
        const float before = left->Scroll.y;
        ctx->MouseWheelY(1);
        ctx->Yield(2);
        IM_CHECK_EQ(left->Scroll.y, before);
        ctx->MouseWheelY(1);
        ctx->SleepNoSkip(1, 0.1f);
    });
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_NEAR(kernel().weights[60], 0.18f, 1e-6) << "two steps of 0.01 from 0.159";
    document().undo();
    EXPECT_EQ(document().recipe(), recipe) << "a burst is one entry";
}

TEST_F(KernelGrid, StaysInItsPlaceWhenANamedFilterBecomesCustom) {
    if (!start_with("unsharp:sigma=1")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("edit a cell", [&](ImGuiTestContext* ctx) {
        ctx->SetRef(cells(ctx));
        const auto before = ctx->ItemInfo("$$0/##weight").RectFull;
        ctx->ItemClick("$$0/##weight");
        ctx->KeyCharsReplaceEnter("2");
        ctx->MouseMoveToPos({640, 400});
        ctx->Yield(4);
        IM_CHECK(document().origins()[0].has_value());
        const auto after = ctx->ItemInfo("$$0/##weight").RectFull;
        IM_CHECK_EQ(before.Min.x, after.Min.x);
        IM_CHECK_EQ(before.Min.y, after.Min.y);
        IM_CHECK_EQ(before.Max.x, after.Max.x);
        ctx->SetRef("//left/recipe"); // its filter's parameters keep their place, without effect
        IM_CHECK((ctx->ItemInfo("sigma/##track").ItemFlags & ImGuiItemFlags_Disabled) != 0);
    });
    settle();
    harness_->save_screenshot("kernel_custom_from");
}

TEST_F(KernelGrid, DivisorAndOffsetOfALargeKernelCanBeEdited) {
    if (!start_with("gaussian:sigma=5:size=31")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//left/kernel_grid");
        ctx->ItemClick("##divisor");
        ctx->KeyCharsReplaceEnter("2");
        ctx->ItemClick("##offset");
        ctx->KeyCharsReplaceEnter("1/4");
    });
    ASSERT_TRUE(document().selected_step()->kernel);
    EXPECT_EQ(kernel().divisor, 2);
    EXPECT_EQ(kernel().offset, 0.25f);
    EXPECT_EQ(kernel().width, 31);
}

} // namespace
} // namespace kg
