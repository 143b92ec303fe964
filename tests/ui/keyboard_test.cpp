// The window without a mouse: every item can be focused by keys, shows the focus, and acts as by a click.

#include "tests/measure/support/sample_report.hpp"
#include "tests/ui/support/keyboard_fixture.hpp"

#include <set>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

TEST_F(KeyboardTest, F6VisitsAllRegions) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    const std::set<std::string> all{"view", "film", "right", "left", "top bar", "view bar", "status"};
    std::set<std::string> seen;
    harness_->run("go round", [&](ImGuiTestContext* ctx) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            ctx->KeyPress(ImGuiKey_F6);
            IM_CHECK(seen.insert(region()).second);
            IM_CHECK(focused() != 0);
        }
    });
    EXPECT_EQ(seen, all);
    harness_->run("unlocked, too", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "top bar");
        press(ctx, "//top bar/View##menu");
        ctx->KeyPress(ImGuiKey_DownArrow, 2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
        IM_CHECK(!playground_->arrangement().locked());
        for (const auto* panel : {"Pixel##pixel", "Presets##presets", "Recipe##recipe", "Border##border"})
            go_to(ctx, panel);
    });
}

TEST_F(KeyboardTest, TabReachesEveryItemAndShowsWhereItIs) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    watch();
    std::size_t reached = 0;
    harness_->run("walk", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "left");
        press(ctx, "//left/output/Output"); // opens the section
        for (const auto* window : {"top bar", "view bar", "left", "film", "status"})
            reached += walk(ctx, window);
        for (const auto* tab : {"Pixel", "Kernel", "Histogram", "Timing", "Presets"}) {
            go_to(ctx, "right");
            press(ctx, std::string("//right/tabs/") + tab);
            reached += walk(ctx, "right");
        }
    });
    EXPECT_GT(reached, 100u);
    EXPECT_EQ(ImGui::FindWindowByName("left")->Scroll.x, 0) << "columns scroll vertically only";
    harness_->save_screenshot("keyboard_walk");
}

TEST_F(KeyboardTest, TheImageShowsTheFocusOnAllSides) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    watch();
    harness_->run("focus the image", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "view");
        const auto whole = ctx->ItemInfo("//view/pixels").RectFull;
        constexpr float kRim = 4, kMiddle = 100; // pixels of the middle of each side, within the image
        const auto middle = whole.GetCenter();
        const ImRect sides[]{{{middle.x, whole.Min.y}, {middle.x + kMiddle, whole.Min.y + kRim}},
                             {{middle.x, whole.Max.y - kRim}, {middle.x + kMiddle, whole.Max.y}},
                             {{whole.Min.x, middle.y}, {whole.Min.x + kRim, middle.y + kMiddle}},
                             {{whole.Max.x - kRim, middle.y}, {whole.Max.x, middle.y + kMiddle}}};
        for (const auto& side : sides) EXPECT_GE(ring(ctx, side), kMiddle) << side.Min.x << "," << side.Min.y;
    });
    harness_->save_screenshot("keyboard_view");
}

TEST_F(KeyboardTest, TabReachesEveryItemOfExplainAndBench) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    watch();
    playground_->actions().run("explain");
    auto reached = walk_all({"lesson", "lesson panel", "view bar"});
    playground_->actions().run("bench");
    auto report = measure::sweep();
    report.devices[0].limits = {20, 100, true};
    playground_->bench().reports().take_own(std::make_shared<const RankedReport>(std::move(report), "own"));
    reached += walk_all({"bench", "bench head", "bench sheet", "bench details"});
    EXPECT_GT(reached, 50u);
}

TEST_F(KeyboardTest, TabReachesTheRowsOfABenchTableThatScrolls) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    watch();
    playground_->actions().run("bench");
    auto report = measure::one_request();
    const auto row = report.rows.front();
    constexpr int kMore = 30;
    for (int i = 0; i < kMore; ++i) {
        auto more = row;
        more.algorithm = "variant_" + std::to_string(i);
        const auto at = more.name.find(row.algorithm);
        ASSERT_NE(at, std::string::npos) << more.name;
        more.name.replace(at, row.algorithm.size(), more.algorithm);
        report.rows.push_back(more);
    }
    playground_->bench().reports().take_own(std::make_shared<const RankedReport>(std::move(report), "own"));
    EXPECT_GT(walk_all({"bench sheet"}), static_cast<std::size_t>(kMore));
    harness_->save_screenshot("bench_scrolls");
}

TEST_F(KeyboardTest, KeysDoWhatClicksDoInTheRecipe) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    const auto steps = [&]() -> const std::vector<Step>& { return document().recipe().steps; };
    harness_->run("add, select, leave out, move, remove a step", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "left");
        press(ctx, "//left/recipe/" + named(icon::kPlus, "Add filter", "add"));
        ctx->KeyPress(ImGuiKey_DownArrow, 2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
        IM_CHECK_EQ(steps().size(), size_t{4});
        const auto added = steps().back();
        press(ctx, "//left/recipe/$$0/##step");
        IM_CHECK_EQ(document().selected(), 0);
        press(ctx, "//left/recipe/$$0/##enabled");
        IM_CHECK(!steps()[0].enabled);
        tab_to(ctx, "//left/recipe/$$3/##step");
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_UpArrow);
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_UpArrow);
        IM_CHECK(steps()[1] == added); // the focus moved with it
        press(ctx, "//left/recipe/$$1/" + named(icon::kClose, "", "remove"));
        IM_CHECK_EQ(steps().size(), size_t{3});
    });
    harness_->run("turn a slider, reset it, choose a border", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "left");
        press(ctx, "//left/recipe/$$0/##step");
        tab_to(ctx, "//left/recipe/amount/##track");
        const auto before = document().recipe();
        ctx->KeyPress(ImGuiKey_Space);
        ctx->KeyPress(ImGuiKey_RightArrow, 3);
        ctx->KeyPress(ImGuiKey_Enter);
        IM_CHECK(document().recipe() != before);
        IM_CHECK(steps()[0].values.contains("amount"));
        ctx->KeyPress(ImGuiKey_Delete);
        IM_CHECK(!steps()[0].values.contains("amount"));
        press(ctx, "//left/border/border wrap");
        IM_CHECK(document().recipe().border == Border::wrap);
    });
}

TEST_F(KeyboardTest, KeysDoWhatClicksDoInThePresetsTheViewAndTheFilmstrip) {
    if (!start_with_everything()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("a preset, a tab, a mode, an image", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "right");
        press(ctx, "//right/tabs/Presets");
        press(ctx, std::string("//right/tabs/Presets/box_blur/") + icon::kPlus + "##append");
        IM_CHECK_STR_EQ(document().recipe().steps.back().filter.c_str(), "box");
        go_to(ctx, "view bar");
        press(ctx, "//view bar/mode/Side");
        IM_CHECK(document().view.mode == ViewState::Mode::side);
        go_to(ctx, "film");
        press(ctx, "//film/$$1/##image");
        IM_CHECK_EQ(document().film_place(), size_t{1});
    });
    harness_->run("the log opens and closes", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "status");
        ctx->KeyPress(ImGuiKey_Space);
        ctx->Yield(4);
        IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
        IM_CHECK_STR_EQ(region().c_str(), "status");
    });
    harness_->run("zoom", [&](ImGuiTestContext* ctx) {
        go_to(ctx, "view");
        const auto zoom = playground_->view().zoom();
        ctx->KeyPress(ImGuiKey_Equal);
        IM_CHECK(playground_->view().zoom() > zoom);
        ctx->KeyPress(ImGuiKey_Minus, 2);
        IM_CHECK(playground_->view().zoom() < zoom);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
        IM_CHECK(playground_->view().is_fit());
    });
    harness_->run("F5 reads the file again", [&](ImGuiTestContext* ctx) {
        write_image(folder_ / "two.png", sample_image({48, 32}).view());
        ctx->KeyPress(ImGuiKey_F5);
    });
    settle();
    EXPECT_EQ(document().image()->pixels.size(), (Extent{48, 32}));
    harness_->run("Ctrl+W closes an image, not the last", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_W);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_W);
    });
    settle();
    EXPECT_EQ(document().title(), "one.png");
    EXPECT_EQ(document().film().size(), 1u);
}

} // namespace
} // namespace kg
