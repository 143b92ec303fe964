// Reloading, scale, log, several files, drops, the clipboard, presenting.

#include "tests/support/app/pages_tiff.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <utility>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ComfortTest : public PlaygroundTest {
protected:
    fs::path image(const char* name, Extent size = {96, 64}) const {
        write_image(folder_ / name, sample_image(size).view());
        return folder_ / name;
    }
    bool start_with_image() {
        WindowOptions options;
        options.files = {image("one.png")};
        options.state_file = folder_ / "last.json";
        options.recipe.steps = {parse_step("gaussian:sigma=2")};
        options.has_recipe = true;
        return start(options);
    }
    const ActionTable& actions() const { return playground_->actions(); }
    /// Whether a chip lies at the lower left of the image: its colour is there, left of its text.
    bool has_chip() {
        harness_->frames(2);
        const auto& look = harness_->layer().look();
        const auto* view = ImGui::FindWindowByName("view");
        const auto x = static_cast<std::int64_t>(view->Pos.x + look.px(8 + 4)),
                   y = static_cast<std::int64_t>(view->Pos.y + view->Size.y - look.px(8 + 12));
        const auto screen = harness_->screenshot();
        const auto* pixel = std::as_const(screen).view().row<std::uint8_t>(y) + 4 * x;
        return Rgb{pixel[0], pixel[1], pixel[2]} == look.theme.field;
    }
};

TEST_F(ComfortTest, AChangedFileIsOfferedAndReadAgainOnlyWhenAsked) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto& file = document().file;
    const auto look_twice = [&] { // the first may have begun before
        const auto before = file.looks();
        harness_->frames_until([&] { return file.looks() >= before + 2; });
    };
    look_twice();
    EXPECT_FALSE(file.changed());
    const auto recipe = document().recipe();
    image("one.png", {120, 80});
    harness_->frames_until([&] { return file.changed(); });
    EXPECT_EQ(document().image()->pixels.size(), (Extent{96, 64})) << "not by itself";
    harness_->frames(2);
    harness_->save_screenshot("changed_on_disk");
    harness_->run("by the chip", [&](ImGuiTestContext* ctx) { ctx->ItemClick("//view/changed"); });
    settle();
    EXPECT_EQ(document().image()->pixels.size(), (Extent{120, 80}));
    EXPECT_EQ(document().recipe(), recipe);
    look_twice();
    EXPECT_FALSE(file.changed());
    image("one.png", {60, 40});
    harness_->run("by the key", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_F5); });
    settle();
    EXPECT_EQ(document().image()->pixels.size(), (Extent{60, 40}));
    fs::remove(folder_ / "one.png");
    look_twice();
    EXPECT_FALSE(file.changed()) << "it is gone: there is nothing to reload";
}

TEST_F(ComfortTest, AChangedFileWakesAnIdleWindow) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    image("one.png", {120, 80});
    constexpr double kLong = 600; // seconds; only a failure takes so long
    // Nothing is drawn: the first call may return for what happened before.
    while (!document().file.changed() && harness_->context().wait(kLong)) {
    }
    EXPECT_TRUE(document().file.changed());
}

TEST_F(ComfortTest, TheScaleIsChosenByMenuAndKeysAndRemembered) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const float before = harness_->layer().look().scale;
    harness_->run("menu", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/View##menu");
        ctx->ItemClick("//$FOCUSED/Scale");
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("**/Scale 125 %");
        ctx->Yield(4);
    });
    EXPECT_EQ(harness_->layer().look().scale, before * 1.25f);
    harness_->run("keys", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
        ctx->Yield(2);
        IM_CHECK_EQ(harness_->layer().look().scale, before);
        ctx->MouseMove("//view");
        const auto zoom = playground_->view().zoom();
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
        ctx->Yield(2);
        IM_CHECK_EQ(harness_->layer().look().scale, before * 1.25f);
        IM_CHECK(playground_->view().is_fit() || playground_->view().zoom() == zoom);
    });
    EXPECT_FALSE(why_not(actions().find("scale_200")).empty()) << "1280 x 800 is too small for it";
    playground_->remember();
    ASSERT_TRUE(start_with_image());
    harness_->frames(4);
    EXPECT_EQ(harness_->layer().look().scale, before * 1.25f);
    harness_->save_screenshot("scale_125"); // scripts restore the style at their end
}

TEST_F(ComfortTest, TheLogHasTimesAndIsCopied) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    document().report(Message::Kind::warning, "Something to know");
    document().report(Error("some-code", "Something went wrong"));
    harness_->frames(2);
    EXPECT_LT(playground_->view().next_change(document()), FramePacer::kNever) << "a toast fades";
    harness_->save_screenshot("toast");
    harness_->run("open by a click on the newest", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//status/messages");
        ctx->Yield(3);
        IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
        ctx->KeyPress(ImGuiKey_Escape);
    });
    harness_->run("open by the action", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/View##menu");
        ctx->ItemClick("//$FOCUSED/Messages");
        ctx->Yield(3);
    });
    harness_->frames(3);
    harness_->save_screenshot("log");
    std::string copied;
    harness_->run("copy", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick(named(icon::kCopy, "Copy all", "copy log").c_str());
        copied = ImGui::GetClipboardText();
        ctx->KeyPress(ImGuiKey_Escape);
    });
    EXPECT_EQ(copied, log_text(document().messages()));
    EXPECT_NE(copied.find("  warning  Something to know\n"), std::string::npos) << copied;
    EXPECT_NE(copied.find("  error  Something went wrong\n"), std::string::npos) << copied;
}

/// A toast over the image, and red in the status bar.
TEST_F(ComfortTest, AnEditAnswersAnErrorWhichTheLogKeeps) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(document().paste_kernel("neither a kernel nor a recipe"));
    harness_->frames();
    EXPECT_FALSE(document().is_last_message_past());
    EXPECT_TRUE(playground_->view().shows_toast());
    harness_->save_screenshot("paste_failed");
    EXPECT_TRUE(document().paste_kernel("1 2 1"));
    settle();
    EXPECT_TRUE(document().is_last_message_past());
    EXPECT_FALSE(playground_->view().shows_toast());
    harness_->save_screenshot("paste_answered");
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error) << "the log keeps it";
    document().report(Error("some-code", "Something went wrong"));
    harness_->frames();
    EXPECT_TRUE(playground_->view().shows_toast());
    document().undo();
    harness_->frames();
    EXPECT_FALSE(playground_->view().shows_toast());
}

TEST_F(ComfortTest, ThePagesOfATiffAreSteppedThrough) {
    WindowOptions options;
    options.files = {folder_ / "scan.tif"};
    write_file(options.files.front(), pages_tiff(3));
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto page = [&] { return document().image()->page; };
    const auto by_key = [&](ImGuiKey key) {
        harness_->run("key", [&](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | key); });
        settle();
    };
    const auto by_chip = [&] {
        harness_->run("chip", [](ImGuiTestContext* ctx) { ctx->ItemClick("//view/page"); });
        settle();
    };
    harness_->save_screenshot("pages");
    EXPECT_TRUE(document().messages().empty()) << document().messages().back().text << ": a chip shows it";
    EXPECT_FALSE(why_not(actions().find("previous_image_page")).empty());
    by_chip();
    EXPECT_EQ(page(), 2);
    by_key(ImGuiKey_PageDown);
    EXPECT_EQ(page(), 3);
    EXPECT_FALSE(why_not(actions().find("next_image_page")).empty());
    by_key(ImGuiKey_PageUp);
    EXPECT_EQ(page(), 2);
    harness_->run("menu", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/File##file menu");
        ctx->ItemClick("//$FOCUSED/Page");
        ctx->Yield(2);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick("**/Next page of the image");
    });
    settle();
    EXPECT_EQ(page(), 3);
    by_chip();
    EXPECT_EQ(page(), 1) << "after the last the first";
    EXPECT_FALSE(document().history().can_undo());
}

TEST_F(ComfortTest, SeveralFilesAreMarkedAndOpened) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    for (const auto* name : {"two.png", "three.png", "four.png"}) image(name);
    const auto row = [&](ImGuiTestContext* ctx, const char* name) {
        const auto* list = ctx->WindowInfo("//##file prompt/list").Window;
        return ImHashStr("##entry", 0, ImHashStr((folder_ / name).c_str(), 0, list->ID));
    };
    harness_->run("mark", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        ctx->Yield(3);
        ctx->KeyDown(ImGuiMod_Ctrl);
        ctx->ItemClick(row(ctx, "four.png"));
        ctx->ItemClick(row(ctx, "two.png"));
        ctx->ItemClick(row(ctx, "two.png")); // and not
        ctx->KeyUp(ImGuiMod_Ctrl);
        ctx->ItemClick(row(ctx, "four.png")); // one alone
        ctx->KeyDown(ImGuiMod_Shift);
        ctx->ItemClick(row(ctx, "three.png")); // four, one, three by name
        ctx->KeyUp(ImGuiMod_Shift);
        ctx->Yield(2);
    });
    harness_->frames(3);
    harness_->save_screenshot("several_files");
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->SetRef("//##file prompt");
        ctx->ItemClick(named(icon::kOpen, "Open 3", "confirm").c_str());
    });
    settle();
    std::vector<std::string> names;
    for (const auto& open : document().film()) names.push_back(open.path.filename().string());
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"four.png", "one.png", "three.png"}));
    harness_->run("a typed name instead of a marked file", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        ctx->Yield(3);
        ctx->KeyDown(ImGuiMod_Ctrl);
        ctx->ItemClick(row(ctx, "four.png"));
        ctx->KeyUp(ImGuiMod_Ctrl);
        type_path(ctx, folder_ / "two.png");
    });
    settle();
    ASSERT_EQ(document().film().size(), 1u);
    EXPECT_EQ(document().title(), "two.png");
}

TEST_F(ComfortTest, DroppedRecipesAndKernelsAreUsed) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    write_file(folder_ / "mine.txt", "sobel | border=wrap");
    write_file(folder_ / "kernel.csv", "0, 1, 0\n1, 2, 1\n0, 1, 0\n");
    write_file(folder_ / "broken.json", "{\"steps\": [\"gausian\"]}");
    harness_->context().on_drop({folder_ / "mine.txt"});
    settle();
    ASSERT_EQ(document().recipe().steps.size(), 1u);
    EXPECT_EQ(document().recipe().steps.front().filter, "sobel");
    EXPECT_EQ(document().recipe().border, Border::wrap);
    EXPECT_EQ(document().history().undo_name(), "Use the recipe of mine.txt");
    harness_->context().on_drop({folder_ / "kernel.csv"});
    settle();
    ASSERT_TRUE(document().recipe().steps.front().kernel);
    EXPECT_EQ(document().film().size(), 1u);
    harness_->save_screenshot("dropped");
    harness_->context().on_drop({folder_ / "broken.json"});
    settle();
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
    EXPECT_EQ(document().messages().back().code(), "unknown-filter") << document().messages().back().text;
}

TEST_F(ComfortTest, FilesRecipesAndKernelsArePasted) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto two = image("two images.png");
    const auto paste = [&](const std::string& text) {
        harness_->run("paste", [&](ImGuiTestContext* ctx) {
            ImGui::SetClipboardText(text.c_str());
            ctx->WindowFocus("//view");
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        });
        settle();
    };
    paste("sobel | gaussian:sigma=3");
    EXPECT_EQ(document().recipe().steps.size(), 2u);
    paste("0 1 0\n1 2 1\n0 1 0");
    EXPECT_TRUE(document().selected_step()->kernel);
    paste("file://" + folder_.string() + "/two%20images.png\n");
    ASSERT_EQ(document().film().size(), 2u);
    EXPECT_EQ(document().title(), "two images.png");
    const auto before = document().recipe();
    paste("/absent/file.png");
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
    EXPECT_EQ(document().recipe(), before);
}

TEST_F(ComfortTest, ALessonIsPresentedWithImageAndPanelAlone) {
    WindowOptions options;
    options.workspace = Workspace::explain;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const float before = harness_->layer().look().scale;
    const auto is_shown = [](const char* name) {
        const auto* window = ImGui::FindWindowByName(name);
        return window && window->WasActive;
    };
    harness_->run("begin", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_F11);
        ctx->Yield(3);
    });
    settle();
    harness_->save_screenshot("present");
    EXPECT_EQ(harness_->layer().look().scale, before * 1.5f);
    EXPECT_TRUE(is_shown("view"));
    EXPECT_TRUE(is_shown("lesson panel"));
    EXPECT_TRUE(is_shown("lesson page"));
    for (const auto* other : {"top bar", "lesson", "view bar", "status"})
        EXPECT_FALSE(is_shown(other)) << other;
    harness_->run("turn a page by its button and by its key", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//lesson page/" + named(nullptr, "Next", "next")).c_str());
        ctx->Yield(2);
        EXPECT_EQ(playground_->explain().page(), 1u);
        ctx->KeyPress(ImGuiKey_PageUp);
        ctx->Yield(2);
        EXPECT_EQ(playground_->explain().page(), 0u);
        ctx->KeyPress(ImGuiKey_PageDown);
    });
    settle();
    EXPECT_EQ(playground_->explain().page(), 1u);
    EXPECT_TRUE(playground_->view().pinned()) << "the page's pixel";
    harness_->run("end", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(3);
    });
    EXPECT_TRUE(is_shown("top bar"));
    EXPECT_EQ(harness_->layer().look().scale, before);
    EXPECT_TRUE(playground_->view().pinned()) << "Escape ended the presentation alone";
}

TEST_F(ComfortTest, TheFactsOfAnImageCoverNothingOfAPresentation) {
    WindowOptions options;
    options.workspace = Workspace::explain;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto press = [&](ImGuiKey key) {
        harness_->run("press", [&](ImGuiTestContext* ctx) { ctx->KeyPress(key); });
        settle();
    };
    EXPECT_TRUE(has_chip());
    press(ImGuiKey_F11);
    EXPECT_FALSE(has_chip());
    playground_->view().settings().colours.exposure = 1;
    EXPECT_TRUE(has_chip()) << "what changes the image's colours is still named";
    playground_->view().settings().colours.exposure = 0;
    EXPECT_FALSE(has_chip());
    press(ImGuiKey_Escape);
    EXPECT_TRUE(has_chip());
}

} // namespace
} // namespace kg
