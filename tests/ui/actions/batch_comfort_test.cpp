// A batch seen from other workspaces, and how one gets to its results.

#include "app/batch/session/session_text.hpp"
#include "core/reference/reference.hpp"
#include "tests/ui/support/batch_fixture.hpp"

#include <algorithm>
#include <cmath>

namespace kg {
namespace {

using namespace kg::testing;

class BatchComfortTest : public BatchTest {};

TEST_F(BatchComfortTest, ARunningBatchIsShownInPlayAndIsAClickAway) {
    if (!start_slow_job()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("go to Play", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
        ctx->Yield(3);
        IM_CHECK(ctx->ItemExists("//top bar/running"));
    });
    harness_->frames(3);
    harness_->save_screenshot("batch_in_play");
    EXPECT_TRUE(batch::running_text(session()).starts_with("Batch ")) << batch::running_text(session());
    EXPECT_TRUE(batch::running_text(session()).ends_with(" of 200")) << batch::running_text(session());
    harness_->run("back", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/running");
        ctx->Yield(2);
        IM_CHECK(playground_->workspace() == Workspace::batch);
        playground_->actions().run("stop");
        IM_CHECK(!why_not(playground_->actions().find("stop")).empty()); // once is enough
    });
    finish();
    EXPECT_EQ(batch::running_text(session()), "");
    harness_->run("none is running", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
        ctx->Yield(3);
        IM_CHECK(!ctx->ItemExists("//top bar/running"));
    });
}

TEST_F(BatchComfortTest, TheOutputFolderIsAClickAwayAfterARun) {
    if (!start_with(folder_of(2))) GTEST_SKIP() << kNoOpenGl;
    EXPECT_FALSE(why_not(playground_->actions().find("open_folder")).empty()) << "it does not exist yet";
    click(head(icon::kPlay, "Filter 2 images", "start"));
    finish();
    harness_->save_screenshot("batch_open_folder");
    std::string copied;
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(head(icon::kOpen, "Open folder", "open folder").c_str());
        copied = ImGui::GetClipboardText();
    });
    EXPECT_EQ(copied, out().string()) << "without a desktop the path is copied";
}

TEST_F(BatchComfortTest, InputsAreShownAndDamagedOnesNamedBeforeAnythingRuns) {
    const auto photos = folder_of(3);
    write_file(photos / "broken.png", read_file(photos / "p100.png").substr(0, 200));
    if (!start_with(photos)) GTEST_SKIP() << kNoOpenGl;
    const auto scan = session().scan();
    ASSERT_EQ(scan->sample.size(), 4u);
    EXPECT_EQ(scan->wanted, 4u) << "the work decides itself";
    harness_->save_screenshot("batch_inputs");
    for (const auto& sampled : scan->sample) {
        const bool broken = sampled.input.filename() == "broken.png";
        EXPECT_EQ(sampled.failure.has_value(), broken) << sampled.input;
        EXPECT_EQ(sampled.thumbnail == nullptr, broken) << sampled.input;
    }
    const auto text = batch::session_text(session());
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("broken.png"), std::string::npos) << text.detail;
    EXPECT_TRUE(session().preview()->images.empty());
    harness_->run("open one", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick("//sheet/$$1/input");
        ctx->Yield(3);
        IM_CHECK(playground_->workspace() == Workspace::play);
    });
    settle();
    EXPECT_EQ(document().image()->path, scan->sample[1].input);
}

TEST_F(BatchComfortTest, ImagesThatEndEarlyAreMarkedBeforeAnythingRuns) {
    const auto photos = folder_of(2);
    const auto whole = encode_image(sample_image({300, 200}).view(), "jpg", "x").bytes;
    write_file(photos / "cut.jpg", whole.substr(0, whole.size() / 2));
    if (!start_with(photos)) GTEST_SKIP() << kNoOpenGl;
    for (const auto& sampled : session().scan()->sample) {
        EXPECT_FALSE(sampled.failure) << sampled.input;
        EXPECT_EQ(sampled.damage.starts_with("damaged: it ends after "),
                  sampled.input.filename() == "cut.jpg");
    }
    auto text = batch::session_text(session());
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("cut.jpg\" is damaged: it ends after"), std::string::npos) << text.detail;
    harness_->save_screenshot("batch_cut_input");
    click(head(icon::kEye, "Preview 3", "try"));
    harness_->frames_until(
        [&] { return !session().preview()->busy && !session().preview()->images.empty(); });
    settle();
    for (const auto& previewed : session().preview()->images)
        EXPECT_EQ(previewed.damage.empty(), previewed.input.filename() != "cut.jpg") << previewed.input;
    text = batch::session_text(session());
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("1 of the files is damaged"), std::string::npos) << text.detail;
    harness_->save_screenshot("batch_cut_preview");
}

TEST_F(BatchComfortTest, SeveralProblemsOfInputsAreCountedAndListed) {
    const auto photos = folder_of(2);
    const auto whole = encode_image(sample_image({300, 200}).view(), "jpg", "x").bytes;
    for (const auto* name : {"cut1.jpg", "cut2.jpg"})
        write_file(photos / name, whole.substr(0, whole.size() / 2));
    write_file(photos / "broken.png", read_file(photos / "p100.png").substr(0, 30));
    Image numbers({4, 3}, {Depth::f32, 3});
    store(numbers.view(), 2, 1, 0, std::nan(""));
    write_image(photos / "numbers.exr", numbers.view());
    if (!start_with(photos)) GTEST_SKIP() << kNoOpenGl;
    const auto text = batch::session_text(session());
    EXPECT_TRUE(text.warns);
    EXPECT_NE(text.detail.find("4 inputs have a problem"), std::string::npos) << text.detail;
    harness_->save_screenshot("batch_problems");
    std::string copied;
    harness_->run("copy", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//findings/" + named(icon::kCopy, "Copy list", "copy")).c_str());
        copied = ImGui::GetClipboardText();
    });
    EXPECT_EQ(std::ranges::count(copied, '\n'), 4) << copied;
    EXPECT_NE(copied.find("Not finite\t" + (photos / "numbers.exr").string() +
                          "\tcontains infinite numbers or NaN\n"),
              std::string::npos)
        << copied;
    EXPECT_NE(copied.find("Damaged\t" + (photos / "cut2.jpg").string()), std::string::npos) << copied;
    click(head(icon::kPlay, "Filter 6 images", "start"));
    finish();
    const auto& found = session().work()->findings;
    EXPECT_TRUE(std::ranges::any_of(found, [](const batch::Finding& finding) {
        return finding.kind == batch::Finding::Kind::not_finite && finding.input.filename() == "numbers.exr";
    }));
    harness_->save_screenshot("batch_problems_done");
}

} // namespace
} // namespace kg
