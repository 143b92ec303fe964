// Several events queued during a slow frame: none is lost, and none changes its meaning.

#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

/// A key press or release. Modifiers come as a backend sends them: the modifier beside its key.
struct KeyEvent {
    ImGuiKey key;
    bool down;
};
constexpr KeyEvent down(ImGuiKey key) { return {key, true}; }
constexpr KeyEvent up(ImGuiKey key) { return {key, false}; }
constexpr auto kCtrl = ImGuiKey_LeftCtrl, kShift = ImGuiKey_LeftShift;

class SlowFrameTest : public PlaygroundTest {
protected:
    bool start_with_three() {
        WindowOptions options;
        options.recipe.steps = {parse_step("sharpen")};
        options.has_recipe = true;
        for (const auto* name : {"one.png", "two.png", "three.png"}) {
            options.files.push_back(folder_ / name);
            write_image(options.files.back(), sample_image({96, 64}).view());
        }
        return start(options);
    }
    static void queue(std::initializer_list<KeyEvent> events) {
        auto& io = ImGui::GetIO();
        for (const auto& [key, is_down] : events) {
            if (key == kCtrl) io.AddKeyEvent(ImGuiMod_Ctrl, is_down);
            if (key == kShift) io.AddKeyEvent(ImGuiMod_Shift, is_down);
            io.AddKeyEvent(key, is_down);
            if (const auto character = key - ImGuiKey_0; is_down && character >= 0 && character < 10)
                io.AddInputCharacter('0' + static_cast<unsigned>(character));
        }
    }
    static void queue_click(ImVec2 at, int times = 1) {
        auto& io = ImGui::GetIO();
        io.AddMousePosEvent(at.x, at.y);
        for (int i = 0; i < times; ++i) {
            io.AddMouseButtonEvent(0, true);
            io.AddMouseButtonEvent(0, false);
        }
    }
    /// Press, one frame, then the movement and the release at once.
    void drag_fast(ImVec2 from, ImVec2 to) {
        auto& io = ImGui::GetIO();
        io.AddMousePosEvent(from.x, from.y);
        harness_->frames(2);
        io.AddMouseButtonEvent(0, true);
        harness_->frames();
        io.AddMousePosEvent((from.x + to.x) / 2, to.y);
        io.AddMousePosEvent(to.x, to.y);
        io.AddMouseButtonEvent(0, false);
        drain();
    }
    /// Draws frames until the queue is empty and its effects are drawn.
    void drain() {
        int frames = 0;
        do harness_->frames();
        while (!ImGui::GetCurrentContext()->InputEventsQueue.empty() && ++frames < 100);
        harness_->frames(FramePacer::kSettleFrames);
    }
    void all_at_once(std::initializer_list<KeyEvent> events) {
        queue(events);
        drain();
    }
    static ImVec2 middle_of(const char* window) {
        return ImGui::FindWindowByName(window)->Rect().GetCenter();
    }
    std::size_t steps() { return document().recipe().steps.size(); }
    void add_steps(int count) {
        for (int i = 0; i < count; ++i) document().add_step("box");
        harness_->frames(2);
    }
};

TEST_F(SlowFrameTest, ANumberChoosesItsImage) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    all_at_once({down(ImGuiKey_2), up(ImGuiKey_2)});
    EXPECT_EQ(document().film_place(), 1u);
    all_at_once({down(ImGuiKey_1), up(ImGuiKey_1), down(ImGuiKey_3), up(ImGuiKey_3)});
    EXPECT_EQ(document().film_place(), 2u);
    all_at_once({down(ImGuiKey_1), down(ImGuiKey_2), up(ImGuiKey_1), up(ImGuiKey_2)});
    EXPECT_EQ(document().film_place(), 1u) << "the latest, also of two that overlap";
    all_at_once({down(ImGuiKey_3), down(ImGuiKey_1), up(ImGuiKey_3), up(ImGuiKey_1)});
    EXPECT_EQ(document().film_place(), 0u);
}

TEST_F(SlowFrameTest, AChordIsTheChordInWhateverOrderItsKeysAreReleased) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    add_steps(4);
    all_at_once({down(kCtrl), down(ImGuiKey_Z), up(ImGuiKey_Z), up(kCtrl)});
    EXPECT_EQ(steps(), 4u);
    all_at_once({down(kCtrl), down(ImGuiKey_Z), up(kCtrl), up(ImGuiKey_Z)});
    EXPECT_EQ(steps(), 3u);
    all_at_once({down(kCtrl)});
    all_at_once({down(ImGuiKey_Z), up(kCtrl), up(ImGuiKey_Z)});
    EXPECT_EQ(steps(), 2u) << "Ctrl was held already";
    all_at_once({down(kCtrl), down(ImGuiKey_Z), up(ImGuiKey_Z), down(ImGuiKey_Z), up(ImGuiKey_Z), up(kCtrl)});
    EXPECT_EQ(steps(), 1u) << "there is no more to undo than one";
    all_at_once({down(kCtrl), down(ImGuiKey_Y), up(kCtrl), up(ImGuiKey_Y)});
    EXPECT_EQ(steps(), 2u);
    all_at_once({down(kCtrl), down(kShift), down(ImGuiKey_Z), up(kShift), up(kCtrl), up(ImGuiKey_Z)});
    EXPECT_EQ(steps(), 3u);
    all_at_once({down(kCtrl), down(ImGuiKey_Y), up(ImGuiKey_Y), down(kShift), down(ImGuiKey_Z),
                 up(ImGuiKey_Z), up(kShift), up(kCtrl)});
    EXPECT_EQ(steps(), 5u);
}

TEST_F(SlowFrameTest, AKeyBeforeOrAfterAModifierIsNoChord) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    all_at_once({down(ImGuiKey_2), down(kCtrl), up(ImGuiKey_2), up(kCtrl)});
    EXPECT_EQ(document().film_place(), 1u) << "Ctrl came later";
    all_at_once({down(ImGuiKey_O), down(kCtrl), up(ImGuiKey_O), up(kCtrl)});
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr) << "no Ctrl+O";
    EXPECT_TRUE(document().view.show_original) << "a tap on O";
    all_at_once({down(ImGuiKey_O), up(ImGuiKey_O)});
    EXPECT_FALSE(document().view.show_original);
    all_at_once({down(kCtrl), up(kCtrl), down(ImGuiKey_3), up(ImGuiKey_3)});
    EXPECT_EQ(document().film_place(), 2u);
}

TEST_F(SlowFrameTest, OShowsTheOriginalByATapAndWhileItIsHeld) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    all_at_once({down(ImGuiKey_O), up(ImGuiKey_O)});
    EXPECT_TRUE(document().view.show_original) << "a tap keeps it";
    all_at_once({down(ImGuiKey_O), up(ImGuiKey_O), down(ImGuiKey_O), up(ImGuiKey_O)});
    EXPECT_TRUE(document().view.show_original) << "two taps";
    all_at_once({down(ImGuiKey_O), up(ImGuiKey_O)});
    EXPECT_FALSE(document().view.show_original);
    all_at_once({down(ImGuiKey_O)});
    harness_->frames(30); // half a second, at 1/60 s a frame
    EXPECT_TRUE(document().view.show_original) << "while it is held";
    all_at_once({up(ImGuiKey_O)});
    EXPECT_FALSE(document().view.show_original);
    EXPECT_FALSE(document().view.original_stays);
}

TEST_F(SlowFrameTest, OOfAChordOrOfATextIsNoTap) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    all_at_once({down(kCtrl), down(ImGuiKey_O), up(kCtrl)});
    ASSERT_NE(ImGui::GetTopMostPopupModal(), nullptr);
    EXPECT_FALSE(document().view.show_original);
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape), up(ImGuiKey_O)});
    EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
    EXPECT_FALSE(document().view.show_original) << "it was released after the dialog";
    EXPECT_FALSE(document().view.original_stays);
    harness_->run("type", [](ImGuiTestContext* ctx) { ctx->ItemClick("//left/kernel_grid/##divisor"); });
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    all_at_once({down(ImGuiKey_O), down(ImGuiKey_Enter), up(ImGuiKey_Enter), up(ImGuiKey_O)});
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    EXPECT_FALSE(document().view.show_original) << "it was released after the text field";
    EXPECT_FALSE(document().view.original_stays);
}

TEST_F(SlowFrameTest, TheKeysAfterATextFieldAreNotLost) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    add_steps(2);
    const auto type = [&] {
        harness_->run("type", [](ImGuiTestContext* ctx) { ctx->ItemClick("//left/kernel_grid/##divisor"); });
        ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    };
    type();
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape), down(kCtrl), down(ImGuiKey_Z), up(ImGuiKey_Z),
                 up(kCtrl)});
    EXPECT_EQ(steps(), 2u);
    type();
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape), down(ImGuiKey_O), up(ImGuiKey_O)});
    EXPECT_TRUE(document().view.show_original);
    type();
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape), down(ImGuiKey_3), up(ImGuiKey_3)});
    EXPECT_EQ(document().film_place(), 2u);
}

TEST_F(SlowFrameTest, InATextFieldTheKeysAreItsOwn) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    add_steps(2);
    harness_->run("type", [](ImGuiTestContext* ctx) { ctx->ItemClick("//left/kernel_grid/##divisor"); });
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    all_at_once({down(ImGuiKey_2), up(ImGuiKey_2), down(ImGuiKey_O), up(ImGuiKey_O)});
    all_at_once({down(kCtrl), down(ImGuiKey_Z), up(ImGuiKey_Z), up(kCtrl)});
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    EXPECT_EQ(document().film_place(), 0u);
    EXPECT_FALSE(document().view.show_original);
    EXPECT_EQ(steps(), 3u) << "what was typed is undone, not the steps";
}

TEST_F(SlowFrameTest, EscapeUnpinsAndEnterPins) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    queue_click(middle_of("view"));
    drain();
    ASSERT_TRUE(playground_->view().pinned());
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape)});
    EXPECT_FALSE(playground_->view().pinned());
    all_at_once(
        {down(ImGuiKey_RightArrow), up(ImGuiKey_RightArrow), down(ImGuiKey_Enter), up(ImGuiKey_Enter)});
    EXPECT_TRUE(playground_->view().pinned());
}

TEST_F(SlowFrameTest, KeysDoNotPassThroughOpenPopups) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    queue_click(middle_of("view"));
    drain();
    ASSERT_TRUE(playground_->view().pinned());
    const auto add_filter = "//left/recipe/" + named(icon::kPlus, "Add filter", "add");
    for (const auto& opener : {std::string("//top bar/View##menu"), add_filter}) {
        SCOPED_TRACE(opener);
        harness_->run("open", [&](ImGuiTestContext* ctx) { ctx->ItemClick(opener.c_str()); });
        ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
        all_at_once({down(ImGuiKey_O), up(ImGuiKey_O)});
        EXPECT_FALSE(document().view.show_original);
        EXPECT_FALSE(document().view.original_stays);
        all_at_once({down(ImGuiKey_2), up(ImGuiKey_2)});
        EXPECT_EQ(document().film_place(), 0u);
        for (int i = 0; i < 3 && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); ++i)
            all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape)});
        EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
        EXPECT_TRUE(playground_->view().pinned()) << "Escape closed the list alone";
    }
    all_at_once({down(ImGuiKey_Escape), up(ImGuiKey_Escape)});
    EXPECT_FALSE(playground_->view().pinned());
}

TEST_F(SlowFrameTest, TheMouseEndsTheOriginalThatATapOnOKeeps) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    const auto chip = "//view/original stays";
    const auto exists = [&] {
        bool found = false;
        harness_->run("look", [&](ImGuiTestContext* ctx) { found = ctx->ItemExists(chip); });
        return found;
    };
    EXPECT_FALSE(exists());
    for (const auto* item : {chip, "//view bar/mode/Result"}) {
        SCOPED_TRACE(item);
        all_at_once({down(ImGuiKey_O), up(ImGuiKey_O)});
        ASSERT_TRUE(document().view.original_stays);
        EXPECT_TRUE(exists());
        harness_->frames(2);
        harness_->save_screenshot("original_stays");
        harness_->run("click", [&](ImGuiTestContext* ctx) { ctx->ItemClick(item); });
        EXPECT_FALSE(document().view.original_stays);
        EXPECT_FALSE(document().view.show_original);
        EXPECT_FALSE(exists());
    }
}

TEST_F(SlowFrameTest, TheEndOfAFastDragCounts) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    ImRect track;
    harness_->run("find", [&](ImGuiTestContext* ctx) {
        track = ctx->ItemInfo("//left/recipe/sigma/##track").RectFull;
    });
    const auto sigma = [&] { return document().recipe().steps.front().values.at("sigma"); };
    const auto y = track.GetCenter().y;
    const ImVec2 from{track.Min.x + 40, y}, to{track.Min.x + 150, y};
    harness_->run("slowly", [&](ImGuiTestContext* ctx) {
        ctx->MouseMoveToPos(from);
        ctx->MouseDown();
        ctx->MouseMoveToPos(to);
        ctx->Yield(3);
        ctx->MouseUp();
        ctx->MouseMoveToPos({20, 790});
    });
    const auto slow = sigma();
    document().undo();
    harness_->frames(2);
    ASSERT_NE(sigma(), slow);
    drag_fast(from, to);
    EXPECT_EQ(sigma(), slow);
    document().undo();
    EXPECT_EQ(sigma(), "2") << "one gesture";
}

TEST_F(SlowFrameTest, TheEndOfAFastDragOfTheDividerCounts) {
    if (!start_with_step("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    document().view.mode = ViewState::Mode::split;
    settle();
    const auto view = ImGui::FindWindowByName("view")->Rect();
    const ImVec2 from{view.GetCenter().x, view.Min.y + 200}, to{view.Min.x + view.GetWidth() / 4, from.y};
    drag_fast(from, to);
    EXPECT_NEAR(document().view.divider, 0.25, 0.01);
}

TEST_F(SlowFrameTest, ClicksAndDoubleClicksAreNotLost) {
    if (!start_with_three()) GTEST_SKIP() << kNoOpenGl;
    ImVec2 second{};
    harness_->run("find", [&](ImGuiTestContext* ctx) {
        second = ctx->ItemInfo("//film/$$1/##image").RectFull.GetCenter();
    });
    queue_click(second);
    drain();
    EXPECT_EQ(document().film_place(), 1u);
    settle();
    ASSERT_TRUE(playground_->view().is_fit());
    queue_click(middle_of("view"), 2);
    drain();
    EXPECT_EQ(playground_->view().zoom(), 1.0);
    EXPECT_FALSE(playground_->view().is_fit());
}

} // namespace
} // namespace kg
