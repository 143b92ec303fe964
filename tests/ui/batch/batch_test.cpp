// The Batch workspace under a simulated mouse and keyboard: a folder is dropped, previewed and filtered, and
// closing asks.

#include "app/batch/session/session_text.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/quantile.hpp"
#include "core/support/quantity_text.hpp"
#include "tests/ui/support/batch_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <vector>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;
using batch::BatchProgress;

TEST_F(BatchTest, AFolderDroppedInPlayIsFilteredInFourActions) {
    if (!start(window_options())) GTEST_SKIP() << kNoOpenGl;
    const auto photos = folder_of(14);
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    harness_->context().on_drop({photos}); // 1
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::batch);
    EXPECT_EQ(session().scan()->wanted, 14u);
    EXPECT_EQ(session().settings().out, out());
    EXPECT_EQ(batch::session_text(session()).verdict.substr(0, 11), "14 images, ");
    harness_->save_screenshot("batch_scanned");

    click(head(icon::kEye, "Preview 12", "try")); // 2
    settle();
    EXPECT_EQ(session().preview()->images.size(), 12u);
    EXPECT_TRUE(batch::session_text(session()).verdict.starts_with("About "))
        << batch::session_text(session()).verdict;
    EXPECT_FALSE(fs::exists(out())) << "nothing is written";
    click("//batch/Edit in Play##edit");
    settle();
    EXPECT_EQ(document().title(), "p100.png") << "Play shows one of them";
    harness_->run("and back", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B); });
    settle();

    click(head(icon::kPlay, "Filter 14 images", "start")); // 3
    finish();
    EXPECT_EQ(session().work()->counts.done, 14u);
    EXPECT_TRUE(batch::session_text(session()).verdict.starts_with("14 images done in "));
    EXPECT_EQ(document().messages().back().text, session().work()->summary);
    harness_->save_screenshot("batch_finished");
    const auto line = "kernelglass filter '" + (photos / "p103.png").string() + "' '" +
                      (folder_ / "one.png").string() + "' -f gaussian:sigma=2 --engine cpu -q";
    ASSERT_EQ(shell(line), 0);
    EXPECT_TRUE(read_file(folder_ / "one.png") == read_file(out() / "p103.png"));

    click("//sheet/$$3/after"); // 4: a result, beside its original
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(document().image()->path.parent_path(), photos);
    EXPECT_EQ(document().view.mode, ViewState::Mode::split);
    EXPECT_FALSE(document().view.show_original);
    harness_->save_screenshot("batch_compared");
}

TEST_F(BatchTest, AResultIsSeenBeforeAndAfterByTheRecipeThatMadeItAndAsAFile) {
    if (!start_with(folder_of(3))) GTEST_SKIP() << kNoOpenGl;
    click(head(icon::kPlay, "Filter 3 images", "start"));
    finish();
    const auto locked = session().work()->settings.recipe;
    auto later = locked;
    later.steps = {parse_step("sobel")};
    document().set_recipe(later);
    harness_->frames(2);
    click("//findings/which/###done");
    const auto row = [&](const char* name) {
        harness_->run(name, [&](ImGuiTestContext* ctx) {
            ctx->SetRef(ctx->WindowInfo("//findings/findings").ID);
            ctx->ItemClick(name);
        });
        settle();
    };
    row("**/$$1/Done");
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(document().title(), "p101.png");
    EXPECT_EQ(document().image()->path.parent_path(), folder_ / "photos");
    EXPECT_EQ(document().recipe(), locked);
    EXPECT_EQ(document().view.mode, ViewState::Mode::split);
    EXPECT_EQ(document().history().undo_name(), "Use the batch's recipe");
    harness_->save_screenshot("batch_before_and_after");
    const auto file = read_image(out() / "p101.png");
    const auto& shown = document().result()->pixels;
    ASSERT_EQ(file.pixels.size(), document().result()->job.request.size);
    for (std::int64_t y = 0; y < file.pixels.size().height; ++y)
        ASSERT_EQ(std::memcmp(file.pixels.view().row<std::uint8_t>(y),
                              shown.memory->host() + shown.offset + static_cast<std::size_t>(y) * shown.pitch,
                              static_cast<std::size_t>(file.pixels.size().width * shown.format.channels)),
                  0)
            << "the screen shows the file's pixels";

    click("//view/made");
    settle();
    EXPECT_EQ(document().image()->path, out() / "p101.png");
    EXPECT_TRUE(document().view.show_original) << "the file is shown without the recipe";
    EXPECT_EQ(document().image_recipe()->steps, locked.steps);
    harness_->save_screenshot("batch_file_as_it_is");
    harness_->run("the next image is seen as ever", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_1); });
    settle();
    EXPECT_EQ(document().title(), "p101.png");
    EXPECT_FALSE(document().view.show_original);

    harness_->run("back", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B); });
    settle();
    EXPECT_EQ(session().work()->counts.done, 3u) << "the workspace is unchanged";
    document().undo();
    EXPECT_EQ(document().recipe(), later) << "later edits are kept";
}

TEST_F(BatchTest, SeveralImagesOfTheFilmstripBecomeTheInputs) {
    const auto photos = folder_of(3);
    auto options = window_options();
    for (const auto* name : {"p100.png", "p101.png", "p102.png"}) options.files.push_back(photos / name);
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    click("//film/Filter all 3...##all");
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::batch);
    EXPECT_EQ(session().settings().inputs, options.files);
    EXPECT_EQ(session().scan()->wanted, 3u);
    EXPECT_EQ(session().settings().recipe, options.recipe);
    EXPECT_FALSE(fs::exists(out()));
}

TEST_F(BatchTest, RunsPausesResumesAndStops) {
    if (!start_slow_job()) GTEST_SKIP() << kNoOpenGl;
    harness_->frames_until([&] { return session().work()->settled > 0; });
    harness_->save_screenshot("batch_running");
    click(head(icon::kPause, "Pause", "pause"));
    EXPECT_EQ(session().work()->state, BatchProgress::State::paused);
    harness_->frames(2);
    EXPECT_EQ(playground_->desk().next_change(), FramePacer::kNever) << "nothing changes while it is paused";
    EXPECT_TRUE(playground_->desk().settled()) << "a paused job waits for a person";
    click(head(icon::kPlay, "Resume", "pause"));
    EXPECT_EQ(session().work()->state, BatchProgress::State::running);
    EXPECT_LT(playground_->desk().next_change(), 1);
    EXPECT_GE(playground_->desk().next_change(), 0.2) << "some times a second, no more";
    document().set_recipe(Recipe()); // locked
    click(head(icon::kStop, "Stop after current images", "stop"));
    finish();
    const auto work = session().work();
    EXPECT_GT(work->counts.not_begun, 0u);
    EXPECT_EQ(work->settings.recipe, window_options("gaussian:sigma=9").recipe);
    for (const auto& entry : fs::directory_iterator(out())) {
        if (entry.is_directory()) continue; // the journal's
        EXPECT_EQ(read_image(entry.path()).pixels.size(), (Extent{600, 400}));
    }
}

/// Every edit has a result while the job runs; the response time is in the report, because it depends on the
/// machine.
TEST_F(BatchTest, PlayAnswersWhileAJobRuns) {
    auto options = window_options("gaussian:sigma=9");
    options.recipe.steps.resize(12, options.recipe.steps.front());
    options.workspace = Workspace::batch;
    options.files = {folder_of(300, {600, 400})};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    click(head(icon::kPlay, "Filter 300 images", "start"));
    harness_->frames_until([&] { return session().work()->settled > 0; });
    harness_->run("to Play", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B); });
    settle_play();
    int answered = 0;                    // while the job ran
    std::vector<double> frames, results; // ms
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::time_point began) { return microseconds_since(began) / 1000; };
    for (int i = 0; i < 40; ++i) {
        const auto stamp = document().result()->stamp;
        const auto began = Clock::now();
        document().set_recipe(parse_recipe("gaussian:sigma=" + std::to_string(1 + i % 7), "edit"));
        const bool came = harness_->frames_until([&, frame = Clock::now()]() mutable {
            frames.push_back(ms(frame));
            frame = Clock::now();
            return document().result()->stamp != stamp;
        });
        ASSERT_TRUE(came);
        results.push_back(ms(began));
        answered += session().running();
    }
    EXPECT_GT(answered, 0) << "the job ended too soon for this test";
    RecordProperty("answered", answered);
    RecordProperty("frame_ms_median", std::to_string(quantile(frames, 0.5)));
    RecordProperty("frame_ms_longest", std::to_string(quantile(frames, 1)));
    RecordProperty("result_ms_median", std::to_string(quantile(results, 0.5)));
    RecordProperty("result_ms_longest", std::to_string(quantile(results, 1)));
    EXPECT_EQ(session().work()->counts.failed, 0u);
}

TEST_F(BatchTest, ClosingTheWindowAsksAboutTheRunningJob) {
    if (!start_slow_job()) GTEST_SKIP() << kNoOpenGl;
    const auto question = [&](const char* icon, const char* label, const char* id) {
        harness_->run(label, [&](ImGuiTestContext* ctx) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
            ctx->Yield(3);
            IM_CHECK(ImGui::GetTopMostPopupModal() != nullptr);
            IM_CHECK(!harness_->context().should_close());
            ctx->SetRef("##closing");
            ctx->ItemClick(named(icon, label, id).c_str());
            ctx->Yield(3);
            IM_CHECK(ImGui::GetTopMostPopupModal() == nullptr);
        });
    };
    EXPECT_FALSE(harness_->context().may_close());
    harness_->frames(4);
    harness_->save_screenshot("batch_closing");
    harness_->run("Escape is Back", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(3);
        IM_CHECK(ImGui::GetTopMostPopupModal() == nullptr);
    });
    question(nullptr, "Back", "back");
    EXPECT_TRUE(session().running());
    EXPECT_FALSE(harness_->context().should_close());
    EXPECT_FALSE(playground_->desk().unfinished());

    question(icon::kStop, "Stop after current images", "stop");
    finish();
    EXPECT_TRUE(harness_->context().should_close());
    EXPECT_FALSE(playground_->desk().unfinished());
    EXPECT_GT(session().work()->counts.not_begun, 0u);

    harness_->context().set_should_close(false);
    click(head(icon::kPlay, "Filter " + counted(session().scan()->wanted, "image"), "start"));
    question(icon::kCheck, "Finish without window", "finish");
    EXPECT_TRUE(harness_->context().should_close());
    const auto left = playground_->desk().unfinished();
    ASSERT_TRUE(left);
    playground_.reset(); // the window is gone
    harness_.reset();
    left->wait();
    EXPECT_EQ(left->work()->counts.not_begun, 0u);
    EXPECT_EQ(left->work()->counts.done + left->work()->counts.up_to_date, 200u);
}

TEST_F(BatchTest, WhatFailsIsInATableThatSortsOpensAndIsCopied) {
    const auto photos = folder_of(6);
    write_file(photos / "broken.png", "no image at all");
    fs::create_directories(out());
    write_file(out() / "p103.png", "somebody's");
    if (!start_with(photos)) GTEST_SKIP() << kNoOpenGl;
    click(head(icon::kPlay, "Filter 6 images", "start"));
    finish();
    ASSERT_EQ(session().work()->findings.size(), 2u);
    EXPECT_EQ(document().messages().back().kind, Message::Kind::warning);
    harness_->save_screenshot("batch_failures");
    harness_->run("sort, copy, open", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//findings/" + named(icon::kCopy, "Copy list", "copy")).c_str());
        const std::string list = ImGui::GetClipboardText();
        IM_CHECK_EQ(std::count(list.begin(), list.end(), '\n'), 2);
        IM_CHECK(list.find("broken.png") != std::string::npos);
        const auto table = ctx->WindowInfo("//findings/findings");
        ctx->SetRef(table.ID);
        ctx->ItemClick("**/Image");
        ctx->Yield(2);
        ctx->ItemClick("**/Image"); // reversed: p103 before broken
        ctx->Yield(2);
        ctx->ItemClick("**/$$0/Failed");
        ctx->Yield(2);
        IM_CHECK(playground_->workspace() == Workspace::play);
    });
    settle();
    EXPECT_EQ(document().title(), "p103.png");
}

TEST_F(BatchTest, NeedsNoMouse) {
    if (!start_with(folder_of(4))) GTEST_SKIP() << kNoOpenGl;
    const auto region = [] { return std::string(ImGui::GetCurrentContext()->NavWindow->RootWindow->Name); };
    harness_->run("go round", [&](ImGuiTestContext* ctx) {
        std::set<std::string> seen;
        for (int i = 0; i < 8; ++i) {
            ctx->KeyPress(ImGuiKey_F6);
            seen.insert(region());
        }
        for (const auto* name : {"batch", "batch head", "top bar"}) IM_CHECK(seen.contains(name));
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
        IM_CHECK(playground_->workspace() == Workspace::play);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
        IM_CHECK(playground_->workspace() == Workspace::batch);
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_T);
    });
    settle();
    EXPECT_EQ(session().preview()->images.size(), 4u);
    harness_->run("Tab leads to every item of the columns", [&](ImGuiTestContext* ctx) {
        for (const auto* window : {"batch", "batch head", "sheet"}) {
            ImGuiTestItemList list;
            ctx->GatherItems(&list, window, 2);
            for (int i = 0; i < 12 && region() != window; ++i) ctx->KeyPress(ImGuiKey_F6);
            IM_CHECK_STR_EQ(region().c_str(), window);
            std::set<ImGuiID> seen;
            while (seen.insert(ImGui::GetCurrentContext()->NavId).second) ctx->KeyPress(ImGuiKey_Tab);
            for (int i = 0; i < list.GetSize(); ++i) {
                const auto* item = list.GetByIndex(i);
                if (item->RectFull.GetWidth() <= 0 ||
                    (item->ItemFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0)
                    continue;
                EXPECT_TRUE(seen.contains(item->ID)) << window << "/" << item->DebugLabel;
            }
        }
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    });
    finish();
    EXPECT_EQ(session().work()->counts.done, 4u);
    harness_->run("another folder by its name", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        type_path(ctx, out());
    });
    settle();
    EXPECT_EQ(session().settings().inputs, std::vector{out()});
    EXPECT_EQ(session().scan()->wanted, 4u);
    EXPECT_EQ(session().scan()->skipped, "1 hidden file or folder") << "the journal";
}

} // namespace
} // namespace kg
