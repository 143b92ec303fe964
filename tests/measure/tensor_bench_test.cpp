// Benchmarks of signals, filter banks and volumes: every algorithm is verified and timed, the text's serial
// program has its checksum, and large results are verified in samples.

#include "core/reference/bank_reference.hpp"
#include "core/reference/signal_reference.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "measure/bank_work.hpp"
#include "measure/signal_verifier.hpp"
#include "measure/signal_work.hpp"
#include "measure/tensor_bench.hpp"
#include "measure/volume_work.hpp"
#include "peers/peers.hpp"
#include "tests/measure/support/clocked_engine.hpp"
#include "tests/measure/support/slow_memory.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/signal_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace kg::measure {
namespace {

BenchRules short_rules() {
    BenchRules rules;
    rules.limits = false;
    rules.peers = {"seed"};
    rules.comparison.most_cold_bytes = std::size_t{1} << 20;
    rules.comparison.rounds = rules.comparison.samples_per_round = 2;
    rules.comparison.timing = {100, 1000, 1000};
    return rules;
}

/// A benchmark of one request.
BenchReport bench_one(std::shared_ptr<const TensorWork> work,
                      const std::vector<std::shared_ptr<Engine>>& engines, const BenchRules& rules) {
    return bench_tensors(std::vector{std::move(work)}, engines, rules);
}

SignalCase case_of_the_text() {
    SignalCase c;
    std::vector<std::int32_t> taps(1024);
    std::iota(taps.begin(), taps.end(), 1025);
    c.request.samples = 1024;
    c.request.taps = taps;
    c.request.flip = true;
    c.title = "the text's";
    c.sample = [](std::int64_t i) { return i + 1; };
    return c;
}

TEST(SignalBench, HasARowForEveryAlgorithmAndTheTextsProgram) {
    const std::vector<std::shared_ptr<Engine>> engines{cpu::make_engine(2)};
    const auto report = bench_one(tensor_work(case_of_the_text()), engines, short_rules());
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.rows.size(), cpu::signal_algorithms().size()); // with the peer, without the reference
    for (const auto& row : report.rows) {
        if (row.algorithm == "fft") { // integers are exact
            EXPECT_EQ(row.verdict, Verdict::refused);
            continue;
        }
        EXPECT_EQ(row.verdict, Verdict::right) << row.algorithm << row.reason;
        ASSERT_TRUE(row.times) << row.algorithm;
        EXPECT_GT(row.times->run.median, 0);
        EXPECT_LE(row.times->run.ci_low, row.times->run.ci_high);
        EXPECT_EQ(row.checked, 2047);
        EXPECT_EQ(row.depth, "i32");
        EXPECT_EQ(row.name, "signal/" + row.algorithm + "/i32/1024x1/m1024/full/zero/cpu");
    }
    EXPECT_EQ(std::ranges::count(report.rows, true, &ReportRow::chosen), 1);
    EXPECT_EQ(std::ranges::count(report.rows, "seed", &ReportRow::peer), 1);
}

TEST(SignalBench, SlowMemoryLeavesTimeToMeasure) {
    constexpr double kSeconds = 3, kSlow = 1000; // filling all buffers takes as long
    for (const double upload_us : {0.0, kSlow}) {
        testing::CountedTime time;
        const std::vector<std::shared_ptr<Engine>> engines{std::make_shared<testing::SlowMemory>(
            std::make_shared<testing::ClockedEngine>(), time, upload_us)};
        auto rules = short_rules();
        rules.only = {"naive", "fft"};
        rules.comparison.most_cold_bytes = std::size_t{24} << 20;
        rules.comparison.timing.time = &time;
        rules.seconds = kSeconds;
        const auto report = bench_one(tensor_work(case_of_the_text()), engines, rules);
        EXPECT_TRUE(report.complete);
        ASSERT_EQ(report.rows.size(), 2u);
        for (const auto& row : report.rows) {
            const bool is_slow = upload_us > 0;
            SCOPED_TRACE(row.name + ": " + row.reason);
            EXPECT_EQ(row.cold, !is_slow);
            EXPECT_EQ(row.name.ends_with("/partly-warm"), is_slow);
            EXPECT_EQ(row.times.has_value(), row.algorithm != "fft");
            EXPECT_EQ(row.reason.find("partly warm") != row.reason.npos, is_slow && row.times);
        }
    }
}

TEST(SignalBench, LeavesOutWhatWouldTakeLongerThanASecond) {
    SignalCase c;
    c.request.samples = 3'000'000;
    c.request.taps = std::vector<float>(5000, 1);
    const std::vector<std::shared_ptr<Engine>> engines{cpu::make_engine(1)};
    auto rules = short_rules();
    rules.only = {"naive"};
    const auto report = bench_one(tensor_work(c), engines, rules);
    ASSERT_EQ(report.rows.size(), 1u);
    EXPECT_EQ(report.rows[0].code, "too-slow");
    EXPECT_FALSE(report.rows[0].times);
    EXPECT_TRUE(report.complete);
}

TEST(SignalBench, AnotherTypeOrModeIsRefusedByTheTextsProgram) {
    const auto engine = cpu::make_engine(1);
    const auto peers = peers::all();
    const auto seed = std::ranges::find(peers, std::string_view("seed"), &peers::Peer::id);
    ASSERT_NE(seed, peers.end());
    const auto& serial = *(*seed)->signals.front();
    auto request = case_of_the_text().request;
    EXPECT_EQ(serial.why_not(request, *engine), "");
    request.flip = false;
    EXPECT_NE(serial.why_not(request, *engine), "");
    request.flip = true;
    request.samples = 1'000'000;
    EXPECT_NE(serial.why_not(request, *engine), "");
    request.taps = std::vector<float>{1};
    EXPECT_NE(serial.why_not(request, *engine), "");
}

BankCase small_bank(Layout layout = Layout::nchw) {
    BankCase c{{}, "small", layout};
    c.request.items = 3;
    c.request.size = {31, 17};
    c.request.channels = 2;
    c.request.filters = 3;
    c.request.kernel = {3, 3};
    c.request.stride = {1, 2};
    c.request.padding = {1, 1, 1, 1};
    for (int i = 0; i < 54; ++i) c.request.weights.push_back(static_cast<float>(i % 7) - 3);
    return c;
}

TEST(BankBench, HasARowForEveryAlgorithmInEveryLayout) {
    const std::vector<std::shared_ptr<Engine>> engines{cpu::make_engine(2)};
    std::vector<std::shared_ptr<const TensorWork>> works;
    for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn}) {
        auto bank = small_bank(layout);
        bank.request.tolerance = 1; // for Fourier transforms
        works.push_back(tensor_work(std::move(bank)));
    }
    const auto report = bench_tensors(works, engines, short_rules());
    EXPECT_TRUE(report.complete);
    const auto each = engines.front()->bank_algorithms().size() - 1; // without the reference
    ASSERT_EQ(report.rows.size(), 3 * each);
    for (const auto& row : report.rows) {
        if (row.algorithm.starts_with("winograd")) { // it needs a stride of 1
            EXPECT_EQ(row.verdict, Verdict::refused);
            continue;
        }
        EXPECT_EQ(row.verdict, Verdict::right) << row.name << row.reason;
        ASSERT_TRUE(row.times) << row.name;
        EXPECT_EQ(row.checked, 3 * 3 * 16 * 17);
        EXPECT_EQ(row.outputs, row.checked);
        EXPECT_GT(row.formula_us, 0);
    }
    EXPECT_EQ(std::ranges::count(report.rows, true, &ReportRow::chosen), 3);
    EXPECT_EQ(report.rows[each].name.substr(report.rows[each].name.find("/nhwc")),
              "/nhwc/n3/c2/31x17/to3/k3x3/u1x2/p1x1/zero/t1/cpu");
}

TEST(BankBench, OneDnnIsAPeer) {
    const auto onednn = std::ranges::find(peers::all(), "onednn", &peers::Peer::id);
    ASSERT_NE(onednn, peers::all().end());
    const std::vector<std::shared_ptr<Engine>> engines{cpu::make_engine(testing::kThreadSanitizer ? 1 : 2)};
    const std::vector<std::shared_ptr<const TensorWork>> works{tensor_work(small_bank())};
    auto rules = short_rules();
    rules.peers = {"onednn"};
    rules.only = {"onednn:convolution", "direct"};
    const auto report = bench_tensors(works, engines, rules);
    if (const auto why = (*onednn)->absent(); !why.empty()) {
        EXPECT_EQ(report.absent, std::vector{"onednn: " + why});
        EXPECT_EQ(report.rows.size(), 1u);
        GTEST_SKIP() << why;
    }
    ASSERT_EQ(report.rows.size(), 2u);
    const auto row = std::ranges::find(report.rows, "onednn:convolution", &ReportRow::algorithm);
    ASSERT_NE(row, report.rows.end());
    EXPECT_EQ(row->verdict, Verdict::right) << row->reason;
    EXPECT_EQ(row->peer, "onednn");
    EXPECT_EQ(row->includes, "filter, conversion");
    EXPECT_FALSE(row->chosen);
    EXPECT_TRUE(row->times);
}

TEST(BankBench, ASampleOfALargeResultFindsAWrongCornerOfTheLastItem) {
    auto c = small_bank();
    c.request.items = 9;
    const auto all = tensor_work(c), some = tensor_work(c, 0);
    std::vector<std::byte> from(all->source_bytes()), to(all->result_bytes());
    all->fill(from.data());
    for (std::int64_t n = 0; n < c.request.items; ++n) {
        const auto result = all->result(to.data(), n);
        reference_bank(c.request, all->source(from.data(), n), {0, 3}, {0, 0, 16, 17},
                       {to.data() + (result.data - to.data()), result.format, result.pitch, result.size});
    }
    const auto checks = all->verifier(from.data(), {}), samples = some->verifier(from.data(), {});
    EXPECT_TRUE(checks(to.data(), nullptr, {}).right());
    EXPECT_EQ(checks(to.data(), nullptr, {}).samples, 9 * 3 * 16 * 17);
    EXPECT_TRUE(samples(to.data(), nullptr, {}).right());
    EXPECT_EQ(samples(to.data(), nullptr, {}).samples, 64);
    to.back() ^= std::byte{0x40}; // the exponent of the last output
    EXPECT_EQ(checks(to.data(), nullptr, {}).wrong, 1);
    const auto sampled = samples(to.data(), nullptr, {});
    EXPECT_EQ(sampled.wrong, 1);
    EXPECT_TRUE(sampled.first_wrong.starts_with("item 8: column 15 of row 16 of filter 2"))
        << sampled.first_wrong;
}

TEST(BankBench, AnInvalidRequestIsRefusedBeforeItIsMeasured) {
    auto c = small_bank();
    c.request.weights.pop_back();
    EXPECT_THROW(tensor_work(c), Error);
}

TEST(VolumeBench, HasARowForEveryAlgorithm) {
    VolumeCase c;
    c.request.size = {12, 10, 8};
    c.request.kernel = {{3, 3, 3}, std::vector<float>(27, 0.25f)};
    c.request.border = Border::replicate;
    c.request.steps = 3;
    const std::vector<std::shared_ptr<Engine>> engines{cpu::make_engine(2)};
    const auto report = bench_one(tensor_work(c), engines, short_rules());
    EXPECT_TRUE(report.complete);
    ASSERT_EQ(report.rows.size(), engines.front()->volume_algorithms().size() - 1);
    EXPECT_GT(std::ranges::count(report.rows, Verdict::right, &ReportRow::verdict), 1);
    for (const auto& row : report.rows) {
        if (row.verdict == Verdict::refused) continue;
        EXPECT_EQ(row.verdict, Verdict::right) << row.name << row.reason;
        ASSERT_TRUE(row.times) << row.name;
        EXPECT_EQ(row.checked, 12 * 10 * 8);
        EXPECT_EQ(row.name, "volume/" + row.algorithm + "/12x10x8/dense/k3x3x3/steps3/replicate/cpu");
    }
    c.request.kernel.weights[0] = 0;
    EXPECT_EQ(tensor_work(c)->row().name, "12x10x8/dense/k3x3x3/taps26/steps3/replicate");
}

TEST(SignalVerifiers, FindAWrongOutputAtBothEndsOfLongSignals) {
    for (const auto border : {Border::zero, Border::reflect101, Border::constant}) {
        SignalRequest request;
        request.samples = 5000;
        request.signals = 2;
        request.taps = std::vector<double>{1, 2, 0, -1};
        request.mode = SignalMode::same;
        request.border = border;
        request.outside = border == Border::constant ? 7 : 0;
        request.stride = 2;
        std::vector<double> signals(10'000);
        for (std::size_t i = 0; i < signals.size(); ++i) signals[i] = static_cast<double>(i % 97) - 40;
        std::vector<double> outputs(static_cast<std::size_t>(2 * output_count(request)));
        const auto view = testing::view_of(std::as_const(signals), 2);
        reference_signals(request, view, whole_output(request), testing::view_of(outputs, 2));
        const SignalVerifier some(request, view, 1000), all(request, view);
        const auto checked = [&](const SignalVerifier& verifier) {
            return verifier.verify(testing::view_of(std::as_const(outputs), 2));
        };
        EXPECT_TRUE(checked(some).right()) << checked(some).first_wrong;
        EXPECT_EQ(checked(some).samples, 8 * 64);
        EXPECT_EQ(checked(all).samples, 5000);
        outputs.front() += 1; // of the first signal
        outputs.back() += 1;  // of the second one
        EXPECT_EQ(checked(some).wrong, 2);
        EXPECT_EQ(checked(all).wrong, 2);
        EXPECT_TRUE(checked(some).first_wrong.starts_with("from output 0 of signal 0 on, output 0"))
            << checked(some).first_wrong;
    }
}

} // namespace
} // namespace kg::measure
