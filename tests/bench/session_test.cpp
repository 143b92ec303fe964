// The benchmark beside a window: jobs, pauses, stops, and what is shown of them.

#include "app/bench/session/session.hpp"

#include "app/bench/session/job.hpp"
#include "app/bench/session/pausable_time.hpp"
#include "app/bench/session/session_text.hpp"
#include "app/process/image/sample_image.hpp"
#include "cpu/engine.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/held_engine.hpp"
#include "tests/support/standstill.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

using namespace kg::testing;
using Phase = BenchState::Phase;

Recipe recipe_from(const std::string& step) {
    Recipe recipe;
    recipe.steps = {parse_step(step)};
    return recipe;
}

BenchSubject subject(const std::string& step = "sharpen") {
    return {std::make_shared<Image>(sample_image({48, 32})),
            "sample",
            recipe_from(step),
            false,
            {cpu::make_engine(1)}};
}

/// It takes little time, and has no time limit, so that every row has a time however busy the machine is.
void make_quick(BenchJob& job) {
    job.rules.seconds = 0;
    job.rules.limits = false;
    auto& comparison = job.rules.comparison;
    comparison.most_cold_bytes = measure::kFewColdBytes;
    comparison.rounds = 2;
    comparison.samples_per_round = 2;
    comparison.timing.least_sample_us = 1;
    comparison.timing.most_warm_up_us = 1;
    comparison.timing.most_wake_up_us = 1;
}

BenchJob quick_job() {
    auto job = recipe_job(subject());
    make_quick(job);
    return job;
}

bool reaches(const BenchSession& session, Phase phase) {
    return eventually([&] { return session.state()->phase == phase; });
}

TEST(PausableTime, DoesNotPassWhileItIsPaused) {
    PausableTime time;
    time.pause();
    const double now = time.now_us();
    std::stop_source stop;
    const auto alarm = time.alarm(now + 1, stop);
    EXPECT_TRUE(comes_to_standstill());
    EXPECT_EQ(time.now_us(), now);
    EXPECT_FALSE(stop.stop_requested());
    time.resume();
    EXPECT_TRUE(eventually([&] { return stop.stop_requested(); }));
    EXPECT_GT(time.now_us(), now);
}

TEST(PausableTime, AnAlarmThatIsGivenUpNeverStops) {
    PausableTime time;
    time.pause();
    std::stop_source stop;
    time.alarm(time.now_us() + 1, stop).reset();
    time.resume();
    EXPECT_TRUE(comes_to_standstill());
    EXPECT_FALSE(stop.stop_requested());
}

TEST(BenchSession, MeasuresTheRecipeOnTheImage) {
    BenchSession session;
    session.start(quick_job());
    EXPECT_TRUE(session.running());
    ASSERT_TRUE(reaches(session, Phase::finished));
    const auto state = session.state();
    ASSERT_TRUE(state->report);
    const auto& report = state->report->report;
    EXPECT_EQ(report.title, "sample, sharpen");
    EXPECT_FALSE(report.version.empty());
    ASSERT_EQ(state->report->standings.size(), 1u);
    EXPECT_EQ(state->report->standings.front().any().width, 48);
    const auto is_peer = [](const measure::ReportRow& row) { return row.peer == "opencv"; };
    EXPECT_TRUE(std::ranges::any_of(report.rows, is_peer));
    EXPECT_FALSE(session.running());
}

/// One of them has no host pointers, as a GPU has none.
TEST(BenchSession, MeasuresAndComparesOnEveryEngine) {
    BenchSession session;
    auto job = quick_job();
    job.engines.push_back(make_detached_engine());
    const auto id = job.engines.back()->device().id;
    const auto only = job.cases.front();
    const ResultBy host{job.engines.front(), "direct"}, detached{job.engines.back(), "direct"};
    session.start(std::move(job));
    ASSERT_TRUE(reaches(session, Phase::finished));
    const auto report = session.state()->report;
    ASSERT_TRUE(report);
    EXPECT_EQ(report->report.devices.size(), 2u);
    const auto is_there = [&](const measure::ReportRow& row) { return row.engine == id && row.times; };
    EXPECT_TRUE(std::ranges::any_of(report->report.rows, is_there));
    session.compare({only.request, only.image, host, detached});
    ASSERT_TRUE(reaches(session, Phase::finished));
    ASSERT_TRUE(session.state()->difference);
    EXPECT_EQ(session.state()->difference->differing, 0);
}

TEST(BenchSession, PausesBeforeTheNextSamplesAndResumes) {
    BenchSession session;
    session.resume(); // nothing to resume
    EXPECT_EQ(session.state()->phase, Phase::none);
    session.start(quick_job());
    session.pause();
    ASSERT_TRUE(reaches(session, Phase::paused));
    const auto step = session.state()->step;
    EXPECT_TRUE(comes_to_standstill());
    EXPECT_EQ(session.state()->step.step, step.step);
    EXPECT_EQ(session.state()->phase, Phase::paused);
    session.resume();
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_TRUE(session.state()->report->report.complete);
}

TEST(BenchSession, PausesAgainBeforeItHasResumed) {
    BenchSession session;
    session.start(quick_job());
    session.pause();
    ASSERT_TRUE(reaches(session, Phase::paused));
    for (int i = 0; i < 10; ++i) {
        session.resume();
        session.pause();
        ASSERT_TRUE(eventually([&] {
            const auto phase = session.state()->phase;
            return phase == Phase::paused || phase == Phase::finished;
        })) << i;
    }
    session.stop();
    EXPECT_TRUE(reaches(session, Phase::finished));
}

TEST(BenchSession, StopsAlsoWhileItIsPaused) {
    BenchSession session;
    const auto held = std::make_shared<HeldEngine>();
    auto job = quick_job();
    job.engines = {held};
    session.start(std::move(job));
    held->wait_until_held();
    session.pause();
    held->let_go();
    ASSERT_TRUE(reaches(session, Phase::paused));
    session.stop();
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_FALSE(session.state()->report) << "nothing was measured";
    EXPECT_FALSE(session.state()->failure);
    session.start(quick_job());
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_TRUE(session.state()->report->report.complete);
}

TEST(BenchSession, KeepsTheReportWhenItIsStoppedBeforeAnythingIsMeasured) {
    BenchSession session;
    session.start(quick_job());
    ASSERT_TRUE(reaches(session, Phase::finished));
    const auto report = session.state()->report;
    ASSERT_TRUE(report);
    const auto held = std::make_shared<HeldEngine>();
    auto job = quick_job();
    job.engines = {held};
    session.start(std::move(job));
    held->wait_until_held();
    session.stop();
    held->let_go();
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_EQ(session.state()->report, report);
    EXPECT_FALSE(session.state()->failure);
}

TEST(BenchSession, EndsWhilePaused) {
    BenchSession session;
    session.start(quick_job());
    session.pause();
    EXPECT_TRUE(reaches(session, Phase::paused));
}

/// The result of `direct` with one value changed, as another algorithm would have it.
TEST(ResultDifference, CountsValuesAndShowsWhere) {
    const auto job = recipe_job(subject());
    const ResultBy direct{job.engines.front(), "direct"}, reference{job.engines.front(), "reference"};
    const auto& only = job.cases.front();
    const auto same = difference_of({only.request, only.image, direct, direct});
    EXPECT_EQ(same.samples, 48 * 32 * 4);
    EXPECT_EQ(same.differing, 0);
    EXPECT_EQ(difference_text(same), "direct and direct: 0 of 6.1 k values differ");

    auto request = only.request;
    request.in = request.out = {Depth::f32, 3};
    Image floats({300, 20}, request.in);
    for (std::int64_t y = 0; y < 20; ++y)
        for (std::int64_t x = 0; x < 900; ++x)
            floats.view().row<float>(y)[x] = static_cast<float>((x * 7 + y * 13) % 101) / 101;
    request.size = floats.size();
    const auto image = std::make_shared<const Image>(std::move(floats));
    const auto some = difference_of({request, image, direct, reference});
    EXPECT_GT(some.differing, 0) << "float32 sums round otherwise than float64";
    EXPECT_GT(some.largest, 0);
    EXPECT_LT(some.largest, 1e-5);
    EXPECT_EQ(some.map->size(), (Extent{150, 10})) << "cells of 2 x 2";
    EXPECT_EQ(some.map->view().row<std::uint8_t>(some.y / 2)[4 * (some.x / 2)], 255);
}

TEST(BenchSession, ComparesResults) {
    BenchSession session;
    const auto all = recipe_job(subject());
    const ResultBy direct{all.engines.front(), "direct"};
    session.compare({all.cases.front().request, all.cases.front().image, direct, direct});
    ASSERT_TRUE(reaches(session, Phase::finished));
    ASSERT_TRUE(session.state()->difference);
    EXPECT_FALSE(session.state()->report);
    session.compare(
        {all.cases.front().request, all.cases.front().image, direct, {all.engines.front(), "no such"}});
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_TRUE(session.state()->failure);
}

TEST(BenchSession, AStoppedComparisonHasNoDifference) {
    BenchSession session;
    const auto all = recipe_job(subject());
    const auto& only = all.cases.front();
    const ResultBy direct{all.engines.front(), "direct"};
    session.compare({only.request, only.image, direct, direct});
    ASSERT_TRUE(reaches(session, Phase::finished));
    ASSERT_TRUE(session.state()->difference);
    const auto held = std::make_shared<HeldEngine>();
    session.compare({only.request, only.image, direct, {held, "direct"}});
    held->wait_until_held();
    session.stop();
    held->let_go();
    ASSERT_TRUE(reaches(session, Phase::finished));
    EXPECT_FALSE(session.state()->difference);
    EXPECT_FALSE(session.state()->failure);
}

TEST(BenchJob, NeedsAStep) {
    auto none = subject();
    none.recipe.steps.front().enabled = false;
    EXPECT_EQ(code_of([&] { recipe_job(none); }), "missing-step");
}

TEST(BenchJob, MeasuresTheFilterOverKernelSizesOnTheImage) {
    const auto gaussian = subject("gaussian:sigma=2");
    const auto all = kernel_sizes_job(gaussian, gaussian.recipe.steps.front());
    ASSERT_EQ(all.cases.size(), 8u);
    for (const auto& each : all.cases) {
        EXPECT_EQ(each.filter, "gaussian");
        EXPECT_EQ(each.image, gaussian.image);
        EXPECT_EQ(each.request.in, gaussian.image->format());
    }
    const auto unsharp = subject("unsharp:sigma=1");
    EXPECT_EQ(kernel_sizes_job(unsharp, parse_step("laplacian")).cases.front().filter, "dense")
        << "a filter without sizes";
}

TEST(BenchJob, MeasuresALinearPremultipliedImageOverKernelSizes) {
    auto linear = subject("gaussian:sigma=2");
    Image pixels({48, 32}, {Depth::f32, 4, 3, true, true});
    for (std::int64_t y = 0; y < 32; ++y)
        for (std::int64_t x = 0; x < 48 * 4; ++x)
            pixels.view().row<float>(y)[x] = static_cast<float>((x * 7 + y * 13) % 101) / 101;
    linear.image = std::make_shared<const Image>(std::move(pixels));
    auto job = kernel_sizes_job(linear, linear.recipe.steps.front());
    ASSERT_EQ(job.cases.size(), 8u);
    for (const auto& each : job.cases) EXPECT_EQ(each.request.in, linear.image->format());
    make_quick(job);
    job.cases.resize(2);
    BenchSession session;
    session.start(std::move(job));
    ASSERT_TRUE(reaches(session, Phase::finished));
    ASSERT_TRUE(session.state()->report);
    const auto& rows = session.state()->report->report.rows;
    EXPECT_TRUE(std::ranges::any_of(rows, [](const auto& row) { return row.times.has_value(); }));
    for (const auto& row : rows) EXPECT_NE(row.verdict, measure::Verdict::failed) << row.name << row.reason;
}

TEST(BenchJob, OfAnOpaqueImageIsWhatTheWindowComputes) {
    auto opaque = subject();
    EXPECT_TRUE(is_alpha_weighted(recipe_job(opaque).cases.front().request));
    opaque.opaque = true;
    EXPECT_FALSE(is_alpha_weighted(recipe_job(opaque).cases.front().request));
}

TEST(BenchText, CountsStepsOfOneComparisonAndComparisonsOfSeveral) {
    BenchState state;
    EXPECT_TRUE(bench_text(state, nullptr).chip.empty());
    state.phase = Phase::running;
    EXPECT_EQ(bench_text(state, nullptr).chip, "Measuring");
    state.step = {2.0 / 18, 1, 2, 18, "verifying tiled"};
    EXPECT_EQ(bench_text(state, nullptr).chip, "Measuring 3 of 18");
    state.phase = Phase::paused;
    EXPECT_EQ(bench_text(state, nullptr).chip, "Measuring 3 of 18, paused");
    state.phase = Phase::running;
    state.step = {1.5, 8, 9, 18, "round 1"};
    EXPECT_EQ(bench_text(state, nullptr).chip, "Measuring 2 of 8");
}

TEST(BenchText, NamesWhatCastsDoubtOnTheFastestTime) {
    auto report = measure::one_request();
    BenchState state;
    state.phase = Phase::finished;
    const auto detail = [&] {
        const RankedReport shown(report, "mine");
        return bench_text(state, &shown).detail;
    };
    const auto of_transfers = detail();
    for (auto& row : report.rows)
        if (row.times && row.algorithm != "tiled") row.times->run.drift = 1;
    EXPECT_EQ(detail(), of_transfers) << "of other rows";
    for (auto& row : report.rows)
        if (row.times) row.times->run.too_few = true, row.times->run.samples = 4;
    EXPECT_EQ(detail(), "Doubtful: only 4 samples. " + of_transfers);
}

TEST(BenchText, BeginsWithTheVerdictThenTransfers) {
    const RankedReport shown(measure::one_request(), "mine");
    BenchState state;
    state.phase = Phase::finished;
    const auto text = bench_text(state, &shown);
    EXPECT_TRUE(text.verdict.starts_with("tiled is fastest: 41.0 us")) << text.verdict;
    EXPECT_EQ(text.detail, "With transfers tiled is fastest: 652 us (645-658); tie with naive");
    state.failure = Error("out-of-memory", "There is not enough memory.");
    EXPECT_TRUE(bench_text(state, &shown).warns);
    EXPECT_EQ(bench_text(state, &shown).verdict, "Not measured");
    state.comparing = true;
    EXPECT_FALSE(bench_text(state, &shown).warns);
    EXPECT_EQ(bench_text(state, &shown).verdict, text.verdict);
}

} // namespace
} // namespace kg
