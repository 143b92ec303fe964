// The Bench workspace: measuring beside the editor, the rows, reports of other machines.

#include "measure/report/roofline.hpp"
#include "tests/support/check.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/held_engine.hpp"
#include "tests/support/no_threads.hpp"
#include "tests/ui/bench/bench_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

TEST_F(BenchTest, MeasuresThisRecipeOnThisImage) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    document().add_step("sharpen");
    document().enable_step(0, false);
    document().change([](Recipe& recipe) { recipe.border = Border::replicate; });
    settle();
    harness_->save_screenshot("bench_before");
    const auto gate = std::make_shared<testing::Gate>();
    std::vector<measure::BenchCase> cases;
    bench().adjust_jobs([&](BenchJob& job) {
        make_quick(job);
        cases = job.cases;
        job.rules.comparison.clocks = [gate](const Engine&) { // in the first round
            gate->wait();
            return measure::Clocks{};
        };
    });
    click("bench head", icon::kPlay, "Measure", "measure");
    const bool is_running = harness_->frames_until(
        [&] { return phase() == Phase::running && bench().chip().starts_with("Measuring"); });
    harness_->save_screenshot("bench_running");
    gate->open();
    EXPECT_TRUE(is_running) << bench().chip();
    settle();
    ASSERT_EQ(phase(), Phase::finished);
    ASSERT_EQ(cases.size(), 1u);
    ASSERT_TRUE(cases[0].image);
    EXPECT_TRUE(testing::same_pixels(cases[0].image->view(), document().image()->pixels.view()));
    const auto& computed = document().result()->job.request;
    EXPECT_EQ(cases[0].request.stages, computed.stages) << "what the window computes";
    EXPECT_EQ(cases[0].request.border, Border::replicate);
    const auto& report = bench().session().state()->report->report;
    ASSERT_FALSE(report.rows.empty());
    for (const auto& row : report.rows) {
        EXPECT_EQ(row.width, 96);
        EXPECT_EQ(row.height, 64);
        EXPECT_EQ(row.filter, "sharpen | border=replicate");
        EXPECT_EQ(row.border, "replicate");
    }
    EXPECT_TRUE(timed("direct"));
    EXPECT_GT(std::ranges::count(report.rows, "opencv", &measure::ReportRow::peer), 0);
    EXPECT_TRUE(bench().chip().empty());
    EXPECT_EQ(document().messages().back().text,
              measure::verdict(report, bench().session().state()->report->standings));
    harness_->save_screenshot("bench_measured");
}

TEST_F(BenchTest, MeasuresTheRoofOnceAndDrawsTheRowsBelowIt) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    const auto measure = [&] {
        bench().adjust_jobs([](BenchJob& job) {
            if (!std::getenv("KERNELGLASS_ROOFLINE")) { // else as people measure it
                job.rules.seconds = 0;
                job.rules.comparison.most_cold_bytes = measure::kFewColdBytes;
                job.rules.comparison.timing.most_warm_up_us = 1;
            }
        });
        bench().measure();
        settle();
        const auto& report = bench().session().state()->report->report;
        return report.devices.front().limits;
    };
    const auto limits = measure();
    EXPECT_GT(limits.copy_gb_per_s, 0);
    EXPECT_GT(limits.multiply_adds_g_per_s, 0);
    const auto* shown = bench().reports().shown();
    EXPECT_GE(measure::roofline_points(shown->report.devices.front(), shown->standings).size(), 2u);
    harness_->save_screenshot("bench_measured_all");
    harness_->run("scroll to the roofline", [&](ImGuiTestContext* ctx) {
        ctx->ScrollToBottom("//bench details");
        IM_CHECK(ctx->ItemExists("//bench details/**/roofline"));
        ctx->Yield(3);
    });
    harness_->save_screenshot("bench_roofline");
    const auto again = measure();
    EXPECT_EQ(again.copy_gb_per_s, limits.copy_gb_per_s) << "measured again";
    EXPECT_EQ(again.multiply_adds_g_per_s, limits.multiply_adds_g_per_s);
}

TEST_F(BenchTest, ThePaletteMeasures) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("palette", [](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
        ctx->Yield(3);
        ctx->KeyChars("Measure");
        ctx->Yield(2);
        ctx->KeyPress(ImGuiKey_Enter);
    });
    EXPECT_TRUE(harness_->frames_until([&] { return phase() != Phase::none; }));
    settle();
    EXPECT_TRUE(timed("direct"));
}

TEST_F(BenchTest, ReportsAJobThatEndsAsItBegins) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    const auto before = document().messages().size();
    bench().measure();
    {
        const NoThreads refusal;
        harness_->frames_until([&] { return bench().settled(); });
    }
    ASSERT_EQ(phase(), Phase::finished);
    ASSERT_EQ(document().messages().size(), before + 1);
    EXPECT_EQ(document().messages().back().code(), bench().session().state()->failure->code());
}

TEST_F(BenchTest, ARowIsShownByMouseAndByKeyboard) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    auto report = measure::one_request();
    // The CPU engine has `direct`, and `naive` belongs to another.
    report.rows[0].name.replace(report.rows[0].name.find("naive"), 5, "direct");
    report.rows[0].algorithm = "direct";
    bench().open(write_report(report, "one.json"));
    harness_->frames(2);
    click_row("cpu direct");
    EXPECT_EQ(document().selection(), (Selection{"cpu", "direct"}));
    EXPECT_NE(document().result()->algorithm.find("direct"), std::string::npos);
    EXPECT_EQ(measure::algorithm_name(*bench().reports().row()), "direct");
    harness_->save_screenshot("bench_row");
    click_row("cpu opencv:filter2D", true);
    EXPECT_EQ(document().selection(), (Selection{"cpu", "opencv:filter2D"}));
    click_row("cpu box"); // it has no time
    EXPECT_EQ(document().selection(), (Selection{"cpu", "opencv:filter2D"}));
    EXPECT_EQ(measure::algorithm_name(*bench().reports().row()), "box");
}

TEST_F(BenchTest, AnEditPausesAndMeasuringResumesByItself) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().measure();
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    const auto before = document().result()->stamp;
    document().set_value("sigma", "2");
    EXPECT_TRUE(document().busy());
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::paused; }));
    ASSERT_TRUE(harness_->frames_until([&] { return !document().busy(); }));
    EXPECT_GT(document().result()->stamp, before);
    EXPECT_NE(bench().chip().find("paused"), std::string::npos);
    harness_->save_screenshot("bench_paused");
    ASSERT_TRUE(harness_->frames_until([&] { return phase() != Phase::paused; }));
    settle();
    ASSERT_EQ(phase(), Phase::finished);
    // The recipe that it began with was measured.
    EXPECT_EQ(bench().session().state()->report->report.rows.front().filter, "gaussian:sigma=1");
    harness_->save_screenshot("bench_stale");
}

TEST_F(BenchTest, MeasuringResumesWhileATextFieldKeepsTheKeyboard) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().measure();
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    document().set_value("sigma", "2");
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::paused; }));
    harness_->run("open", [](ImGuiTestContext* ctx) { ctx->ItemClick("//bench/sigma/##number"); });
    ASSERT_EQ(phase(), Phase::paused) << "it has a second to open the field";
    ASSERT_TRUE(ImGui::IsAnyItemActive());
    ASSERT_TRUE(harness_->frames_until([&] { return phase() != Phase::paused; }));
    settle();
    EXPECT_EQ(phase(), Phase::finished);
}

TEST_F(BenchTest, PausesResumesAndStopsByMouseAndKeyboard) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("start", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); });
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    click("bench head", icon::kPause, "Pause", "pause");
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::paused; }));
    harness_->frames(30);
    EXPECT_EQ(phase(), Phase::paused) << "until it is asked to resume";
    click("bench head", icon::kPlay, "Resume", "pause");
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    harness_->run("stop", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiKey_Escape); });
    settle();
    EXPECT_EQ(phase(), Phase::finished);
    const auto report = bench().session().state()->report; // none if it was stopped before the first samples
    EXPECT_FALSE(report && report->report.complete);
}

TEST_F(BenchTest, KeepsTheReportWhenItIsStoppedBeforeAnythingIsMeasured) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().measure();
    settle();
    const auto* shown = bench().reports().shown();
    ASSERT_TRUE(shown);
    EXPECT_FALSE(bench().is_stale());
    document().set_value("sigma", "2");
    settle();
    EXPECT_TRUE(bench().is_stale());
    const auto held = std::make_shared<HeldEngine>();
    bench().adjust_jobs([&](BenchJob& job) { job.engines = {held}; });
    bench().measure();
    if (harness_->frames_until([&] { return phase() == Phase::running; })) held->wait_until_held();
    bench().actions().stop();
    held->let_go();
    settle();
    EXPECT_EQ(phase(), Phase::finished);
    EXPECT_EQ(bench().reports().shown(), shown);
    EXPECT_TRUE(bench().is_stale()) << "it is of the previous recipe";
    EXPECT_EQ(document().messages().back().text, "Stopped before anything was measured.");
}

TEST_F(BenchTest, NeedsNoFrameWhileItWaitsForTheLastSamples) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    const auto held = std::make_shared<HeldEngine>();
    bench().adjust_jobs([&](BenchJob& job) { job.engines = {held}; });
    bench().measure();
    if (harness_->frames_until([&] { return phase() == Phase::running; })) {
        held->wait_until_held();
        bench().actions().pause();
        EXPECT_EQ(phase(), Phase::pausing);
        EXPECT_GT(bench().next_change(), 0);
        EXPECT_LT(bench().next_change(), 1) << "then edits no longer wait";
        EXPECT_TRUE(harness_->frames_until([&] { return bench().next_change() == FramePacer::kNever; }));
        EXPECT_EQ(phase(), Phase::pausing);
    }
    bench().actions().stop();
    held->let_go();
    settle();
}

TEST_F(BenchTest, MeasuresOverKernelSizesByKey) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().adjust_jobs([](BenchJob& job) {
        EXPECT_EQ(job.cases.size(), 8u);
        job.cases.resize(2);
        job.rules.seconds = 0;
        job.rules.limits = false;
        job.rules.comparison.most_cold_bytes = measure::kFewColdBytes;
        job.rules.comparison.rounds = 1;
        job.rules.comparison.timing.most_warm_up_us = 1;
    });
    harness_->run("key", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K); });
    settle();
    ASSERT_TRUE(bench().reports().family());
    EXPECT_EQ(bench().reports().family()->requests.size(), 2u);
    harness_->save_screenshot("bench_over_sizes");
}

TEST_F(BenchTest, TheChipShowsTheJobInEveryWorkspaceAndLeadsToIt) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().measure();
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    harness_->run("to Play", [](ImGuiTestContext* ctx) { ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_M); });
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    harness_->run("chip", [](ImGuiTestContext* ctx) { ctx->ItemClick("//top bar/measuring"); });
    EXPECT_EQ(playground_->workspace(), Workspace::bench);
    bench().actions().stop();
    settle();
}

TEST_F(BenchTest, OneClickLeadsHereFromTheTimingTabAndTheEngineChip) {
    if (!start_with_step("box:size=3")) GTEST_SKIP() << kNoOpenGl;
    harness_->run("from the tab", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//right/tabs/Timing");
        ctx->ItemClick(("//right/tabs/Timing/" + named(icon::kChart, "Bench...", "bench")).c_str());
    });
    harness_->frames(2);
    EXPECT_EQ(playground_->workspace(), Workspace::bench);
    harness_->run("back, and from the chip", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//top bar/workspace/Play");
        ctx->ItemClick(("//top bar/" + named(icon::kChart, "", "measure all")).c_str());
    });
    EXPECT_EQ(playground_->workspace(), Workspace::bench);
}

TEST_F(BenchTest, AReportOfAnotherMachineStandsBeside) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    auto mine = measure::one_request(), other = mine;
    other.host = "Laptop, Linux 6.8";
    other.devices[0].name = "Laptop";
    for (auto& row : other.rows)
        if (row.times) {
            auto& run = row.times->run;
            for (auto* us : {&run.median, &run.p5, &run.p95, &run.ci_low, &run.ci_high}) *us *= 2;
        }
    auto gpu = other.rows[1];
    gpu.engine = "cuda";
    gpu.name.replace(gpu.name.rfind("cpu"), 3, "cuda");
    other.rows.push_back(gpu);
    bench().open(write_report(mine, "mine.json"));
    bench().open(write_report(other, "laptop.json"));
    auto& reports = bench().reports();
    ASSERT_TRUE(reports.shown() && reports.beside());
    EXPECT_EQ(reports.beside()->name, "laptop.json");
    const auto beside = reports.beside(*timed("tiled"));
    ASSERT_TRUE(beside);
    EXPECT_DOUBLE_EQ(beside->ratio, 0.5);
    EXPECT_EQ(beside->order, measure::Order::faster);
    ASSERT_EQ(reports.only_beside().size(), 1u);
    EXPECT_EQ(reports.only_beside().front()->engine, "cuda");
    EXPECT_FALSE(reports.difference()->same_machine);
    settle();
    harness_->save_screenshot("bench_beside");
    harness_->run("none", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//bench/##beside");
        ctx->ItemClick("//$FOCUSED/None");
    });
    EXPECT_FALSE(reports.beside());
    bench().open(folder_ / "photo.png");
    EXPECT_EQ(document().messages().back().kind, Message::Kind::error);
}

TEST_F(BenchTest, ASweepHasAChartAndARequestToChoose) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    harness_->context().on_drop({write_report(measure::sweep(), "sweep.json")});
    ASSERT_TRUE(bench().reports().family());
    settle();
    harness_->save_screenshot("bench_sweep");
    EXPECT_EQ(bench().reports().standing()->any().kernel_width, 3);
    harness_->run("another size", [](ImGuiTestContext* ctx) {
        ctx->ItemClick("//bench/##request");
        ctx->ItemClick("//$FOCUSED/gaussian:size=5, 5 x 5, u8 x 4##1");
    });
    harness_->frames(2);
    EXPECT_EQ(bench().reports().standing()->any().kernel_width, 5);
    harness_->save_screenshot("bench_sweep_5");
}

TEST_F(BenchTest, TwoResultsAreComparedAndTheDifferenceLeadsToItsPixel) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    auto report = measure::one_request();
    report.rows[0].name.replace(report.rows[0].name.find("naive"), 5, "direct");
    bench().open(write_report(report, "one.json"));
    bench().reports().choose_row(report.rows[0].name);
    document().change([](Recipe& recipe) { recipe.depth = Depth::f32; }); // float32 sums round
    settle();
    click("bench details", icon::kDifference, "Compare results", "compare");
    harness_->frames_until([&] { return bench().settled(); });
    EXPECT_LT(playground_->view().next_change(document()), FramePacer::kNever) << "the toast fades";
    settle();
    const auto difference = bench().session().state()->difference;
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->of.a.algorithm, "direct");
    EXPECT_EQ(difference->of.b.algorithm, "reference");
    EXPECT_EQ(difference->samples, 96 * 64 * 4);
    EXPECT_EQ(document().messages().back().text, difference_text(*difference));
    harness_->save_screenshot("bench_difference");
    ASSERT_GT(difference->differing, 0);
    harness_->run("map", [](ImGuiTestContext* ctx) { ctx->ItemClick("//bench details/map"); });
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(playground_->view().pinned(), (std::pair{difference->x, difference->y}));
}

TEST_F(BenchTest, ExportsEveryFormatOfTheCommand) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    const auto report = measure::one_request();
    bench().open(write_report(report, "one.json"));
    settle();
    for (const auto* name : {"out.json", "out.csv", "out.md", "out.html"}) {
        harness_->run(name, [&](ImGuiTestContext* ctx) {
            ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
            ctx->Yield(2);
            type_path(ctx, folder_ / name);
        });
        settle();
        EXPECT_EQ(read_file(folder_ / name), report_as(name, report)) << name;
    }
    bench().save(folder_ / "out.txt");
    EXPECT_EQ(document().messages().back().code(), "bad-extension");
}

} // namespace
} // namespace kg
