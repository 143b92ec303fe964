// Requests of signals: output counts by the rule, what is refused, and what the planner chooses.

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/signal_runs.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kg {
namespace {

using testing::code_of;
using testing::outputs_of;

SignalRequest seven_samples() {
    SignalRequest request;
    request.samples = 7;
    request.taps = std::vector<float>{1, 2, 3};
    return request;
}

TEST(SignalRequests, OutputsAreCountedByModeDilationAndStride) { // T17: floor, as of filter banks
    auto request = seven_samples();
    const auto counts = [&](std::int64_t dilation, std::int64_t stride) {
        request.dilation = dilation;
        request.stride = stride;
        std::vector<std::int64_t> all;
        for (const auto mode : {SignalMode::full, SignalMode::same, SignalMode::valid}) {
            request.mode = mode;
            all.push_back(output_count(request));
        }
        return all;
    };
    using Counts = std::vector<std::int64_t>;
    EXPECT_EQ(counts(1, 1), (Counts{9, 7, 5}));
    EXPECT_EQ(counts(2, 1), (Counts{11, 7, 3}));
    EXPECT_EQ(counts(1, 2), (Counts{5, 4, 3}));
    EXPECT_EQ(counts(3, 4), (Counts{4, 2, 1}));
    EXPECT_EQ(counts(1, 1000), (Counts{1, 1, 1}));
    for (const auto& [samples, taps, stride, outputs] :
         {std::tuple{768, 6, 1, 763}, {225, 3, 2, 112}, {35, 3, 2, 17}, {230, 7, 2, 112}, {6, 3, 2, 2}}) {
        SignalRequest valid;
        valid.samples = samples;
        valid.taps = std::vector<float>(static_cast<std::size_t>(taps), 1);
        valid.stride = stride;
        valid.mode = SignalMode::valid;
        EXPECT_EQ(output_count(valid), outputs);
    }
}

TEST(SignalRequests, TheAnchorIsChosenBeforeFlipping) {
    const auto engine = cpu::make_engine(1);
    const std::vector<float> impulse{0, 0, 0, 1, 0, 0, 0};
    auto request = seven_samples();
    request.taps = std::vector<float>{1, 2, 3, 4};
    request.mode = SignalMode::same;
    EXPECT_EQ(outputs_of(*engine, request, impulse), (std::vector<float>{0, 0, 4, 3, 2, 1, 0}));
    request.flip = true; // the anchor 2 is tap 3, which the reversed taps have at place 1
    EXPECT_EQ(outputs_of(*engine, request, impulse), (std::vector<float>{0, 1, 2, 3, 4, 0, 0}));
    request.anchor = 0;
    EXPECT_EQ(outputs_of(*engine, request, impulse), (std::vector<float>{0, 0, 0, 1, 2, 3, 4}));
}

TEST(SignalRequests, ThatContradictThemselvesAreRefused) {
    const auto refused = [](auto change) {
        auto request = seven_samples();
        change(request);
        return code_of([&] { validate(request); });
    };
    using Request = SignalRequest;
    constexpr auto kNaN = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refused([](Request&) {}), "no error");
    EXPECT_EQ(refused([](Request& r) { r.samples = 0; }), "no-samples");
    EXPECT_EQ(refused([](Request& r) { r.taps = std::vector<float>{}; }), "no-taps");
    EXPECT_EQ(refused([](Request& r) { r.taps = std::vector<float>{1, kNaN}; }), "tap-not-finite");
    EXPECT_EQ(refused([](Request& r) { r.stride = 0; }), "bad-signal-number");
    EXPECT_EQ(refused([](Request& r) { r.dilation = -1; }), "bad-signal-number");
    EXPECT_EQ(refused([](Request& r) { r.dilation = kMostSamples; }), "bad-signal-number");
    EXPECT_EQ(refused([](Request& r) { r.samples = kMostSamples + 1; }), "bad-signal-number");
    EXPECT_EQ(refused([](Request& r) { r.signals = 0; }), "bad-signal-number");
    EXPECT_EQ(refused([](Request& r) { r.anchor = 1; }), "anchor-needs-same");
    EXPECT_EQ(refused([](Request& r) { r.border = Border::wrap; }), "border-needs-same");
    const auto same = [&](auto change) {
        return refused([&](Request& r) {
            r.mode = SignalMode::same;
            change(r);
        });
    };
    EXPECT_EQ(same([](Request& r) { r.anchor = 3; }), "bad-anchor");
    EXPECT_EQ(same([](Request& r) { r.outside = 1e300 * 1e300; }), "bad-outside");
    EXPECT_EQ(same([](Request& r) {
                  r.taps = std::vector<std::int32_t>{1};
                  r.outside = 0.5;
              }),
              "bad-outside");
    EXPECT_EQ(refused([](Request& r) {
                  r.mode = SignalMode::valid;
                  r.dilation = 4;
              }),
              "no-outputs");
}

TEST(SignalRequests, AMessageNamesTheParameter) {
    auto request = seven_samples();
    request.stride = 0;
    try {
        validate(request);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the stride must be from 1 to 1099511627776, not 0");
    }
}

TEST(SignalRequests, AutoChoosesByCostAndAnAlgorithmCanBeForced) {
    const auto engine = cpu::make_engine(2);
    auto request = seven_samples();
    request.samples = 1'000'000;
    EXPECT_EQ(plan(*engine, request)->algorithm, "direct");
    request.taps = std::vector<float>(20'000, 1);
    EXPECT_EQ(plan(*engine, request)->algorithm, "fft");
    EXPECT_EQ(plan(*engine, request, "naive")->reason, "naive as asked for");
    request.taps = std::vector<std::int64_t>(20'000, 1); // integers are exact
    EXPECT_EQ(plan(*engine, request)->algorithm, "direct");
    EXPECT_EQ(code_of([&] { plan(*engine, request, "fft"); }), "algorithm-refused");
    EXPECT_EQ(code_of([&] { plan(*engine, request, "separable"); }), "algorithm-refused");
}

TEST(SignalRequests, RunsCheckTheirItems) {
    const auto engine = cpu::make_engine(1);
    const auto request = seven_samples();
    const auto plan = kg::plan(*engine, request);
    const auto source = allocate_tensor(*engine, Element::f32, 1, {0, 0, 7, 1});
    const auto target = allocate_tensor(*engine, Element::f32, 1, {0, 0, 9, 1});
    const auto refused = [&](const BufferView& from, const BufferView& to) {
        return code_of([&] {
            const Item item{from, to};
            const auto queue = engine->queue();
            queue->run(plan, std::span(&item, 1));
            queue->fence().wait();
        });
    };
    EXPECT_EQ(refused(source, target), "no error");
    EXPECT_EQ(refused(allocate_tensor(*engine, Element::f64, 1, {0, 0, 7, 1}), target), "format-mismatch");
    EXPECT_EQ(refused(source, allocate_tensor(*engine, Element::f32, 2, {0, 0, 9, 1})), "format-mismatch");
    EXPECT_EQ(refused(source, allocate_tensor(*engine, Element::f32, 1, {0, 0, 10, 1})),
              "outputs-outside-request");
    EXPECT_EQ(refused(source.crop({0, 0, 6, 1}), target), "source-too-small");
    auto over = target;
    over.memory = source.memory;
    EXPECT_EQ(refused(source, over), "overlapping-tensors");
}

TEST(SignalRequests, TransfersCheckTheirTensors) {
    const auto engine = cpu::make_engine(1);
    const auto queue = engine->queue();
    const std::vector<float> numbers(7);
    const auto upload = [&](const BufferView& to) {
        return code_of([&] { queue->upload_tensor(testing::view_of(numbers, 1), to); });
    };
    EXPECT_EQ(upload(allocate_tensor(*engine, Element::f32, 1, {0, 0, 7, 1})), "no error");
    EXPECT_EQ(upload(allocate_tensor(*engine, Element::f32, 1, {0, 0, 8, 1})), "tensor-mismatch");
    EXPECT_EQ(upload(allocate_tensor(*engine, Element::i32, 1, {0, 0, 7, 1})), "tensor-mismatch");
    EXPECT_EQ(upload(allocate_view(*engine, {Depth::f32, 1}, {0, 0, 7, 1})), "tensor-mismatch");
    queue->fence().wait();
}

} // namespace
} // namespace kg
