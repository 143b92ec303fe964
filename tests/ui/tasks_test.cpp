// What people come for, as they do it: each task with the number of actions it takes, a click or a key each.

#include "app/bench/session/session_text.hpp"
#include "app/editor/comparison/comparison.hpp"
#include "filters/filter.hpp"
#include "measure/report/row_text.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <functional>
#include <string>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class TasksTest : public PlaygroundTest {
protected:
    /// An opaque image that is magnified, so that every pixel can be clicked.
    bool start_with_image(const char* step = "") {
        WindowOptions options;
        options.files = {folder_ / "image.png"};
        write_image(options.files.front(), random_image({320, 240}, {Depth::u8, 3}, 7).view());
        if (*step) options.recipe.steps = {parse_step(step)};
        options.has_recipe = *step != 0;
        return start_counting(options);
    }
    bool start_counting(const WindowOptions& options) {
        if (!start(options)) return false;
        harness_->set_frame([this] {
            count_events();
            return playground_->draw();
        });
        return true;
    }
    void act(const std::string& what, const std::function<void(ImGuiTestContext*)>& script) {
        harness_->run(what.c_str(), script);
        settle();
    }
    void click(const std::string& item) {
        act(item, [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    /// An item of the popup that is open.
    void choose(const std::string& item) {
        act(item, [&](ImGuiTestContext* ctx) {
            ctx->SetRef(ctx->GetWindowByRef("//$FOCUSED"));
            ctx->ItemClick(("**/" + item).c_str());
        });
    }
    void click_pixel(std::int64_t x, std::int64_t y) {
        const auto* view = ImGui::FindWindowByName("view");
        const auto size = document().image()->pixels.size();
        const auto zoom = static_cast<float>(playground_->view().zoom());
        const auto middle = view->Rect().GetCenter();
        const ImVec2 at{middle.x + (static_cast<float>(x) + 0.5f - static_cast<float>(size.width) / 2) * zoom,
                        middle.y +
                            (static_cast<float>(y) + 0.5f - static_cast<float>(size.height) / 2) * zoom};
        act("the pixel", [&](ImGuiTestContext* ctx) {
            ctx->MouseMoveToPos(at);
            ctx->MouseClick();
        });
    }
    int actions() const { return actions_; }

private:
    /// Clicks and keys of this frame, a chord as one.
    void count_events() {
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ++actions_;
        for (int key = ImGuiKey_Tab; key < ImGuiKey_GamepadStart; ++key) {
            const bool modifies = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
            if (!modifies && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) ++actions_;
        }
    }

    int actions_ = 0;
};

TEST_F(TasksTest, FindTheEdgesOfAPhotoAndKeepTheirSign) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    click("//left/recipe/" + named(icon::kPlus, "Add filter", "add"));
    choose(std::string(find_filter("sobel").title));
    click("//left/recipe/direction/X");
    click("//view/signed");
    EXPECT_EQ(document().result()->job.request.sign, SignedMode::half);
    EXPECT_FALSE(document().lost_its_sign());
    EXPECT_EQ(actions(), 4);
}

TEST_F(TasksTest, AnEdgeFilterThatHasAnOffsetIsNotOfferedAnotherOne) {
    if (!start_with_image("sobel:direction=x:offset=0.4")) GTEST_SKIP() << kNoOpenGl;
    ASSERT_TRUE(document().clipping());
    EXPECT_GT(document().clipping()->below, 0);
    EXPECT_FALSE(document().lost_its_sign());
}

TEST_F(TasksTest, WhyIsThisPixelSo) {
    if (!start_with_image("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    click_pixel(100, 80);
    click("//right/tabs/Pixel");
    ASSERT_TRUE(document().pixel_explanation().terms);
    EXPECT_EQ(document().pixel_explanation().terms->x, 100);
    EXPECT_EQ(actions(), 2);
}

TEST_F(TasksTest, WhichBorderMadeThisRimDark) {
    if (!start_with_image("gaussian:sigma=8")) GTEST_SKIP() << kNoOpenGl;
    document().change([](Recipe& recipe) { recipe.border = Border::zero; });
    settle();
    click_pixel(1, 100);
    click("//right/tabs/Pixel");
    ASSERT_TRUE(document().pixel_explanation().terms);
    EXPECT_EQ(document().pixel_explanation().terms->fact, PixelFact::outside);
    const double dark = document().reading()->after.at(0);
    click("//left/border/border reflect101");
    EXPECT_GT(document().reading()->after.at(0), dark);
    EXPECT_EQ(actions(), 3);
}

TEST_F(TasksTest, IsThisPastedKernelSeparable) {
    if (!start_with_image()) GTEST_SKIP() << kNoOpenGl;
    act("paste", [](ImGuiTestContext* ctx) { // there is no clipboard outside of a script
        ImGui::SetClipboardText("1 2 1\n2 4 2\n1 2 1\n");
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    });
    click("//right/tabs/Kernel");
    ASSERT_TRUE(document().selected_analysis());
    EXPECT_EQ(document().selected_analysis()->rank, 1);
    EXPECT_EQ(actions(), 2);
}

TEST_F(TasksTest, HowFarIsOpenCvFromThisResult) {
    if (!start_with_image("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    click("//view bar/mode/Difference");
    click("//view/source a");
    choose("opencv:filter2D (cpu)");
    EXPECT_TRUE(harness_->frames_until([&] { return document().comparison().difference().current; }));
    const auto measured = document().comparison().difference();
    ASSERT_TRUE(measured.latest);
    EXPECT_LE(measured.latest->largest, 1.01 / 255);
    EXPECT_EQ(actions(), 3);
}

TEST_F(TasksTest, HowDoTwoRecipesDiffer) {
    if (!start_with_image("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    click("//left/recipe/slot/B");
    click("//left/recipe/" + named(icon::kPlus, "Add filter", "add"));
    choose(std::string(find_filter("box").title));
    EXPECT_EQ(actions(), 3) << "that makes the second recipe";
    click("//view bar/mode/Split");
    click("//view/source a");
    choose("Recipe A");
    const auto a = document().comparison().image(0).result;
    ASSERT_TRUE(a) << document().comparison().why_not(0);
    harness_->save_screenshot("task_two_recipes");
    EXPECT_NE(a->job.request.stages, document().result()->job.request.stages);
    EXPECT_EQ(actions(), 6);
}

TEST_F(TasksTest, WhichAlgorithmIsFastestHereAndCanItBeTrusted) {
    if (!start_with_image("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    playground_->bench().adjust_jobs([](BenchJob& job) {
        job.rules.seconds = 0; // every row has a time, however busy the machine is
        job.rules.limits = false;
        job.rules.comparison.most_cold_bytes = measure::kFewColdBytes;
        job.rules.comparison.timing.most_warm_up_us = 1;
    });
    click("//top bar/" + named(icon::kChart, "", "measure all"));
    click("//bench head/" + named(icon::kPlay, "Measure", "measure"));
    EXPECT_EQ(actions(), 2);
    harness_->save_screenshot("task_fastest");
    const auto& reports = playground_->bench().reports();
    const auto text = bench_text(*playground_->bench().session().state(), reports.shown());
    ASSERT_TRUE(reports.standing() && !reports.standing()->timed.empty()) << text.verdict;
    const auto& fastest = *reports.standing()->timed.front();
    EXPECT_TRUE(text.verdict.starts_with(reports.standing()->label(fastest) + " is fastest: "))
        << text.verdict;
    EXPECT_NE(text.verdict.find(measure::time_text(fastest.times->run).interval), std::string::npos)
        << text.verdict;
    EXPECT_NE(text.verdict.find(" values differ"), std::string::npos) << text.verdict;
    EXPECT_EQ(text.detail.starts_with("Doubtful: "), measure::is_doubtful(fastest)) << text.detail;
    for (const auto* row : reports.standing()->timed) {
        EXPECT_EQ(row->checked, 320 * 240 * 3) << measure::algorithm_name(*row);
        EXPECT_LE(row->max_error, row->error_bound) << measure::algorithm_name(*row);
    }
}

TEST_F(TasksTest, TheCommandForAFolder) {
    if (!start_with_image("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    const auto folder = folder_ / "photos";
    fs::create_directory(folder);
    fs::copy_file(document().image()->path, folder / "one.png");
    act("drop", [&](ImGuiTestContext*) { harness_->context().on_drop({folder}); });
    std::string command;
    act("copy", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//top bar/" + named(icon::kCopy, "Copy as command", "copy")).c_str());
        command = ImGui::GetClipboardText();
    });
    EXPECT_NE(command.find("batch"), std::string::npos) << command;
    EXPECT_EQ(shell(command + " -q"), 0) << command;
    EXPECT_TRUE(fs::exists(folder_ / "photos-kernelglass" / "one.png"));
    EXPECT_EQ(actions(), 1) << "and the drop";
}

TEST_F(TasksTest, TheCommandForTheFolderOfTheOpenPhoto) {
    if (!start_with_image("gaussian:sigma=2")) GTEST_SKIP() << kNoOpenGl;
    click("//top bar/workspace/Batch");
    click("//sheet/" + named(icon::kOpen, "Choose folder...", "first"));
    harness_->save_screenshot("task_folder"); // proposed, with the number of its images
    click("//##file prompt/" + named(icon::kOpen, "Choose", "confirm"));
    std::string command;
    act("copy", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//top bar/" + named(icon::kCopy, "Copy as command", "copy")).c_str());
        command = ImGui::GetClipboardText();
    });
    for (const auto& words : {std::string(" batch "), folder_.string()})
        EXPECT_NE(command.find(words), std::string::npos) << command;
    EXPECT_EQ(actions(), 4);
}

TEST_F(TasksTest, ShowAClassWhyTheBorderIsDark) {
    if (!start_counting({})) GTEST_SKIP() << kNoOpenGl;
    click("//top bar/workspace/Explain");
    click("//lesson/##lesson");
    choose("Borders");
    act("F11", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_F11); });
    EXPECT_EQ(playground_->explain().lesson().id, "03_borders");
    harness_->save_screenshot("task_lesson");
    EXPECT_EQ(actions(), 4);
}

} // namespace
} // namespace kg
