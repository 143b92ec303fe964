// The start of the window: the first steps, the last state, one image or several.

#include "app/process/file/file_request.hpp"
#include "app/ui/shell/window_engines.hpp"
#include "tests/support/presets.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class StartTest : public PlaygroundTest {};

TEST(EngineOptions, TheGpuThatDrawsComputesUnlessAnotherIsNamed) {
    WindowOptions options;
    EXPECT_EQ(engine_options(options, 1).usual_device, 1);
    EXPECT_FALSE(engine_options(options, 1).device.has_value()) << "not named, so the CPU may replace it";
    EXPECT_EQ(engine_options(options, {}).usual_device, 0);
    options.engine_options.device = 0;
    EXPECT_EQ(engine_options(options, 1).device, 0);
    EngineOptions elsewhere;
    elsewhere.usual_device = 63; // a device that no machine has
    const auto choice = choose_engine(elsewhere);
    EXPECT_EQ(choice.engine->device().id, "cpu");
    EXPECT_NE(choice.notice, "");
}

TEST(EngineOptions, TheDrawingGpuIsQueriedOnlyWhereItMatters) {
    WindowOptions options;
    EXPECT_TRUE(needs_drawing_device(options));
    options.engine_options.engine = "cpu";
    EXPECT_FALSE(needs_drawing_device(options));
    options = {};
    options.display = "host";
    EXPECT_FALSE(needs_drawing_device(options));
    options = {};
    options.engine_options.device = 0;
    EXPECT_FALSE(needs_drawing_device(options));
}

TEST_F(StartTest, TheFirstStepsSpeakOfWhatIsShown) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    using At = FirstSteps::At;
    const auto at = [&] { return playground_->first_steps().at(); };
    document().set_recipe({});
    settle();
    harness_->run("without a step", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//first steps/" + named(icon::kPlay, "Show me", "show")).c_str());
        IM_CHECK(at() == At::divide); // there is no slider and no cell
        ctx->ItemClick("//first steps/Close##close");
    });
    Recipe own;
    own.steps = {parse_step("custom:size=3x3:weights=0,0,0,0,1,0,0,0,0")};
    document().set_recipe(own);
    settle();
    harness_->run("with cells alone", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/View##menu");
        ctx->ItemClick("//$FOCUSED/First steps");
        ctx->ItemClick(("//first steps/" + named(icon::kPlay, "Show me", "show")).c_str());
        IM_CHECK(at() == At::edit);
        document().remove_step(0);
        ctx->Yield(2);
        IM_CHECK(at() == At::divide);
    });
}

TEST_F(StartTest, TheFirstStepsAreDoneByDoingThem) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    using At = FirstSteps::At;
    const auto at = [&] { return playground_->first_steps().at(); };
    EXPECT_EQ(at(), At::offer);
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
    harness_->run("drag sigma", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//first steps/" + named(icon::kPlay, "Show me", "show")).c_str());
        IM_CHECK(at() == At::drag);
        ctx->ItemDragWithDelta("//left/recipe/sigma/##track", {-16, 0});
        ctx->Yield(2);
        IM_CHECK(at() == At::edit);
    });
    settle();
    harness_->save_screenshot("first_steps");
    harness_->run("edit a cell", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//left/recipe/sigma/##number");
        ctx->KeyCharsReplaceEnter("0.6");
        ctx->Yield(2);
        IM_CHECK(at() == At::edit);
        const auto cells = ctx->WindowInfo("//left/kernel_grid/cells");
        ctx->SetRef(cells.ID);
        ctx->ItemClick("$$0/##weight");
        ctx->KeyCharsReplaceEnter("-1");
        ctx->Yield(2);
        IM_CHECK(at() == At::divide);
    });
    harness_->run("move the divider", [&](ImGuiTestContext* ctx) {
        const auto* view = ImGui::FindWindowByName("view");
        const ImVec2 divider{view->Pos.x + view->Size.x / 2, view->Pos.y + 100};
        ctx->MouseMoveToPos(divider);
        ctx->MouseDown();
        ctx->MouseMoveToPos({divider.x - 90, divider.y});
        IM_CHECK(at() == At::divide); // not during the drag
        ctx->MouseUp();
        ctx->Yield(2);
        IM_CHECK(at() == At::done);
        ctx->ItemClick(("//first steps/" + named(icon::kCheck, "Close", "close")).c_str());
        IM_CHECK(at() == At::closed);
    });
}

TEST_F(StartTest, TheCardClosesByNotNowAndTheMenuOffersItAgain) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto at = [&] { return playground_->first_steps().at(); };
    harness_->run("not now", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//first steps/" + named(nullptr, "Not now", "later")).c_str());
        ctx->Yield(2);
    });
    EXPECT_EQ(at(), FirstSteps::At::closed);
    EXPECT_FALSE(ImGui::FindWindowByName("first steps")->WasActive);
    playground_->actions().run("first_steps");
    harness_->frames(2);
    EXPECT_EQ(at(), FirstSteps::At::offer);
    EXPECT_TRUE(ImGui::FindWindowByName("first steps")->WasActive);
}

TEST_F(StartTest, TheNormIsEnabledWhereTwoDirectionsAreCombined) {
    const auto is_enabled = [&] {
        bool enabled = false;
        harness_->run("look", [&](ImGuiTestContext* ctx) {
            enabled = (ctx->ItemInfo("//left/recipe/norm/L1").ItemFlags & ImGuiItemFlags_Disabled) == 0;
        });
        return enabled;
    };
    if (!start_with_step("sobel:direction=x")) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(is_enabled());
    harness_->save_screenshot("norm_disabled");
    document().set_value("direction", "magnitude");
    settle();
    EXPECT_TRUE(is_enabled());
}

TEST_F(StartTest, AnEditIsKeptAMomentLaterButNotTheRecipesOfLessons) {
    WindowOptions options;
    options.state_file = folder_ / "last.json";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(fs::exists(options.state_file));
    document().set_value("sigma", "3");
    harness_->frames(1);
    const double edited = ImGui::GetTime();
    document().set_value("sigma", "3.5");
    const auto kept = document().recipe();
    ASSERT_TRUE(harness_->frames_until([&] { return fs::exists(options.state_file); }));
    EXPECT_GE(ImGui::GetTime() - edited, 2) << "not in the midst of edits";
    EXPECT_EQ(read_last_state(options.state_file).recipe, kept);
    fs::remove(options.state_file);
    harness_->run("a lesson", [](ImGuiTestContext* ctx) {
        ctx->SetRef("top bar");
        ctx->ItemClick("workspace/Explain");
    });
    settle();
    ASSERT_NE(document().recipe(), kept);
    document().change([](Recipe& recipe) { recipe.border = Border::wrap; });
    settle();
    playground_->remember();
    ASSERT_TRUE(fs::exists(options.state_file));
    EXPECT_EQ(read_last_state(options.state_file).recipe, kept);
}

TEST_F(StartTest, ThemeScaleAndLayoutAreKeptThoughTheProgramEndsByForce) {
    WindowOptions options;
    options.state_file = folder_ / "last.json";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto kept = [&] { return read_last_state(options.state_file); };
    EXPECT_TRUE(kept().dark);
    playground_->actions().run("theme");
    harness_->frames_until([&] { return !kept().dark; });
    playground_->actions().run("scale_125");
    harness_->frames_until([&] { return kept().scale == 125; });
    playground_->actions().run("lock");
    harness_->frames_until([&] { return kept().own_layout; });
    EXPECT_FALSE(document().history().can_undo()) << "without an edit";
}

TEST_F(StartTest, TheLastRecipeIsRestoredWithoutFilesAndOfferedWithFiles) {
    WindowOptions options;
    options.state_file = folder_ / "last.json";
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(playground_->first_steps().at(), FirstSteps::At::offer);
    Recipe recipe;
    recipe.steps = {parse_step("sobel:direction=x")};
    recipe.border = Border::wrap;
    recipe.depth = Depth::u16;
    document().set_recipe(recipe);
    settle();
    playground_->remember();

    ASSERT_TRUE(start(options));
    EXPECT_EQ(document().recipe(), recipe);
    EXPECT_EQ(playground_->first_steps().at(), FirstSteps::At::closed);
    EXPECT_FALSE(document().history().can_undo());

    options.files = {photo()};
    ASSERT_TRUE(start(options));
    EXPECT_EQ(document().recipe(), Recipe());
    harness_->save_screenshot("last_recipe");
    playground_->remember(); // viewing an image keeps the last recipe
    harness_->run("use", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//left/recipe/" + named(icon::kRefresh, "Use", "last")).c_str());
    });
    settle();
    EXPECT_EQ(document().recipe(), recipe);
    document().undo();
    EXPECT_EQ(document().recipe(), Recipe());
    EXPECT_EQ(read_last_state(options.state_file).recipe, recipe);

    options.files = {};
    options.recipe.steps = {parse_step("box")};
    options.has_recipe = true;
    ASSERT_TRUE(start(options));
    EXPECT_EQ(document().recipe(), options.recipe) << "the command line has precedence";
}

TEST_F(StartTest, AResultOffersTheRecipeThatMadeIt) {
    Recipe recipe;
    recipe.steps = {parse_step("gaussian:sigma=3")};
    recipe.border = Border::wrap;
    LoadedImage original;
    original.pixels = sample_image({96, 64});
    WindowOptions options;
    options.files = {folder_ / "result.png"};
    write_file(options.files.front(),
               encode_result(original.pixels.view(), original, recipe, "png", "the result").bytes);
    options.recipe.steps = {parse_step("sobel")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(document().recipe(), options.recipe) << "offered, not forced";
    EXPECT_TRUE(document().messages().back().text.starts_with("result.png: made by Kernelglass "))
        << document().messages().back().text;
    harness_->save_screenshot("result_with_recipe");
    const auto use = "//left/recipe/" + named(icon::kRefresh, "Use its recipe", "image_recipe");
    harness_->run("use its recipe", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(use.c_str());
        ctx->Yield(2);
        IM_CHECK(!ctx->ItemExists(use.c_str())); // it is in use
    });
    settle();
    EXPECT_EQ(document().recipe(), recipe);
    document().undo();
    EXPECT_EQ(document().recipe(), options.recipe);
    document().open(photo());
    settle();
    EXPECT_FALSE(document().image_recipe());
}

TEST_F(StartTest, ThePinnedPixelIsInspectedFromTheStart) {
    WindowOptions options;
    options.files = {folder_ / "image.png"};
    write_image(options.files.front(), sample_image({96, 64}).view());
    options.recipe.steps = {parse_step("gaussian:sigma=2")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(document().reading());
    EXPECT_EQ(playground_->arrangement().front(), "presets");

    options.pin = {40, 20};
    ASSERT_TRUE(start(options));
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->x, 40);
    EXPECT_EQ(document().reading()->y, 20);
    EXPECT_EQ(document().reading()->after.size(), 4u) << "the number is there when the window has settled";
    EXPECT_TRUE(playground_->view().pinned());
    EXPECT_EQ(playground_->arrangement().front(), "pixel");
    harness_->save_screenshot("pinned_at_start");

    options.pin = {96, 20};
    ASSERT_TRUE(start(options));
    EXPECT_FALSE(playground_->view().pinned());
    EXPECT_EQ(document().messages().back().code(), "outside-image");
    EXPECT_EQ(document().messages().back().text, "There is no pixel 96,20 in this image, which is 96x64");
}

TEST_F(StartTest, SeveralImagesHaveAFilmstripAndKeys) {
    WindowOptions options;
    for (const auto* name : {"one.png", "two.png", "three.png"}) {
        options.files.push_back(folder_ / name);
        write_image(options.files.back(), sample_image({96, 64}).view());
    }
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(document().film().size(), 3u);
    harness_->run("key 2", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_2); });
    settle();
    EXPECT_EQ(document().title(), "two.png");
    harness_->run("click the third", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//film/$$2/##image"); });
    settle();
    EXPECT_EQ(document().title(), "three.png");
    harness_->context().on_drop({photo()});
    settle();
    EXPECT_EQ(document().film().size(), 4u);
    EXPECT_EQ(document().film_place(), 3u);
    harness_->save_screenshot("filmstrip");
    harness_->run("digits belong to a number that has the keyboard", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//left/recipe/" + named(icon::kPlus, "Add filter", "add")).c_str());
        ctx->Yield(4);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("Sharpen");
        ctx->Yield(4);
        const auto cells = ctx->WindowInfo("//left/kernel_grid/cells");
        ctx->SetRef(cells.ID);
        ctx->NavMoveTo("$$0/##weight");
        ctx->KeyPress(ImGuiKey_1);
        ctx->KeyChars("1");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
    });
    settle();
    EXPECT_EQ(document().film_place(), 3u);
    EXPECT_EQ(document().selected_stage()->kernels.front().weights.front(), 1.0f);
    harness_->run("take one out", [&](ImGuiTestContext* ctx) {
        ctx->NavMoveTo("//film/$$0/##image");
        ctx->KeyPress(ImGuiKey_Delete);
    });
    settle();
    EXPECT_EQ(document().film().size(), 3u);
    EXPECT_TRUE(fs::exists(options.files.front())) << "the file still exists";
}

TEST_F(StartTest, APresetReplacesTheSelectedStepAndPlusAppendsIt) {
    WindowOptions options;
    options.files = {photo()};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("click, plus", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Presets");
        ctx->ItemClick("//right/tabs/Presets/edges/##preset");
        IM_CHECK(document().recipe() == find_preset("edges").recipe);
        ctx->ItemClick("//right/tabs/Presets/emboss/##preset");
        IM_CHECK(document().recipe().steps == find_preset("emboss").recipe.steps);
        ctx->ItemClick((std::string("//right/tabs/Presets/box_blur/") + icon::kPlus + "##append").c_str());
        IM_CHECK_EQ(document().recipe().steps.size(), find_preset("emboss").recipe.steps.size() + 1);
        ctx->MouseMoveToPos({640, 400});
    });
    settle();
    EXPECT_FALSE(document().failure()) << document().failure()->what();
    for (const auto& preview : document().previews()) EXPECT_TRUE(preview);
    harness_->save_screenshot("presets");
}

TEST_F(StartTest, EveryFilterOfTheRegistryCanBeAddedAndItsParametersAreThere) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    for (const auto* filter : filters()) {
        const std::string title(filter->title);
        harness_->run(title.c_str(), [&](ImGuiTestContext* ctx) {
            ctx->ItemClick("//left/recipe/##kind");
            ctx->Yield(4);
            ctx->SetRef("//$FOCUSED");
            ctx->ItemClick(title.c_str());
            ctx->Yield(2);
            IM_CHECK_STR_EQ(document().selected_step()->filter.c_str(), std::string(filter->id).c_str());
        });
        harness_->frames(2);
        EXPECT_FALSE(document().failure()) << title << ": " << document().failure()->what();
        for (const auto& parameter : filter->parameters)
            EXPECT_FALSE(document().selected_step()->kernel ? false : document().value(parameter).empty())
                << title << " " << parameter.id;
    }
    settle();
}

TEST_F(StartTest, EnterInACellMovesToTheCellBelow) {
    WindowOptions options;
    options.recipe.steps = {parse_step("sharpen")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type down a column", [&](ImGuiTestContext* ctx) {
        const auto cells = ctx->WindowInfo("//left/kernel_grid/cells");
        ctx->SetRef(cells.ID);
        ctx->ItemClick("$$1/##weight");
        ctx->KeyCharsReplaceEnter("-2");
        ctx->Yield(3);
        ctx->KeyChars("9");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(3);
        ctx->KeyPress(ImGuiKey_LeftArrow);
        ctx->KeyChars("1/9");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(3);
    });
    settle();
    const auto& weights = document().selected_stage()->kernels.front().weights;
    EXPECT_EQ(weights.at(1), -2.0f);
    EXPECT_EQ(weights.at(4), 9.0f);
    EXPECT_EQ(weights.at(6), 1.0f / 9);
}

TEST_F(StartTest, TabsOfUnlockedPanelsStayWhileTheirContentScrolls) {
    if (!start({}, {.size = {1280, 500}})) GTEST_SKIP() << kNoOpenGl;
    playground_->actions().run("lock");
    settle();
    harness_->run("scroll the presets", [&](ImGuiTestContext* ctx) {
        ctx->WindowFocus("Presets##presets");
        ctx->Yield(2);
        const auto* window = ImGui::FindWindowByName("Presets##presets");
        IM_CHECK(window && window->DockNode && window->DockNode->TabBar);
        const auto* bar = window->DockNode->TabBar;
        const auto before = bar->BarRect;
        IM_CHECK_EQ(bar->Tabs.Size, 5);
        for (const auto& tab : bar->Tabs) { // none is off the side
            const float left = bar->BarRect.Min.x + tab.Offset - bar->ScrollingAnim;
            IM_CHECK_GE(left, bar->ScrollingRectMinX - 1);
            IM_CHECK_LE(left + tab.Width, bar->ScrollingRectMaxX + 1);
        }
        ctx->MouseMoveToPos(window->InnerRect.GetCenter());
        ctx->MouseWheelY(-50);
        ctx->Yield(4);
        IM_CHECK_GT(window->Scroll.y, 0.0f);
        IM_CHECK_EQ(bar->BarRect.Min.y, before.Min.y);
        IM_CHECK_LE(bar->BarRect.Max.y, window->InnerRect.Min.y + 1);
        IM_CHECK_EQ(ImGui::FindWindowByName("panels")->Scroll.y, 0.0f);
    });
    settle();
    harness_->save_screenshot("unlocked_scrolled");
}

TEST_F(StartTest, UnlockedPanelsAreWindowsAndResetPutsThemBack) {
    if (!start({})) GTEST_SKIP() << kNoOpenGl;
    const auto menu = [&](const char* item) {
        harness_->run(item, [&](ImGuiTestContext* ctx) {
            ctx->ItemClick("//top bar/View##menu");
            ctx->Yield(4);
            ctx->SetRef("//$FOCUSED");
            ctx->ItemClick(item);
        });
        settle();
    };
    harness_->run("folded", [](ImGuiTestContext* ctx) {
        IM_CHECK(ctx->ItemExists("//left/output/Output"));
        IM_CHECK(!ctx->ItemExists("//left/output/light/Stored"));
        ctx->ItemClick("//left/output/Output");
        ctx->Yield(2);
        IM_CHECK(ctx->ItemExists("//left/output/light/Stored"));
        ctx->ItemClick("//left/output/Output");
    });
    menu("Unlock panels");
    EXPECT_FALSE(playground_->arrangement().locked());
    const auto* recipe = ImGui::FindWindowByName("Recipe##recipe");
    ASSERT_TRUE(recipe && recipe->WasActive);
    EXPECT_TRUE(recipe->DockIsActive);
    const auto* view = ImGui::FindWindowByName("view");
    EXPECT_GE(view->Size.x * view->Size.y, 0.45f * 1280 * 800);
    harness_->save_screenshot("unlocked");
    harness_->run("a name in the tab needs no heading", [](ImGuiTestContext* ctx) {
        IM_CHECK(!ctx->ItemExists("//Output##output/output/Output"));
        IM_CHECK(ctx->ItemExists("//Output##output/**/light/Linear"));
    });
    harness_->run("undock", [&](ImGuiTestContext* ctx) { ctx->UndockWindow("Border##border"); });
    settle();
    EXPECT_FALSE(ImGui::FindWindowByName("Border##border")->DockIsActive);
    menu("Lock panels");
    EXPECT_TRUE(playground_->arrangement().locked());
    EXPECT_FALSE(ImGui::FindWindowByName("Border##border")->DockIsActive) << "it keeps its position";
    harness_->save_screenshot("locked_again");
    menu("Reset layout");
    EXPECT_FALSE(playground_->arrangement().is_own());
    EXPECT_TRUE(ImGui::FindWindowByName("left")->WasActive);
    EXPECT_FALSE(ImGui::FindWindowByName("Recipe##recipe")->WasActive);
}

} // namespace
} // namespace kg
