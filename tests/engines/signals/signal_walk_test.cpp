// Every algorithm for signals of every engine against the reference: modes, lengths around tiles and blocks,
// dilation, stride, borders, anchors and types; and the same bytes whatever is computed beside an output, by
// how many threads, and from which strides. KERNELGLASS_SIGNALS=N takes more random requests of each type
// than 750. Without a GPU, that of the test SignalEngines is skipped.

#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/long_runs.hpp"
#include "tests/support/signal_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace kg {
namespace {

using testing::code_of;
using testing::number_of;
using testing::outputs_of;
using testing::Queues;
using testing::requests_per_run;
using testing::signal_engines;
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

/// How often each algorithm ran, by engine and id.
using Ran = std::map<std::pair<std::string, std::string>, int>;

TEST(SignalEngines, IncludeCuda) {
    if (signal_engines().size() < 2) GTEST_SKIP() << "no usable NVIDIA GPU: " << gpu::make_engine()->usable();
}

template <typename T>
class SignalWalk : public ::testing::Test {
protected:
    /// Runs every algorithm that supports the request, on every engine.
    void expect_reference(const SignalRequest& r, const std::vector<T>& signals) {
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, r)) {
                if (!answer.why_not.empty()) continue;
                const auto result = outputs_of(*engine, r, signals, answer.algorithm->id,
                                               &queues_.of(*engine));
                const auto verification = compare_with_reference(
                    r, view_of(signals, r.signals), view_of(result, r.signals), answer.algorithm);
                ++ran_[{engine->device().id, std::string(answer.algorithm->id)}];
                ASSERT_TRUE(verification.right())
                    << answer.algorithm->id << " on " << engine->device().id << ' ' << name(r.mode) << " n "
                    << r.samples << " m " << tap_count(r) << " flip " << r.flip << " dilation " << r.dilation
                    << " stride " << r.stride << " border " << name(r.border) << ": "
                    << verification.first_wrong;
            }
    }

    /// Algorithms that refuse the type: transforms, and those of the GPU that serve to compare methods.
    static bool refuses_type(const Engine& engine, const Algorithm& algorithm) {
        SignalRequest plain;
        plain.samples = 1;
        plain.taps = std::vector<T>{1};
        return !algorithm.why_not(plain, engine).empty();
    }

    /// `all` requests; tiles of the GPU do not fit into shared memory for large strides.
    void expect_most_ran(int all) {
        for (const auto& engine : engines_)
            for (const auto* algorithm : engine->signal_algorithms())
                if (!refuses_type(*engine, *algorithm)) {
                    const auto times = ran_[{engine->device().id, std::string(algorithm->id)}];
                    EXPECT_GE(times, all * (engine->device().id == "cpu" ? 9 : 8) / 10)
                        << algorithm->id << " on " << engine->device().id;
                }
    }

    const std::vector<std::shared_ptr<Engine>> engines_ = signal_engines();
    Queues queues_;
    Ran ran_;
};
using Numbers = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SignalWalk, Numbers);

TYPED_TEST(SignalWalk, RandomRequestsAgreeWithTheReference) {
    const int requests = number_of("KERNELGLASS_SIGNALS", 750);
    Random random(24);
    for (int i = 0; i < requests && !this->HasFatalFailure(); ++i) {
        const auto request = random_request<TypeParam>(random);
        const auto signals = random_numbers<TypeParam>(random, request.samples * request.signals);
        if (i % requests_per_run() == 0) this->expect_reference(request, signals);
    }
    this->expect_most_ran(requests / requests_per_run());
    // On the GPU, those that serve to compare methods have the types of their texts.
    const bool floats = std::is_floating_point_v<TypeParam>, narrow = sizeof(TypeParam) == 4;
    for (const auto& engine : this->engines_) {
        const auto& id = engine->device().id;
        const auto refusing = id == "cpu" ? (floats ? 0 : 1) : !narrow ? 6 : floats ? 1 : 4;
        EXPECT_EQ(std::ranges::count_if(this->ran_, [&](const auto& one) { return one.first.first == id; }),
                  std::ssize(engine->signal_algorithms()) - refusing);
    }
}

TYPED_TEST(SignalWalk, EveryLengthAroundATileIsRightInEveryMode) {
    Random random(7);
    int i = 0;
    for (const auto mode : {SignalMode::full, SignalMode::same, SignalMode::valid})
        for (const std::int64_t samples :
             {1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 2047, 2048, 2049, 8191})
            for (const std::int64_t taps : {1, 2, 3, 16, 17, 32, 33, 257}) {
                if (mode == SignalMode::valid && samples < taps) continue;
                SignalRequest request;
                request.samples = samples;
                request.taps = random_numbers<TypeParam>(random, taps);
                request.mode = mode;
                const auto signals = random_numbers<TypeParam>(random, samples);
                if (i++ % requests_per_run() == 0) this->expect_reference(request, signals);
                ASSERT_FALSE(this->HasFatalFailure());
            }
    this->expect_most_ran(2);
}

TYPED_TEST(SignalWalk, ManyTapsAreRightInStagesAndSegments) {
    Random random(11);
    for (const std::int64_t taps : {1024, 1025, 1537, 3333})
        for (const std::int64_t dilation : {1, 3})
            for (const std::int64_t stride : {1, 2, 7}) {
                SignalRequest request;
                request.samples = 2500;
                request.taps = random_numbers<TypeParam>(random, taps);
                request.dilation = dilation;
                request.stride = stride;
                const auto signals = random_numbers<TypeParam>(random, request.samples);
                this->expect_reference(request, signals);
                ASSERT_FALSE(this->HasFatalFailure());
            }
}

TYPED_TEST(SignalWalk, EchoesLeaveOutWhatLiesBetweenTheirTaps) {
    Random random(12);
    SignalRequest request;
    request.samples = 5000;
    request.mode = SignalMode::same;
    request.border = Border::wrap;
    for (const bool silent : {false, true}) {
        std::vector<TypeParam> taps(6001);
        if (!silent) taps[0] = 3, taps[2999] = -2, taps[6000] = 1;
        request.taps = taps;
        this->expect_reference(request, random_numbers<TypeParam>(random, request.samples));
        ASSERT_FALSE(this->HasFatalFailure());
    }
}

// Where outputs fill a GPU, blocks of threads have more of them.
TYPED_TEST(SignalWalk, ManyOutputsAreRightWithAndWithoutChunksOfZeros) {
    Random random(14);
    SignalRequest request;
    request.samples = 700'001;
    auto signals = random_numbers<TypeParam>(random, request.samples);
    if constexpr (std::is_floating_point_v<TypeParam>)
        signals[350'000] = std::numeric_limits<TypeParam>::infinity();
    for (const std::int64_t dilation : {1, 2}) {
        auto taps = random_numbers<TypeParam>(random, 90);
        std::fill(taps.begin() + 16, taps.begin() + 48, TypeParam{0});
        request.taps = std::move(taps);
        request.dilation = dilation;
        this->expect_reference(request, signals);
        ASSERT_FALSE(this->HasFatalFailure());
    }
}

TYPED_TEST(SignalWalk, MoreSignalsThanALaunchHasRows) {
    Random random(13);
    SignalRequest request;
    request.samples = 5;
    request.signals = 70'000;
    request.taps = random_numbers<TypeParam>(random, 3);
    this->expect_reference(request, random_numbers<TypeParam>(random, request.samples * request.signals));
}

TYPED_TEST(SignalWalk, OutputsHaveTheSameBytesAloneAndForAnyNumberOfThreads) {
    Random random(3);
    const auto threads = cpu::make_engine(5), detached = testing::make_detached_engine();
    for (int i = 0; i < 40; ++i) {
        auto request = random_request<TypeParam>(random);
        request.samples = std::max<std::int64_t>(request.samples, tap_span(request)) + 5000;
        const auto signals = random_numbers<TypeParam>(random, request.samples * request.signals);
        if (i % requests_per_run() != 0) continue;
        for (const auto& engine : this->engines_)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.why_not.empty()) continue;
                const auto id = answer.algorithm->id;
                auto& queue = this->queues_.of(*engine);
                const auto all = outputs_of(*engine, request, signals, id, &queue);
                if (engine->device().id == "cpu") {
                    EXPECT_EQ(outputs_of(*threads, request, signals, id), all) << id;
                    if (i % 10 == 0) {
                        EXPECT_EQ(outputs_of(*detached, request, signals, id), all) << id;
                    }
                }

                // Some outputs of one signal, from the samples that they need and no others.
                const auto plan = kg::plan(*engine, request, id);
                const auto width = output_count(request);
                const Rect part = intersect({width / 3, request.signals - 1, width / 2 + 1, 1},
                                            whole_output(request));
                const auto source = plan->needs(part).source;
                const auto from = allocate_tensor(*engine, element(request), 1, source);
                const auto to = allocate_tensor(*engine, element(request), 1, part);
                auto needed = view_of(signals, request.signals);
                needed.data = needed.at(source.x, source.y);
                needed.size = {source.width, source.height};
                std::vector<TypeParam> outputs(static_cast<std::size_t>(part.width));
                queue.upload_tensor(needed, from);
                const Item item{from, to};
                queue.run(plan, std::span(&item, 1));
                queue.download_tensor(to, view_of(outputs, 1));
                queue.fence().wait();
                EXPECT_EQ(std::memcmp(outputs.data(), all.data() + part.y * width + part.x,
                                      outputs.size() * sizeof(TypeParam)),
                          0)
                    << id << " on " << engine->device().id << " dilation " << request.dilation << " stride "
                    << request.stride;
            }
    }
}

/// Three signals one after the other, and interleaved.
template <typename T>
struct Interleaved {
    SignalRequest request;
    std::vector<T> rows, interleaved;

    Interleaved() {
        Random random(5);
        request.samples = 1000;
        request.signals = 3;
        request.taps = random_numbers<T>(random, 9);
        request.mode = SignalMode::same;
        rows = interleaved = random_numbers<T>(random, 3000);
        for (std::size_t i = 0; i < rows.size(); ++i) interleaved[place(i)] = rows[i];
    }
    std::vector<T> in_rows(const std::vector<T>& result) const {
        auto sorted = result;
        for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = result[place(i)];
        return sorted;
    }

private:
    static std::size_t place(std::size_t i) { return i % 1000 * 3 + i / 1000; }
};

/// In a buffer of the engine and in host memory.
TYPED_TEST(SignalWalk, InterleavedSignalsKeepTheirStrides) {
    const Interleaved<TypeParam> signals;
    const auto& [request, rows, interleaved] = signals;
    const auto strided = [](auto view) {
        view.format.column_stride = 3 * sizeof(TypeParam);
        view.pitch = sizeof(TypeParam);
        return view;
    };
    for (const auto& engine : this->engines_)
        for (const auto& answer : algorithm_answers(*engine, request)) {
            if (!answer.why_not.empty()) continue;
            auto& queue = this->queues_.of(*engine);
            const auto id = answer.algorithm->id;
            const auto expected = outputs_of(*engine, request, rows, id, &queue);
            std::vector<TypeParam> result(3000);
            const auto from = strided(view_of(std::as_const(interleaved), 3));
            const auto to = strided(view_of(result, 3));
            const auto held = [&](const ConstTensorView& view) {
                return BufferView{engine->allocate(3000 * sizeof(TypeParam)),
                                  0,
                                  view.pitch,
                                  {},
                                  {0, 0, 1000, 3},
                                  view.format};
            };
            const Item item{held(from), held(to)};
            queue.upload_tensor(from, item.src);
            queue.run(kg::plan(*engine, request, id), std::span(&item, 1));
            queue.download_tensor(item.dst, to);
            queue.fence().wait();
            EXPECT_EQ(signals.in_rows(result), expected) << id << " on " << engine->device().id;
        }
}

TYPED_TEST(SignalWalk, InterleavedSignalsAreComputedInPlace) {
    const Interleaved<TypeParam> signals;
    const auto& [request, rows, interleaved] = signals;
    auto view = view_of(std::as_const(interleaved), 3);
    view.format.column_stride = 3 * sizeof(TypeParam);
    view.pitch = sizeof(TypeParam);
    auto& engine = *this->engines_.front();
    for (const auto& answer : algorithm_answers(engine, request)) {
        if (!answer.why_not.empty()) continue;
        const auto expected = outputs_of(engine, request, rows, answer.algorithm->id);
        std::vector<TypeParam> result(3000);
        auto target = view;
        target.data = reinterpret_cast<const std::byte*>(result.data());
        const Item item{wrap_tensor(view), wrap_tensor(target)};
        const auto queue = engine.queue();
        queue->run(kg::plan(engine, request, answer.algorithm->id), std::span(&item, 1));
        queue->fence().wait();
        EXPECT_EQ(signals.in_rows(result), expected) << answer.algorithm->id;
    }
}

TYPED_TEST(SignalWalk, SeveralBatchesInOneRunAreThoseOfSeparateRuns) {
    Random random(6);
    SignalRequest request;
    request.samples = 777;
    request.signals = 2;
    request.taps = random_numbers<TypeParam>(random, 20);
    for (const auto& engine : this->engines_) {
        auto& queue = this->queues_.of(*engine);
        std::vector<Item> items;
        std::vector<std::vector<TypeParam>> signals, results;
        for (int i = 0; i < 40; ++i) {
            signals.push_back(random_numbers<TypeParam>(random, request.samples * request.signals));
            items.push_back({allocate_tensor(*engine, element(request), 1, {0, 0, 777, 2}),
                             allocate_tensor(*engine, element(request), 1, whole_output(request))});
            queue.upload_tensor(view_of(std::as_const(signals.back()), 2), items.back().src);
            results.emplace_back(static_cast<std::size_t>(output_count(request) * 2));
        }
        queue.fence().wait();
        queue.run(kg::plan(*engine, request), items);
        for (std::size_t i = 0; i < items.size(); ++i)
            queue.download_tensor(items[i].dst, view_of(results[i], 2));
        queue.fence().wait();
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_EQ(results[i], outputs_of(*engine, request, signals[i], {}, &queue)) << i;
    }
}

TEST(SignalRuns, ThatAreStoppedThrowCancelled) {
    SignalRequest request;
    request.samples = 100'000;
    request.taps = std::vector<float>(100, 1);
    for (const auto& engine : signal_engines())
        for (const auto& answer : algorithm_answers(*engine, request)) {
            if (!answer.why_not.empty()) continue;
            const Item item{allocate_tensor(*engine, Element::f32, 1, {0, 0, 100'000, 1}),
                            allocate_tensor(*engine, Element::f32, 1, whole_output(request))};
            std::stop_source source;
            source.request_stop();
            const auto queue = engine->queue();
            queue->run(kg::plan(*engine, request, answer.algorithm->id), std::span(&item, 1),
                       source.get_token());
            EXPECT_THROW(queue->fence().wait(), Cancelled) << answer.algorithm->id;
        }
}

TEST(SignalRuns, NumbersThatAreNotAlignedAreRefusedByTheGpu) {
    SignalRequest request;
    request.samples = 10;
    request.taps = std::vector<float>{1};
    request.mode = SignalMode::same;
    for (const auto& engine : signal_engines()) {
        if (engine->device().id == "cpu") continue;
        Item item{allocate_tensor(*engine, Element::f32, 1, {0, 0, 10, 1}),
                  allocate_tensor(*engine, Element::f32, 1, {0, 0, 10, 1})};
        item.src.offset = 2;
        item.src.pitch -= 4;
        const auto queue = engine->queue();
        EXPECT_EQ(code_of([&] { queue->run(kg::plan(*engine, request), std::span(&item, 1)); }),
                  "misaligned-tensor");
    }
}

TEST(SignalNumbers, ThatAreNotFiniteReachTheOutputsWhoseTapsCoverThem) { // semantics 10
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
    for (const auto& engine : signal_engines())
        for (const auto& answer : algorithm_answers(*engine, request)) {
            if (!answer.why_not.empty()) continue;
            SCOPED_TRACE(std::string(answer.algorithm->id) + " on " + engine->device().id);
            const auto result = outputs_of(*engine, request, signal, answer.algorithm->id);
            for (std::int64_t i = 0; i < std::ssize(signal); ++i) {
                const auto value = result[static_cast<std::size_t>(i)];
                const auto offset = [&](std::int64_t at) { return at - i; };
                const auto covers = [&](std::int64_t at) {
                    return offset(at) == -2 || offset(at) == 0 || offset(at) == 2;
                };
                EXPECT_EQ(std::isnan(value), covers(5000)) << i;
                EXPECT_EQ(std::isinf(value), covers(9000)) << i;
            }
            const auto verification = compare_with_reference(request, view_of(signal, 1), view_of(result, 1),
                                                             answer.algorithm);
            EXPECT_TRUE(verification.right()) << verification.first_wrong;
        }
}

TEST(SignalNumbers, ThatAreNotFiniteAreFoundInEveryStageAndSegment) {
    Random random(14);
    for (const auto& engine : signal_engines())
        for (const std::int64_t at : {0, 700, 1999, 3500, 4999}) {
            SignalRequest request;
            request.samples = 5000;
            auto taps = random_numbers<float>(random, 2600);
            for (std::size_t i = 1; i < taps.size(); i += 2) taps[i] = 0;
            request.taps = taps;
            auto signal = random_numbers<float>(random, request.samples);
            signal[static_cast<std::size_t>(at)] = -std::numeric_limits<float>::infinity();
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.why_not.empty()) continue;
                const auto result = outputs_of(*engine, request, signal, answer.algorithm->id);
                const auto verification = compare_with_reference(request, view_of(signal, 1),
                                                                 view_of(result, 1), answer.algorithm);
                EXPECT_TRUE(verification.right())
                    << answer.algorithm->id << " on " << engine->device().id << verification.first_wrong;
            }
        }
}

TEST(SignalNumbers, SilenceStaysSilentUnderTapsWhoseSumOverflows) {
    const std::vector<double> silence(1000);
    SignalRequest request;
    request.samples = std::ssize(silence);
    request.taps = std::vector<double>(200, 1e307);
    for (const auto& engine : signal_engines())
        for (const auto& answer : algorithm_answers(*engine, request)) {
            if (!answer.why_not.empty()) continue;
            for (const double output : outputs_of(*engine, request, silence, answer.algorithm->id))
                ASSERT_EQ(output, 0) << answer.algorithm->id;
        }
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
