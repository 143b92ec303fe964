// Images that the window copies and pastes, with a fake of the clipboard.

#include "tests/ui/support/playground_fixture.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

/// What the fake holds, and what it was asked.
struct Held {
    std::shared_ptr<const std::string> copied;
    ClipboardAnswer answer; ///< to the next read
    int reads = 0;
};

class FakeClipboard final : public ImageClipboard {
public:
    explicit FakeClipboard(std::shared_ptr<Held> held) : held_(std::move(held)) {}
    std::string why_not() const override { return {}; }
    void copy(std::shared_ptr<const std::string> png) override {
        held_->copied = std::move(png);
        next_ = ClipboardAnswer{.to = ClipboardAnswer::To::copy};
    }
    void read() override {
        ++held_->reads;
        next_ = held_->answer;
    }
    std::optional<ClipboardAnswer> take() override { return std::exchange(next_, {}); }

private:
    std::shared_ptr<Held> held_;
    std::optional<ClipboardAnswer> next_;
};

class ClipboardTest : public PlaygroundTest {
protected:
    void SetUp() override {
        if (const auto* cache = std::getenv("XDG_CACHE_HOME")) cache_ = cache;
        ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    }
    void TearDown() override {
        PlaygroundTest::TearDown();
        if (cache_) ::setenv("XDG_CACHE_HOME", cache_->c_str(), 1);
        else ::unsetenv("XDG_CACHE_HOME");
    }

    static std::string encoded(const char* format, Extent size) {
        return encode_image(sample_image(size).view(), format, "sample", {}).bytes;
    }
    bool start_with_image() {
        WindowOptions options;
        options.files = {folder_ / "one.png"};
        write_image(options.files.front(), sample_image({96, 64}).view());
        options.recipe.steps = {parse_step("gaussian:sigma=2"), parse_step("sobel")};
        options.has_recipe = true;
        if (!start(options)) return false;
        playground_->use_clipboard(std::make_unique<FakeClipboard>(held_));
        return true;
    }
    std::string copied() {
        held_->copied.reset();
        harness_->run("copy", [](ImGuiTestContext* ctx) {
            ctx->WindowFocus("//view");
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
        });
        settle();
        return held_->copied ? *held_->copied : "";
    }
    std::string saved(const char* name) {
        document().save(folder_ / name);
        settle();
        return read_file(folder_ / name);
    }
    void paste(const std::string& text, ClipboardAnswer answer) {
        held_->answer = std::move(answer);
        harness_->run("paste", [&](ImGuiTestContext* ctx) {
            ImGui::SetClipboardText(text.c_str());
            ctx->WindowFocus("//view");
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
        });
        settle();
    }

    std::shared_ptr<Held> held_ = std::make_shared<Held>();
    std::optional<std::string> cache_; ///< the user's folder
};

TEST_F(ClipboardTest, TheResultIsCopiedWithTheBytesOfItsPngFile) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto whole = copied();
    EXPECT_EQ(document().messages().back().text, "Copied the result.");
    EXPECT_TRUE(whole == saved("whole.png"));
    document().select(0);
    document().show_to_selected(true);
    settle();
    const auto shown = copied();
    document().remove_step(1);
    settle();
    EXPECT_TRUE(shown == saved("first.png")) << "the shown steps";
    EXPECT_FALSE(shown == whole);
}

TEST_F(ClipboardTest, ACopiedImageBecomesAnImageWithANameOfItsOwn) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    paste("", {.type = "image/png", .bytes = encoded("png", {70, 50})});
    ASSERT_EQ(document().film().size(), 2u);
    EXPECT_EQ(document().title(), "Clipboard 1.png");
    EXPECT_EQ(document().image()->pixels.size(), (Extent{70, 50}));
    EXPECT_EQ(document().recipe(), recipe);
    EXPECT_EQ(document().proposed_path(), fs::current_path() / "Clipboard 1-gaussian-sobel.png");
    paste("a remark, not a kernel", {.type = "image/jpeg", .bytes = encoded("jpg", {30, 20})});
    EXPECT_EQ(document().film().size(), 3u);
    EXPECT_EQ(document().title(), "Clipboard 2.jpg");
    EXPECT_EQ(document().image()->pixels.size(), (Extent{30, 20}));
    harness_->save_screenshot("image_pasted");
    for (const auto& message : document().messages()) EXPECT_NE(message.kind, Message::Kind::error);
}

TEST_F(ClipboardTest, WithoutFilesTheSampleGivesWayToAPastedImage) {
    if (!start_with_step("box")) GTEST_SKIP() << kNoOpenGl;
    playground_->use_clipboard(std::make_unique<FakeClipboard>(held_));
    paste("", {.type = "image/bmp", .bytes = encoded("bmp", {40, 30})});
    ASSERT_EQ(document().film().size(), 1u);
    EXPECT_EQ(document().title(), "Clipboard 1.bmp");
    EXPECT_FALSE(document().is_sample());
}

TEST_F(ClipboardTest, ARecipeOrAKernelIsUsedBeforeAnImageIsLookedFor) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const ClipboardAnswer image{.type = "image/png", .bytes = encoded("png", {70, 50})};
    paste("scharr", image);
    ASSERT_EQ(document().recipe().steps.size(), 1u);
    EXPECT_EQ(document().recipe().steps.front().filter, "scharr");
    paste("0 1 0\n1 2 1\n0 1 0", image);
    EXPECT_EQ(held_->reads, 0);
    EXPECT_EQ(document().film().size(), 1u);
}

TEST_F(ClipboardTest, AListOfFilesOpensThem) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    write_image(folder_ / "two images.png", sample_image({60, 40}).view());
    paste("", {.type = "text/uri-list", .bytes = "file://" + folder_.string() + "/two%20images.png\r\n"});
    ASSERT_EQ(document().film().size(), 2u);
    EXPECT_EQ(document().title(), "two images.png");
    const auto messages = document().messages().size();
    paste("", {.type = "text/uri-list", .bytes = "https://example.org/a.png\r\n"});
    EXPECT_EQ(document().film().size(), 2u);
    EXPECT_EQ(document().messages().size(), messages + 1);
}

TEST_F(ClipboardTest, WhatCannotBePastedIsReported) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto code = [&] {
        const auto& last = document().messages().back();
        return last.error ? last.error->code() : "";
    };
    paste("no kernel", {});
    EXPECT_EQ(held_->reads, 1);
    EXPECT_NE(code(), "");
    paste("", {.error = Error("clipboard-timeout", "no answer")});
    EXPECT_EQ(code(), "clipboard-timeout");
    paste("", {.type = "image/png", .bytes = "not a PNG file"});
    EXPECT_EQ(code(), "not-an-image");
    paste("", {.type = "image/png", .bytes = encoded("png", {70, 50}).substr(0, 20)});
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
    EXPECT_EQ(document().film().size(), 1u);
    EXPECT_EQ(document().title(), "one.png") << "the shown image stays";
}

TEST_F(ClipboardTest, TheReasonWhyNothingCanBeCopiedIsShown) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    const auto& action = playground_->actions().find("copy_result");
    EXPECT_EQ(why_not(action), "");
    playground_->use_clipboard(std::make_unique<NoImageClipboard>("There is no X server here"));
    EXPECT_EQ(why_not(action), "There is no X server here");
    playground_->actions().run("batch");
    EXPECT_TRUE(why_not(action).starts_with("It is for the workspaces"));
}

} // namespace
} // namespace kg
