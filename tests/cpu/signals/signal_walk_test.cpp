// Every algorithm for signals against the reference: modes, lengths around tiles and blocks, dilation,
// stride, borders, anchors and types; and the same bytes whatever is computed beside an output, by how many
// threads, and from which strides.

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/cpu/signals/signal_runs.hpp"
#include "tests/support/detached_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace kg {
namespace {

using testing::outputs_of;
using testing::view_of;

using Random = std::mt19937_64;

std::int64_t pick(Random& random, std::initializer_list<std::int64_t> numbers) {
    return *(numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size()));
}

/// Numbers from -1 to 1, or any integers.
template <typename T>
std::vector<T> random_numbers(Random& random, std::int64_t count) {
    std::vector<T> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers)
        if constexpr (std::is_integral_v<T>) number = static_cast<T>(random());
        else number = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
    return numbers;
}

template <typename T>
SignalRequest random_request(Random& random) {
    SignalRequest r;
    r.samples = pick(random, {1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 255, 256, 257, 509, 1009, 4099});
    r.signals = pick(random, {1, 1, 1, 2, 5});
    auto taps = random_numbers<T>(random,
                                  pick(random, {1, 2, 3, 4, 5, 8, 31, 32, 33, 64, 67, 129, 300, 521}));
    if (random() % 3 == 0)
        for (auto& tap : taps)
            if (random() % 4 == 0) tap = 0;
    r.taps = std::move(taps);
    r.mode = static_cast<SignalMode>(random() % 3);
    r.flip = random() % 2 == 0;
    r.dilation = pick(random, {1, 1, 1, 2, 3, 7, 50});
    r.stride = pick(random, {1, 1, 1, 2, 3, 5, 33, 700});
    if (r.mode == SignalMode::same) {
        r.border = static_cast<Border>(random() % 6);
        if (r.border == Border::constant) r.outside = 3;
        if (random() % 2 == 0) r.anchor = static_cast<std::int64_t>(random()) % tap_count(r);
        if (r.anchor && *r.anchor < 0) r.anchor = -*r.anchor;
    }
    if (r.mode == SignalMode::valid) r.samples = std::max(r.samples, tap_span(r) + r.samples % 40);
    constexpr std::int64_t kMostProducts = 500'000; // the reference computes as many for each algorithm
    if (r.samples * r.signals * tap_count(r) > kMostProducts) r.signals = 1;
    return r;
}

/// Runs every algorithm that supports the request.
template <typename T>
void expect_reference(Engine& engine, const SignalRequest& r, const std::vector<T>& signals,
                      std::map<std::string, int, std::less<>>& ran) {
    for (const auto& answer : algorithm_answers(engine, r)) {
        if (!answer.why_not.empty()) continue;
        const auto result = outputs_of(engine, r, signals, answer.algorithm->id);
        const auto verification = compare_with_reference(r, view_of(signals, r.signals),
                                                         view_of(result, r.signals), answer.algorithm);
        ++ran[std::string(answer.algorithm->id)];
        ASSERT_TRUE(verification.right())
            << answer.algorithm->id << ' ' << name(r.mode) << " n " << r.samples << " m " << tap_count(r)
            << " flip " << r.flip << " dilation " << r.dilation << " stride " << r.stride << " border "
            << name(r.border) << ": " << verification.first_wrong;
    }
}

template <typename T>
class SignalWalk : public ::testing::Test {
protected:
    const std::shared_ptr<Engine> engine_ = cpu::make_engine(2);
};
using Numbers = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SignalWalk, Numbers);

TYPED_TEST(SignalWalk, RandomRequestsAgreeWithTheReference) {
    constexpr int kRequests = 750;
    Random random(24);
    std::map<std::string, int, std::less<>> ran;
    for (int i = 0; i < kRequests && !this->HasFatalFailure(); ++i) {
        const auto request = random_request<TypeParam>(random);
        const auto signals = random_numbers<TypeParam>(random, request.samples * request.signals);
        expect_reference(*this->engine_, request, signals, ran);
    }
    const bool floats = std::is_floating_point_v<TypeParam>;
    EXPECT_EQ(std::ssize(ran), std::ssize(cpu::signal_algorithms()) - (floats ? 0 : 1));
    for (const auto& [id, times] : ran) EXPECT_GE(times, kRequests * 9 / 10) << id;
}

TYPED_TEST(SignalWalk, EveryLengthAroundATileIsRightInEveryMode) {
    Random random(7);
    std::map<std::string, int, std::less<>> ran;
    for (const auto mode : {SignalMode::full, SignalMode::same, SignalMode::valid})
        for (const std::int64_t samples : {1, 2, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 8191})
            for (const std::int64_t taps : {1, 2, 3, 32, 33, 257}) {
                if (mode == SignalMode::valid && samples < taps) continue;
                SignalRequest request;
                request.samples = samples;
                request.taps = random_numbers<TypeParam>(random, taps);
                request.mode = mode;
                expect_reference(*this->engine_, request, random_numbers<TypeParam>(random, samples), ran);
                ASSERT_FALSE(this->HasFatalFailure());
            }
    for (const auto* algorithm : this->engine_->signal_algorithms())
        EXPECT_TRUE(ran.contains(algorithm->id) || (algorithm->id == "fft" && std::is_integral_v<TypeParam>))
            << algorithm->id << " was never run";
}

TYPED_TEST(SignalWalk, OutputsHaveTheSameBytesAloneAndForAnyNumberOfThreads) {
    Random random(3);
    const auto threads = cpu::make_engine(5), detached = testing::make_detached_engine();
    for (int i = 0; i < 40; ++i) {
        auto request = random_request<TypeParam>(random);
        request.samples = std::max<std::int64_t>(request.samples, tap_span(request)) + 5000;
        const auto signals = random_numbers<TypeParam>(random, request.samples * request.signals);
        for (const auto& answer : algorithm_answers(*this->engine_, request)) {
            if (!answer.why_not.empty()) continue;
            const auto id = answer.algorithm->id;
            const auto all = outputs_of(*this->engine_, request, signals, id);
            EXPECT_EQ(outputs_of(*threads, request, signals, id), all) << id;
            if (i % 10 == 0) {
                EXPECT_EQ(outputs_of(*detached, request, signals, id), all) << id;
            }

            // Some outputs of one signal, from the samples that they need and no others.
            const auto plan = kg::plan(*this->engine_, request, id);
            const auto width = output_count(request);
            const Rect part = intersect({width / 3, request.signals - 1, width / 2 + 1, 1},
                                        whole_output(request));
            const auto source = plan->needs(part).source;
            const auto from = allocate_tensor(*this->engine_, element(request), 1, source);
            const auto to = allocate_tensor(*this->engine_, element(request), 1, part);
            auto needed = view_of(signals, request.signals);
            needed.data = needed.at(source.x, source.y);
            needed.size = {source.width, source.height};
            std::vector<TypeParam> outputs(static_cast<std::size_t>(part.width));
            const auto queue = this->engine_->queue();
            queue->upload_tensor(needed, from);
            const Item item{from, to};
            queue->run(plan, std::span(&item, 1));
            queue->download_tensor(to, view_of(outputs, 1));
            queue->fence().wait();
            EXPECT_EQ(std::memcmp(outputs.data(), all.data() + part.y * width + part.x,
                                  outputs.size() * sizeof(TypeParam)),
                      0)
                << id << " dilation " << request.dilation << " stride " << request.stride;
        }
    }
}

TYPED_TEST(SignalWalk, InterleavedSignalsAreComputedInPlace) {
    Random random(5);
    SignalRequest request;
    request.samples = 1000;
    request.signals = 3;
    request.taps = random_numbers<TypeParam>(random, 9);
    request.mode = SignalMode::same;
    const auto rows = random_numbers<TypeParam>(random, 3000);
    auto interleaved = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) interleaved[i % 1000 * 3 + i / 1000] = rows[i];
    auto view = view_of(std::as_const(interleaved), 3);
    view.format.column_stride = 3 * sizeof(TypeParam);
    view.pitch = sizeof(TypeParam);
    for (const auto& answer : algorithm_answers(*this->engine_, request)) {
        if (!answer.why_not.empty()) continue;
        const auto expected = outputs_of(*this->engine_, request, rows, answer.algorithm->id);
        std::vector<TypeParam> result(3000), sorted(3000);
        auto target = view;
        target.data = reinterpret_cast<const std::byte*>(result.data());
        const Item item{wrap_tensor(view), wrap_tensor(target)};
        const auto queue = this->engine_->queue();
        queue->run(kg::plan(*this->engine_, request, answer.algorithm->id), std::span(&item, 1));
        queue->fence().wait();
        for (std::size_t i = 0; i < rows.size(); ++i) sorted[i] = result[i % 1000 * 3 + i / 1000];
        EXPECT_EQ(sorted, expected) << answer.algorithm->id;
    }
}

TEST(SignalNumbers, ThatAreNotFiniteReachTheOutputsWhoseTapsCoverThem) { // semantics 10
    const auto engine = cpu::make_engine(2);
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                    kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> signal(20'000, 1);
    signal[5000] = kNaN;
    signal[9000] = kInfinity;
    signal[9100] = 3e38F; // times the taps, too large for a transform, and itself not for a sum
    SignalRequest request;
    request.samples = std::ssize(signal);
    request.taps = std::vector<float>{1, 0, 0.25F, 0, -0.5F};
    request.mode = SignalMode::same;
    for (const auto& answer : algorithm_answers(*engine, request)) {
        const auto result = outputs_of(*engine, request, signal, answer.algorithm->id);
        for (std::int64_t i = 0; i < std::ssize(signal); ++i) {
            const auto value = result[static_cast<std::size_t>(i)];
            const auto offset = [&](std::int64_t at) { return at - i; };
            const auto covers = [&](std::int64_t at) {
                return offset(at) == -2 || offset(at) == 0 || offset(at) == 2;
            };
            EXPECT_EQ(std::isnan(value), covers(5000)) << answer.algorithm->id << ' ' << i;
            EXPECT_EQ(std::isinf(value), covers(9000)) << answer.algorithm->id << ' ' << i;
        }
        const auto verification = compare_with_reference(request, view_of(signal, 1), view_of(result, 1),
                                                         answer.algorithm);
        EXPECT_TRUE(verification.right()) << answer.algorithm->id << verification.first_wrong;
    }
}

TEST(SignalNumbers, SilenceStaysSilentUnderTapsWhoseSumOverflows) {
    const auto engine = cpu::make_engine(1);
    const std::vector<double> silence(1000);
    SignalRequest request;
    request.samples = std::ssize(silence);
    request.taps = std::vector<double>(200, 1e307);
    for (const auto& answer : algorithm_answers(*engine, request))
        for (const double output : outputs_of(*engine, request, silence, answer.algorithm->id))
            ASSERT_EQ(output, 0) << answer.algorithm->id;
}

TEST(SignalNumbers, AWrongOutputIsFound) {
    const std::vector<float> signal{1, 2, 3};
    SignalRequest request;
    request.samples = 3;
    request.taps = std::vector<float>{1, 1};
    const std::vector<float> right{1, 3, 5, 3};
    for (std::size_t i = 0; i < right.size(); ++i) {
        auto wrong = right;
        EXPECT_TRUE(compare_with_reference(request, view_of(signal, 1), view_of(wrong, 1)).right());
        wrong[i] += 1e-5F;
        const auto verification = compare_with_reference(request, view_of(signal, 1), view_of(wrong, 1));
        EXPECT_EQ(verification.wrong, 1);
        EXPECT_TRUE(verification.first_wrong.starts_with("output " + std::to_string(i) + " of signal 0"))
            << verification.first_wrong;
    }
}

} // namespace
} // namespace kg
