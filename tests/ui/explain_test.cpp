// The Explain workspace: pages set up what they speak of, and leaving brings back what was there.

#include "core/reference/reference.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/error_code.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <fstream>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ExplainTest : public PlaygroundTest {
protected:
    bool start_lesson(const std::string& lesson, const HarnessOptions& look = {}) {
        WindowOptions options;
        options.workspace = Workspace::explain;
        options.lesson = lesson;
        return start(options, look);
    }
    void press(const char* what, const char* label, const char* id, const char* icon = nullptr) {
        harness_->run(what, [&](ImGuiTestContext* ctx) {
            ctx->SetRef("lesson");
            ctx->ItemClick(named(icon, label, id).c_str());
        });
        settle();
    }
    const ExplainDesk& explain() { return playground_->explain(); }
    Extent shown_size() { return document().result()->job.request.size; }
};

TEST_F(ExplainTest, APageShowsItsImageRecipeAndPixel) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    harness_->save_screenshot("explain_first_page");
    EXPECT_EQ(explain().lesson().id, lessons().front().id);
    EXPECT_EQ(explain().page(), 0u);
    EXPECT_EQ(shown_size(), (Extent{5, 4}));
    EXPECT_EQ(document().recipe(), recipe_of(explain().lesson(), 0));
    EXPECT_EQ(document().view.mode, ViewState::Mode::result);
    EXPECT_EQ(playground_->view().pinned(), (std::pair<std::int64_t, std::int64_t>{1, 1}));
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->after.at(0), *explain().lesson().pages[0].expect);
    EXPECT_EQ(explain().panel(), "pixel");
}

TEST_F(ExplainTest, PagesAreTurnedByMouseAndKeyboard) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    press("next", "Next", "next");
    EXPECT_EQ(explain().page(), 1u);
    EXPECT_EQ(document().reading()->after.at(0), *explain().lesson().pages[1].expect);
    harness_->run("page down twice", [](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_PageDown);
        ctx->Yield();
        ctx->KeyPress(ImGuiKey_PageDown);
    });
    settle();
    EXPECT_EQ(explain().page(), 3u);
    EXPECT_GT(shown_size().width, 100); // the sample
    press("back", "Back", "previous");
    EXPECT_EQ(explain().page(), 2u);
    EXPECT_EQ(shown_size(), (Extent{5, 4}));
    harness_->run("page up", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_PageUp); });
    settle();
    EXPECT_EQ(explain().page(), 1u);
}

TEST_F(ExplainTest, TheButtonsTurnOnToOtherLessonsAsTheKeysDo) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    const auto& first = lessons().front();
    EXPECT_FALSE(explain().can_turn(-1));
    playground_->explain().go_to(1, 0);
    settle();
    press("back", "Back", "previous");
    EXPECT_EQ(explain().lesson().id, first.id);
    EXPECT_EQ(explain().page(), first.pages.size() - 1);
    press("next", "Next lesson", "next");
    EXPECT_EQ(explain().lesson().id, lessons()[1].id);
    EXPECT_EQ(explain().page(), 0u);
}

TEST_F(ExplainTest, WhatWasTriedCanBeSetUpAgain) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    document().change([](Recipe& r) { r.border = Border::wrap; });
    settle();
    ASSERT_NE(document().recipe(), recipe);
    harness_->run("again", [](ImGuiTestContext* ctx) {
        ctx->SetRef("lesson");
        ctx->ItemClick(named(icon::kRefresh, "", "again").c_str());
    });
    settle();
    EXPECT_EQ(document().recipe(), recipe);
}

TEST_F(ExplainTest, RecipeBorderAndKernelAreBelowTheText) {
    if (!start_lesson("03_borders")) GTEST_SKIP() << kNoOpenGl;
    const auto page = document().recipe();
    harness_->save_screenshot("explain_controls");
    harness_->run("another border", [](ImGuiTestContext* ctx) {
        const auto* window = ctx->WindowInfo("//lesson/controls").Window;
        IM_CHECK(window != nullptr);
        ctx->SetRef(window->ID);
        ctx->ItemClick("border/border wrap");
        IM_CHECK(ctx->WindowInfo("kernel_grid/cells").ID != 0);
        IM_CHECK(!ctx->ItemExists("recipe/slot/A")); // a lesson has one recipe
    });
    settle();
    EXPECT_EQ(document().recipe().border, Border::wrap);
    const auto expected = reference_image(document().result()->job.request,
                                          document().image()->pixels.view());
    ASSERT_TRUE(document().reading());
    EXPECT_EQ(document().reading()->after.at(0), sample(expected.view(), 0, 0, 0));
    harness_->run("undo", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z); });
    settle();
    EXPECT_EQ(document().recipe(), page);
    playground_->explain().go_to(7, 0); // Gaussian by hand
    settle();
    harness_->save_screenshot("explain_controls_gaussian");
}

/// A long text scrolls; the buttons that turn pages and the controls stay where they are reached.
TEST_F(ExplainTest, EveryPageLeavesRoomForTheControls) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    for (std::size_t lesson = 0; lesson < lessons().size(); ++lesson)
        for (std::size_t page = 0; page < lessons()[lesson].pages.size(); ++page) {
            playground_->explain().go_to(lesson, page);
            settle();
            harness_->run("look", [&](ImGuiTestContext* ctx) {
                const auto* controls = ctx->WindowInfo("//lesson/controls").Window;
                const auto* column = ctx->WindowInfo("//lesson").Window;
                IM_CHECK(controls != nullptr);
                EXPECT_GT(controls->Size.y, 150) << lesson << ", " << page;
                EXPECT_LE(controls->Pos.y + controls->Size.y, column->Pos.y + column->Size.y - 40);
            });
        }
}

TEST_F(ExplainTest, LeavingBringsBackImagesAndRecipe) {
    WindowOptions options;
    options.files = {folder_ / "one.png", folder_ / "two.png"};
    write_image(options.files[0], sample_image({90, 60}).view());
    write_image(options.files[1], sample_image({70, 50}).view());
    options.recipe.steps = {parse_step("sobel")};
    options.has_recipe = true;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    document().show(1);
    settle();
    const auto go_to = [&](const char* workspace) {
        harness_->run(workspace, [&](ImGuiTestContext* ctx) {
            ctx->SetRef("top bar");
            ctx->ItemClick(("workspace/" + std::string(workspace)).c_str());
        });
        settle();
    };
    go_to("Explain");
    EXPECT_EQ(playground_->workspace(), Workspace::explain);
    EXPECT_EQ(shown_size(), (Extent{5, 4}));
    go_to("Play");
    EXPECT_EQ(shown_size(), (Extent{70, 50}));
    EXPECT_EQ(document().film().size(), 2u);
    EXPECT_EQ(document().recipe(), options.recipe);
    go_to("Explain");
    go_to("Batch");
    EXPECT_EQ(document().film().size(), 2u);
}

TEST_F(ExplainTest, ALessonHasAnUndoOfItsOwnAndPlaysComesBack) {
    if (!start_with_step("sobel")) GTEST_SKIP() << kNoOpenGl;
    document().change([](Recipe& recipe) { recipe.border = Border::wrap; });
    const auto edited = document().recipe();
    const auto undo = [&] {
        harness_->run("undo", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z); });
        settle();
    };
    playground_->actions().run("explain");
    settle();
    const auto page = document().recipe();
    EXPECT_FALSE(document().history().can_undo());
    undo();
    EXPECT_EQ(document().recipe(), page) << "the recipe of Play does not belong here";
    document().change([](Recipe& recipe) { recipe.border = Border::zero; });
    undo();
    EXPECT_EQ(document().recipe(), page) << "what is tried in a lesson can be undone";
    playground_->explain().go_to(0, 1);
    settle();
    EXPECT_FALSE(document().history().can_undo()) << "nor do other pages";
    playground_->actions().run("play");
    settle();
    EXPECT_EQ(document().recipe(), edited);
    EXPECT_EQ(document().history().undo_name(), "Border reflect101 to wrap");
    undo();
    EXPECT_EQ(document().recipe().border, Border::reflect101);
    EXPECT_EQ(document().recipe().steps.size(), 1u);
}

TEST_F(ExplainTest, AnImageOpenedInALessonStaysOpen) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    write_image(folder_ / "one.png", sample_image({90, 60}).view());
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        ctx->Yield(3);
        type_path(ctx, folder_ / "one.png");
    });
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(document().title(), "one.png");
    for (const auto* workspace : {"explain", "play"}) {
        playground_->actions().run(workspace);
        settle();
    }
    EXPECT_EQ(document().title(), "one.png");
}

TEST_F(ExplainTest, TheLogEndsAPresentation) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    document().report(Message::Kind::info, "Something happened.");
    playground_->actions().run("present");
    harness_->frames(4);
    const auto presented = harness_->layer().look().scale;
    playground_->actions().run("log");
    harness_->run("the log is open, and Escape closes it", [&](ImGuiTestContext* ctx) {
        ctx->Yield(2);
        IM_CHECK_LT(harness_->layer().look().scale, presented);
        IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1);
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0);
    });
}

TEST_F(ExplainTest, ALessonOfOnesOwnComesFirst) {
    const auto path = folder_ / "mine.md";
    write_image(folder_ / "photo.png", sample_image({33, 22}).view());
    std::ofstream(path) << "# Mine\nAbout.\n\n## One\nimage: photo.png\nrecipe: sharpen\n\nText.\n";
    if (!start_lesson(path.string())) GTEST_SKIP() << kNoOpenGl;
    EXPECT_EQ(explain().lesson().title, "Mine");
    EXPECT_EQ(shown_size(), (Extent{33, 22}));
    harness_->save_screenshot("explain_own_lesson");
    std::ofstream(path) << "# Mine\n\n## One\nview: both\n";
    WindowOptions broken;
    broken.lesson = path.string();
    EXPECT_EQ(code_of([&] { start(broken); }), "bad-value");
}

TEST_F(ExplainTest, ABrokenPromiseOfALessonIsReported) {
    const auto path = folder_ / "mine.md";
    const auto page = [](const char* title, int expect) {
        return std::string("## ") + title +
               "\nimage: numbers 10 20 30 / 40 50 60 / 70 80 90\nrecipe: box:size=3\npin: 1,1\nexpect: " +
               std::to_string(expect) + "\n\nText.\n\n";
    };
    std::ofstream(path) << "# Mine\nAbout.\n\n" << page("Kept", 50) << page("Broken", 51);
    if (!start_lesson(path.string())) GTEST_SKIP() << kNoOpenGl;
    const auto reported = [&] {
        return std::ranges::count(document().messages(), std::string("broken-promise"),
                                  [](const Message& message) { return message.code(); });
    };
    EXPECT_EQ(reported(), 0);
    press("the broken one", "Next", "next");
    settle();
    harness_->save_screenshot("explain_promise");
    ASSERT_EQ(reported(), 1);
    const auto& text = document().messages().back().text;
    EXPECT_NE(text.find("is 50, not 51"), std::string::npos);
    EXPECT_NE(text.find("line 16"), std::string::npos) << text;
}

TEST_F(ExplainTest, AButtonPresents) {
    if (!start_lesson("03_borders")) GTEST_SKIP() << kNoOpenGl;
    harness_->save_screenshot("explain_present_button");
    press("present", "Present", "present", icon::kExpand);
    harness_->frames(3);
    const auto* bar = ImGui::FindWindowByName("top bar");
    EXPECT_FALSE(bar->Active) << "image and panel alone";
}

/// Drawn over the image, and counted below the text: at the pixel that is marked, and for the kernel shown.
TEST_F(ExplainTest, AFigureFollowsThePixelAndTheKernel) {
    if (!start_lesson("06_why_tiles")) GTEST_SKIP() << kNoOpenGl;
    const auto counted = [&] { return playground_->view().figure(document())->text.at(0); };
    press("the page with the tile", "Next", "next");
    ASSERT_TRUE(playground_->view().figure(document()));
    EXPECT_NE(counted().find("16 x 16 results read 20 x 20 = 400 pixels"), std::string::npos) << counted();
    harness_->save_screenshot("explain_tile");
    document().use_recipe(parse_recipe("custom:size=3x1:weights=1,1,1", "test"), "Another kernel");
    settle();
    EXPECT_NE(counted().find("16 x 16 results read 18 x 16 = 288 pixels"), std::string::npos) << counted();
    playground_->view().pin({0, 0});
    settle();
    EXPECT_EQ(playground_->view().figure(document())->text.size(), 3u) << "the halo leaves the image";
    playground_->explain().go_to(5, 3);
    settle();
    EXPECT_TRUE(playground_->view().pinned());
    EXPECT_FALSE(playground_->view().figure(document())) << "the last page has none";
    playground_->explain().go_to(6, 1);
    settle();
    harness_->save_screenshot("explain_warp");
    document().view.mode = ViewState::Mode::side;
    settle();
    EXPECT_FALSE(playground_->view().figure(document())->warp.empty());
    playground_->actions().run("play");
    settle();
    playground_->view().pin({0, 0});
    settle();
    EXPECT_TRUE(playground_->view().pinned());
    EXPECT_FALSE(playground_->view().figure(document())) << "figures belong to lessons";
}

/// Every page of every lesson has a result, and its right column fits.
TEST_F(ExplainTest, EveryPageOfEveryLessonIsShown) {
    if (!start_lesson("")) GTEST_SKIP() << kNoOpenGl;
    for (std::size_t i = 0; i < lessons().size(); ++i)
        for (std::size_t page = 0; page < lessons()[i].pages.size(); ++page) {
            playground_->explain().go_to(i, page);
            settle();
            const auto where = lessons()[i].id + ": " + lessons()[i].pages[page].title;
            ASSERT_TRUE(document().result()) << where;
            EXPECT_FALSE(document().failure()) << where;
            EXPECT_EQ(shown_size(), image_of(lessons()[i], page).size()) << where;
            EXPECT_EQ(playground_->view().pinned(), pin_of(lessons()[i], page)) << where;
            for (const auto& message : document().messages())
                EXPECT_EQ(message.kind, Message::Kind::info) << where << ": " << message.text;
            if (page == 1) harness_->save_screenshot("explain_" + lessons()[i].id);
        }
}

} // namespace
} // namespace kg
