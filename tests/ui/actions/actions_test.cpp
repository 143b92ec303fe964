// The table of actions, the command palette and the page of shortcuts.

#include "core/support/text.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ActionsTest : public PlaygroundTest {
protected:
    bool start_with_images(Workspace workspace = Workspace::play) {
        WindowOptions options;
        options.workspace = workspace;
        options.recipe.steps = {parse_step("gaussian:sigma=2")};
        options.has_recipe = true;
        for (const auto* name : {"one.png", "two.png"}) {
            options.files.push_back(folder_ / name);
            write_image(options.files.back(), sample_image({96, 64}).view());
        }
        return start(options);
    }
    const ActionTable& actions() const { return playground_->actions(); }
    static bool any_popup() {
        return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    }

    /// Everything that an action may change, as text.
    std::string state() {
        auto& d = document();
        std::ostringstream text;
        for (std::size_t i = 0; i < kRecipeSlots; ++i)
            for (const auto& step : d.slot_recipe(i).steps) text << i << ":" << to_text(step) << " ";
        const auto* focus = ImGui::GetCurrentContext()->NavWindow;
        const auto& panel = harness_->layer().look().theme.panel;
        text << d.slot() << d.busy() << d.film().size() << d.film_place() << d.image().get()
             << static_cast<int>(d.view.mode) << d.view.original_stays << playground_->view().is_fit()
             << playground_->view().zoom() << playground_->view().pinned().has_value()
             << static_cast<int>(playground_->workspace()) << playground_->explain().lesson().id
             << playground_->explain().page() << playground_->arrangement().locked()
             << playground_->arrangement().is_own() << playground_->arrangement().front()
             << static_cast<int>(playground_->first_steps().at()) << harness_->context().should_close()
             << int{panel.r} << harness_->layer().look().scale << any_popup() << d.messages().size()
             << (focus ? focus->Name : "") << playground_->desk().session().preview()->images.size()
             << d.shows_to_selected();
        const auto& signal = playground_->signal().signal();
        text << preset_text(signal.edit()) << signal.source().get() << signal.busy()
             << playground_->signal().plots().shown().length();
        const auto& bank = playground_->bank().bank();
        text << preset_text(bank.edit()) << bank.source().get() << bank.busy();
        const auto& look = playground_->view().settings();
        text << look.colours.exposure << static_cast<int>(look.colours.channel)
             << static_cast<int>(look.colours.map) << look.colours.zebra << look.outside;
        if (const char* copied = ImGui::GetClipboardText()) text << copied;
        return text.str();
    }

    /// Types into the palette and runs the first line.
    static void run_by_palette(ImGuiTestContext* ctx, const std::string& words) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
        ctx->Yield(2);
        ctx->KeyChars(words.c_str());
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
    }
};

TEST_F(ActionsTest, IdsAndTitlesAreUniqueAndKeysAreUniqueInEveryWorkspace) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    std::set<std::string> ids, titles;
    std::map<std::pair<std::string, ImGuiKeyChord>, std::string> keys;
    std::vector<std::string> workspaces{"play", "explain", "bench", "batch", "signal", "bank"};
    for (const auto& action : actions().all()) {
        EXPECT_TRUE(ids.insert(action.id).second) << action.id;
        EXPECT_TRUE(titles.insert(title(action)).second) << title(action);
        EXPECT_FALSE(action.tooltip.empty()) << action.id;
        EXPECT_TRUE(action.run) << action.id;
        for (const auto key : action.keys) EXPECT_STRNE(ImGui::GetKeyChordName(key), "") << action.id;
    }
    for (const auto& workspace : workspaces) {
        actions().run(workspace);
        settle();
        for (const auto& action : actions().all()) {
            if (why_not(action).starts_with("It is for the workspace")) continue; // another one
            for (const auto key : action.keys)
                EXPECT_TRUE(keys.emplace(std::pair(workspace, key), action.id).second)
                    << action.id << " and " << keys[std::pair(workspace, key)] << " in " << workspace;
        }
    }
    EXPECT_GT(keys.size(), 80u);
}

TEST_F(ActionsTest, HaveTheKeysThatPeopleKnow) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    constexpr std::pair<const char*, const char*> kKeys[] = {
        {"open", "Ctrl+O"},    {"save_again", "Ctrl+S"},  {"close_image", "Ctrl+W"},
        {"quit", "Ctrl+Q"},    {"undo", "Ctrl+Z"},        {"redo", "Ctrl+Y"},
        {"copy", "Ctrl+C"},    {"paste", "Ctrl+V"},       {"reload", "F5"},
        {"fit", "Ctrl+0"},     {"actual_size", "Ctrl+1"}, {"image_1", "1"},
        {"image_9", "9"},      {"recipe_a", "Alt+1"},     {"recipe_c", "Alt+3"},
        {"next_region", "F6"}, {"present", "F11"},        {"original", "O"},
        {"unpin", "Escape"},   {"shortcuts", "?"},        {"palette", "Ctrl+Shift+P"}};
    for (const auto& [id, key] : kKeys) EXPECT_EQ(first_key(actions().find(id)), key) << id;
}

TEST_F(ActionsTest, EveryActionChangesTheStateOrTellsWhyItCannotRun) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    std::size_t ran = 0;
    std::vector<std::string> ids;
    for (const auto& action : actions().all()) ids.push_back(action.id);
    std::size_t filters = 0;
    for (const std::string workspace : {"play", "explain", "batch", "signal", "bank"}) {
        for (const auto& id : ids) {
            if (id.starts_with("sample")) continue; // they close the images: tests/ui/samples_test.cpp
            const bool alike = id.starts_with("add_") || id.starts_with("preset_"); // one for each filter
            if (alike && (workspace != "play" || ++filters % 10 != 0)) continue;
            playground_->desk().actions().edit_recipe(); // back to Play
            document().use_recipe(recipe, "Begin");
            document().view = {};
            playground_->view().unpin();
            if (playground_->workspace() == Workspace::play) actions().run(workspace);
            settle();
            const auto& action = actions().find(id);
            if (!why_not(action).empty()) continue;
            const auto before = state();
            harness_->run(id.c_str(), [&](ImGuiTestContext* ctx) {
                action.run();
                const bool at_once = state() != before; // reading a file again ends as it was
                ctx->Yield(4);
                EXPECT_TRUE(at_once || state() != before) << id << " in " << workspace;
                for (int i = 0; i < 3 && any_popup(); ++i) ctx->KeyPress(ImGuiKey_Escape), ctx->Yield(2);
                EXPECT_FALSE(any_popup()) << id;
            });
            harness_->context().set_should_close(false);
            ++ran;
        }
    }
    EXPECT_GT(ran, 50u);
}

TEST_F(ActionsTest, ThePaletteShowsPanelsAndTheKernelsWindow) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("by their names", [&](ImGuiTestContext* ctx) {
        for (const std::string panel : {"Pixel", "Kernel", "Histogram", "Timing", "Presets"}) {
            run_by_palette(ctx, "show " + panel);
            IM_CHECK_STR_EQ(playground_->arrangement().front().c_str(), lower_case(panel).c_str());
            IM_CHECK_EQ(why_not(actions().find("show_" + lower_case(panel))), std::string("It is shown"));
        }
        run_by_palette(ctx, "edit kernel in a window");
        const auto* window = ImGui::FindWindowByName("Kernel##large");
        IM_CHECK(window && window->WasActive);
    });
    actions().run("batch");
    settle();
    EXPECT_TRUE(why_not(actions().find("show_pixel")).starts_with("It is for the workspace Play"));
    EXPECT_TRUE(why_not(actions().find("edit_kernel")).starts_with("It is for the workspace Play"));
}

TEST_F(ActionsTest, ThePaletteFindsByWordsAndRunsByKeys) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("add a filter", [&](ImGuiTestContext* ctx) {
        run_by_palette(ctx, "add sobel");
        IM_CHECK_EQ(document().recipe().steps.size(), size_t{2});
        IM_CHECK_STR_EQ(document().recipe().steps.back().filter.c_str(), "sobel");
        IM_CHECK(!any_popup());
        run_by_palette(ctx, "border wrap");
        IM_CHECK(document().recipe().border == Border::wrap);
        run_by_palette(ctx, "light linear");
        IM_CHECK(document().recipe().light == Light::linear);
        run_by_palette(ctx, "depth u16");
        IM_CHECK(document().recipe().depth == Depth::u16);
        IM_CHECK_EQ(why_not(actions().find("set_depth_u16")), std::string("It is set"));
        run_by_palette(ctx, "SPLIT mode");
        IM_CHECK(document().view.mode == ViewState::Mode::split);
        run_by_palette(ctx, "view zebra");
        IM_CHECK(playground_->view().settings().colours.zebra);
        run_by_palette(ctx, "green alone");
        run_by_palette(ctx, "view only reset");
        IM_CHECK(playground_->view().settings() == ViewSettings{});
        run_by_palette(ctx, "show to selected");
        IM_CHECK(document().shows_to_selected());
    });
    harness_->run("arrows choose, letters are typed, Escape closes", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
        ctx->Yield(2);
        ctx->KeyChars("workspace");
        ctx->Yield(2);
    });
    harness_->frames(4);
    harness_->save_screenshot("palette");
    harness_->run("the third of those that can run", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_DownArrow, 2);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
        IM_CHECK(playground_->workspace() == Workspace::batch);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
        ctx->Yield(2);
        ctx->KeyChars("o1?");
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK(!any_popup());
        IM_CHECK(!document().view.original_stays);
        IM_CHECK(playground_->workspace() == Workspace::batch);
    });
}

TEST_F(ActionsTest, ThePaletteShowsWhatCannotRunAndFollowsTheMouse) {
    if (!start_with_images(Workspace::batch)) GTEST_SKIP() << kNoOpenGl;
    const auto before = document().recipe();
    harness_->run("a disabled action stays, with its reason", [&](ImGuiTestContext* ctx) {
        run_by_palette(ctx, "add scharr"); // in Play and Explain
        IM_CHECK(any_popup());
        ctx->KeyPress(ImGuiKey_Escape);
        IM_CHECK(document().recipe() == before);
    });
    harness_->run("by the mouse", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/View##menu");
        ctx->ItemClick("//$FOCUSED/Command palette...");
        ctx->Yield(2);
        ctx->KeyChars("light theme");
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("**/theme/##action");
        ctx->Yield(4);
        IM_CHECK(!any_popup());
        IM_CHECK_STR_EQ(title(actions().find("theme")).c_str(), "Dark theme");
        IM_CHECK_EQ(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, colour(kLight.panel).x);
        ctx->ItemClick("//top bar/View##menu");
        ctx->ItemClick("//$FOCUSED/Dark theme");
        ctx->Yield(2);
        IM_CHECK_EQ(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, colour(kDark.panel).x);
    });
}

TEST_F(ActionsTest, TheModeSideFitsTheImages) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    for (const auto* id : {"actual_size", "mode_split"}) actions().run(id);
    settle();
    EXPECT_FALSE(playground_->view().is_fit());
    actions().run("mode_side");
    settle();
    EXPECT_TRUE(playground_->view().is_fit());
    EXPECT_EQ(document().view.mode, ViewState::Mode::side);
}

TEST_F(ActionsTest, ThePageOfShortcutsHasEveryKeyAndClosesByEscape) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->KeyChars("?");
        ctx->Yield(4);
        IM_CHECK(ImGui::GetTopMostPopupModal() != nullptr);
    });
    harness_->frames(4);
    harness_->save_screenshot("shortcuts");
    harness_->run("close", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B); // not while it is open
        IM_CHECK(playground_->workspace() == Workspace::play);
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK(!any_popup());
        ctx->KeyPress(ImGuiKey_F1);
        ctx->Yield(2);
        IM_CHECK(any_popup());
        ctx->ItemClick("//$FOCUSED/Close##close");
        ctx->Yield(2);
        IM_CHECK(!any_popup());
    });
}

TEST_F(ActionsTest, TheFileMenuOpensARecentFile) {
    if (!start_with_images()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/File##file menu");
        ctx->ItemClick("//$FOCUSED/Open recent");
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("**/two.png");
    });
    settle();
    ASSERT_EQ(document().film().size(), 1u);
    EXPECT_EQ(document().image()->path.filename(), "two.png");
}

} // namespace
} // namespace kg
