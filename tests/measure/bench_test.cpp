// A benchmark with too little time: it ends, and every row without times gives the reason.

#include "measure/bench.hpp"

#include "cpu/engine.hpp"
#include "filters/recipe.hpp"

#include "tests/measure/support/clocked_engine.hpp"
#include "tests/measure/support/counted_engine.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/measure/support/slow_memory.hpp"
#include "tests/support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::measure {
namespace {

std::vector<BenchCase> cases() {
    std::vector<BenchCase> all;
    for (const int width : {64, 80}) {
        BenchCase c;
        c.request = {{width, 48}, {Depth::u8, 1}, {Depth::u8, 1}, {stage_of(parse_step("gaussian:sigma=1"))}};
        c.filter = "gaussian";
        all.push_back(c);
    }
    return all;
}

BenchRules quick_bench() {
    BenchRules rules;
    rules.comparison.rounds = 2, rules.comparison.samples_per_round = 3;
    rules.comparison.timing.least_sample_us = 50;
    rules.comparison.timing.most_warm_up_us = 1000;
    rules.only = {"direct", "separable"};
    rules.comparison.most_cold_bytes = kFewColdBytes;
    rules.limits = false;
    return rules;
}

TEST(Bench, HasARowForEachAlgorithmThoughItsTimeIsOver) {
    const std::shared_ptr<Engine> engine = cpu::make_engine(1);
    auto rules = quick_bench();
    rules.seconds = 1e-6;
    rules.limits = true;
    const auto report = bench(cases(), {&engine, 1}, rules);
    ASSERT_EQ(report.rows.size(), 4u);
    for (const auto& row : report.rows) {
        EXPECT_FALSE(row.times);
        EXPECT_EQ(name(row.verdict), "stopped");
        EXPECT_EQ(row.code, kTimeWasOverCode);
        EXPECT_EQ(row.reason, kTimeWasOver);
    }
    EXPECT_FALSE(report.complete);
}

TEST(Bench, MeasuresAgainWhatHadTooLittleTimeAtFirst) {
    constexpr double kSeconds = 10;
    for (const bool always_loads : {false, true}) {
        testing::CountedTime time;
        const auto engine = testing::make_counted_engine(time, {{1e3, 1e3}, {1e3, 1e3}});
        auto rules = quick_bench();
        rules.only = {"counted_0", "counted_1"};
        rules.comparison.timing.time = &time;
        rules.seconds = kSeconds;
        std::vector<double> all;
        bool has_loaded = false;
        const auto report = bench(cases(), {&engine, 1}, rules, [&](const BenchStep& step) {
            EXPECT_LT(step.done, step.all);
            if (step.steps == 0) return;
            if (all.empty() || all.back() != step.all) all.push_back(step.all);
            if (has_loaded && !always_loads) return;
            has_loaded = true; // the library takes more than the share of the first request
            time.work(0.6e6 * kSeconds, {});
        });
        ASSERT_EQ(report.rows.size(), 4u);
        for (const auto& row : report.rows) EXPECT_EQ(row.times.has_value(), !always_loads) << row.reason;
        EXPECT_EQ(report.rows[0].width, 64);
        EXPECT_EQ(report.rows[2].width, 80);
        EXPECT_EQ(report.complete, !always_loads);
        EXPECT_EQ(all.front(), 2) << "the two requests";
        if (!always_loads) {
            EXPECT_EQ(all.back(), 3) << "and one of them again";
            EXPECT_LT(time.now_us(), 1e6 * kSeconds);
        }
    }
}

TEST(Bench, SlowMemoryLeavesTimeToMeasure) {
    constexpr double kSeconds = 10, kFillingUs = 8e6;
    constexpr std::size_t kBytes = std::size_t{24} << 20;
    const auto image = buffer_pitch(64, {Depth::u8, 1}) * 48; // bytes
    const double slow_us = kFillingUs / static_cast<double>(kBytes / image);
    for (const double upload_us : {0.0, slow_us}) {
        testing::CountedTime time;
        const std::shared_ptr<Engine> engine = std::make_shared<testing::SlowMemory>(
            std::make_shared<testing::ClockedEngine>(), time, upload_us);
        auto all = cases();
        all.pop_back();
        auto rules = quick_bench();
        rules.only = {"direct", "separable", "box"};
        rules.comparison.most_cold_bytes = kBytes;
        rules.comparison.timing.time = &time;
        rules.seconds = kSeconds;
        const auto report = bench(all, {&engine, 1}, rules);
        const bool is_slow = upload_us > 0;
        EXPECT_TRUE(report.complete);
        ASSERT_EQ(report.rows.size(), 3u);
        for (const auto& row : report.rows) {
            SCOPED_TRACE(row.name + ": " + row.reason);
            EXPECT_EQ(row.cold, !is_slow);
            EXPECT_EQ(row.name.ends_with("/partly-warm"), is_slow);
            EXPECT_EQ(request_name(row), request_name(report.rows[0]));
            EXPECT_EQ(row.times.has_value(), row.algorithm != "box");
            EXPECT_EQ(row.reason.find("partly warm") != row.reason.npos, is_slow && row.times);
            if (row.algorithm == "box") {
                EXPECT_EQ(row.reason, "its weights must all be the same");
            }
        }
        EXPECT_LT(time.now_us(), kSeconds * 1e6);
    }
}

TEST(Bench, AnImageThatDoesNotFitCostsTheOthersNothing) {
    if (testing::kSanitized) GTEST_SKIP() << "sanitizers end the program where there is no memory";
    const std::shared_ptr<Engine> engine = cpu::make_engine(1);
    auto all = cases();
    all[0].request.size = {1 << 24, 1 << 22}; // more bytes than a processor can address
    all[0].request.in = all[0].request.out = {Depth::f32, 4};
    const auto report = bench(all, {&engine, 1}, quick_bench());
    ASSERT_EQ(report.rows.size(), 4u);
    for (const auto& row : report.rows) {
        const bool fits = row.width == 80;
        EXPECT_EQ(row.times.has_value(), fits) << row.reason;
        EXPECT_EQ(name(row.verdict), fits ? "right" : "failed");
        EXPECT_EQ(row.code, fits ? "" : "out-of-memory");
        EXPECT_EQ(row.reason == "there is not enough memory for the image", !fits) << row.reason;
    }
    EXPECT_TRUE(report.complete);
}

TEST(Bench, TiesAreTheOverlapsThatTheTablesShow) {
    const std::shared_ptr<Engine> engine = cpu::make_engine(1);
    auto rules = quick_bench();
    rules.comparison.rounds = 1; // too few samples for compare()
    rules.only.emplace_back("float64");
    const auto report = bench(cases(), {&engine, 1}, rules);
    ASSERT_EQ(report.rows.size(), 6u);
    for (const auto& a : report.rows)
        for (const auto& b : report.rows) {
            if (&a == &b || a.width != b.width) continue;
            ASSERT_TRUE(a.times && a.times->run.too_few && b.times);
            EXPECT_EQ(std::ranges::count(a.tie_with, algorithm_name(b)) > 0,
                      overlap(a.times->run, b.times->run))
                << a.name << " and " << b.name;
        }
}

TEST(Bench, TheAutomaticChoiceHasARowWhereNoOtherShowsIt) {
    const std::shared_ptr<Engine> engine = cpu::make_engine(1);
    auto rules = quick_bench();
    rules.comparison.rounds = rules.comparison.samples_per_round = 1;
    const auto autos = [&](const char* second) {
        auto all = cases();
        all.pop_back();
        if (*second) all[0].request.stages.push_back(stage_of(parse_step(second)));
        return bench(all, {&engine, 1}, rules);
    };
    const auto count = [](const BenchReport& report) {
        return std::ranges::count_if(report.rows, [](const ReportRow& row) {
            return row.name.starts_with("image/auto/") && row.chosen;
        });
    };
    rules.only.clear();
    EXPECT_EQ(count(autos("")), 0) << "the row of the algorithm itself is marked";
    EXPECT_EQ(count(autos("sharpen")), 1) << "no algorithm computes it as the choice does";
    rules.only = {"direct"};
    EXPECT_EQ(count(autos("sharpen")), 0);
    rules.only = {"direct", std::string(kAuto)};
    const auto report = autos("sharpen");
    EXPECT_EQ(report.rows.size(), 2u);
    EXPECT_EQ(count(report), 1);
}

TEST(Bench, CountsWarmComparisonsToo) {
    const std::shared_ptr<Engine> engine = cpu::make_engine(1);
    auto rules = quick_bench();
    rules.warm = rules.limits = true;
    double last = 0, of = 0;
    std::string last_step;
    const auto report = bench(cases(), {&engine, 1}, rules, [&](const BenchStep& step) {
        EXPECT_GE(step.done, last);
        EXPECT_LE(step.done, step.all);
        last = step.done, of = step.all;
        last_step = step.what;
        // 2 candidates, the rounds, and the last verification
        EXPECT_EQ(step.steps,
                  of == 0 || step.what.starts_with("measuring") ? 0 : 2 + rules.comparison.rounds + 1);
    });
    EXPECT_EQ(of, 4);
    EXPECT_EQ(last, 4);
    EXPECT_TRUE(last_step.starts_with("measuring the limits")) << "after the rows: " << last_step;
    ASSERT_EQ(report.rows.size(), 8u);
    for (const auto& row : report.rows) {
        EXPECT_TRUE(row.times) << row.name << ": " << row.reason;
        EXPECT_GT(row.arithmetic_us, 0);
        EXPECT_GT(row.of_limit, 0);
    }
    EXPECT_TRUE(report.complete);
}

} // namespace
} // namespace kg::measure
