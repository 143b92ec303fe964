// The examples of the texts that the signals come from, on every algorithm of every engine, with the values
// worked out independently: what the texts print wrong is what these tests refuse (docs/seeds.md).

#include "tests/support/check.hpp"
#include "tests/support/signal_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace kg {
namespace {

using testing::outputs_of;
using testing::signal_engines;
using testing::signal_request;

class SeedSignals : public ::testing::Test {
protected:
    /// Expects the outputs of every algorithm that supports the request, as integers of both widths and as
    /// floats of both. Floats are whole numbers here: only transforms may differ, by their rounding.
    void expect(const SignalRequest& request, const std::vector<std::int64_t>& signal,
                const std::vector<std::int64_t>& expected) {
        expect_as<std::int64_t>(request, signal, expected);
        expect_as<std::int32_t>(request, signal, expected);
        expect_as<double>(request, signal, expected);
        expect_as<float>(request, signal, expected);
    }

    template <typename T>
    void expect_as(SignalRequest request, const std::vector<std::int64_t>& signal,
                   const std::vector<std::int64_t>& expected) {
        const auto taps = std::get<std::vector<std::int64_t>>(request.taps);
        request.taps = std::vector<T>(taps.begin(), taps.end());
        const std::vector<T> samples(signal.begin(), signal.end());
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            const auto outputs = outputs_of(engine, request, samples, algorithm.id, &queues_.of(engine));
            ASSERT_EQ(outputs.size(), expected.size());
            const double allowed = algorithm.error ? 1e-3 : 0;
            for (std::size_t i = 0; i < outputs.size(); ++i)
                EXPECT_NEAR(static_cast<double>(outputs[i]), static_cast<double>(expected[i]), allowed)
                    << "output " << i;
        });
    }

    /// Calls body(engine, algorithm) for those that support the request.
    template <typename Body>
    void for_each_algorithm(const SignalRequest& request, Body body) {
        for (const auto& engine : engines_) {
            int ran = 0;
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.why_not.empty()) continue;
                SCOPED_TRACE(std::string(answer.algorithm->id) + " on " + engine->device().id);
                body(*engine, *answer.algorithm);
                ++ran;
            }
            // On the GPU those that serve to compare methods have the types of their texts.
            EXPECT_GE(ran, engine->device().id == "cpu" ? 6 : 1) << engine->device().id;
        }
    }

    static std::vector<std::int64_t> counted(std::int64_t first, std::size_t count) {
        std::vector<std::int64_t> numbers(count);
        std::iota(numbers.begin(), numbers.end(), first);
        return numbers;
    }

    static SignalRequest same(const std::vector<std::int64_t>& signal, std::vector<std::int64_t> taps,
                              Border border = Border::zero) {
        auto request = signal_request(signal, std::move(taps), SignalMode::same);
        request.border = border;
        return request;
    }
    static SignalRequest convolution(const std::vector<std::int64_t>& signal,
                                     std::vector<std::int64_t> taps) {
        auto request = signal_request(signal, std::move(taps));
        request.flip = true;
        return request;
    }

    const std::vector<std::shared_ptr<Engine>> engines_ = signal_engines();
    testing::Queues queues_;
};

TEST_F(SeedSignals, SmoothingOfOneToSevenHasSixteenAtOutputThree) { // T2; the text computes 12 there
    const auto x = counted(1, 7);
    expect(same(x, {1, 2, 1}), x, {4, 8, 12, 16, 20, 24, 20});
    expect(same(x, {1, 2, 1}, Border::replicate), x, {5, 8, 12, 16, 20, 24, 27});
    expect(same(x, {1, 2, 1}, Border::reflect101), x, {6, 8, 12, 16, 20, 24, 26});
    expect(signal_request<std::int64_t>(x, {1, 2, 1}, SignalMode::valid), x, {8, 12, 16, 20, 24});
}

TEST_F(SeedSignals, ShortExampleOfTheBookIsACorrelation) { // T3
    const std::vector<std::int64_t> x{4, 1, 3, 2, 3};
    expect(same(x, {2, 1, 4}), x, {8, 21, 13, 20, 7});
    expect(convolution(x, {2, 1, 4}), x, {8, 6, 23, 11, 20, 11, 12});
}

TEST_F(SeedSignals, LongExampleOfTheBook) { // T4
    const std::vector<std::int64_t> x{8, 2, 5, 4, 1, 7, 3};
    expect(same(x, {1, 3, 5, 3, 1}), x, {51, 53, 52, 47, 46, 51, 37});
}

TEST_F(SeedSignals, ALastTapShiftsToTheLeftInACorrelationAndToTheRightInAConvolution) { // T5
    const auto x = counted(1, 5);
    const auto flipped = [&](std::vector<std::int64_t> taps) {
        auto request = same(x, std::move(taps));
        request.flip = true;
        return request;
    };
    expect(same(x, {0, 0, 1}), x, {2, 3, 4, 5, 0});
    expect(flipped({0, 0, 1}), x, {0, 1, 2, 3, 4});
    expect(same(x, {1, 0, 0}), x, {0, 1, 2, 3, 4});
    expect(flipped({1, 0, 0}), x, {2, 3, 4, 5, 0});
    expect(same(x, {-1, 0, 1}), x, {2, 2, 2, 2, -4});
    expect(flipped({-1, 0, 1}), x, {-2, -2, -2, -2, 4});
}

TEST_F(SeedSignals, FullConvolutionOfFourAndOfEight) { // T10
    expect(convolution(counted(1, 4), counted(5, 4)), counted(1, 4), {5, 16, 34, 60, 61, 52, 32});
    expect(convolution(counted(1, 8), counted(9, 8)), counted(1, 8),
           {9, 28, 58, 100, 155, 224, 308, 408, 427, 428, 410, 372, 313, 232, 128});
}

TEST_F(SeedSignals, ConvolutionOf1024And1024HasTheChecksumOfTheText) { // T10
    const auto a = counted(1, 1024), b = counted(1025, 1024);
    const std::vector<std::int32_t> samples(a.begin(), a.end());
    auto request = convolution(a, b);
    request.taps = std::vector<std::int32_t>(b.begin(), b.end());
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto outputs = outputs_of(engine, request, samples, algorithm.id);
        ASSERT_EQ(outputs.size(), 2047u);
        EXPECT_EQ(outputs[0], 1025);
        EXPECT_EQ(outputs[1], 3076);
        EXPECT_EQ(outputs[1023], 716'876'800);
        EXPECT_EQ(*std::ranges::max_element(outputs), 781'269'831);
        EXPECT_EQ(outputs[1264], 781'269'831);
        EXPECT_EQ(outputs[2046], 2'097'152);
        const auto sum = std::accumulate(outputs.begin(), outputs.end(), std::int64_t{0});
        EXPECT_EQ(sum, 825'707'724'800);
        EXPECT_EQ(static_cast<std::uint32_t>(sum), 1'074'003'968u);
    });
}

TEST_F(SeedSignals, IntegersWrapModulo2ToThe32And64) {
    const std::vector<std::int64_t> x{std::int64_t{1} << 62, 3};
    auto request = signal_request<std::int64_t>(x, {4, 1});
    request.flip = true;
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        EXPECT_EQ(outputs_of(engine, request, x, algorithm.id),
                  (std::vector<std::int64_t>{0, 12 + (std::int64_t{1} << 62), 3}));
    });
    const std::vector<std::int32_t> y{1 << 30, -3};
    auto narrow = signal_request<std::int32_t>(y, {4, 1});
    narrow.flip = true;
    for_each_algorithm(narrow, [&](Engine& engine, const Algorithm& algorithm) {
        EXPECT_EQ(outputs_of(engine, narrow, y, algorithm.id),
                  (std::vector<std::int32_t>{0, (1 << 30) - 12, -3}));
    });
}

TEST_F(SeedSignals, CompoundInterestCountsItsFirstAndItsLastTerm) { // T29; the text leaves f(n) g(0) out
    std::vector<double> growth, deposits(11, 100);
    deposits[0] = 0; // nothing is paid in before the first year
    for (int year = 0; year <= 10; ++year) growth.push_back(std::pow(1.05, year));
    auto request = signal_request(deposits, growth);
    request.flip = true;
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto balance = outputs_of(engine, request, deposits, algorithm.id);
        EXPECT_NEAR(balance[1], 100, 1e-9);
        EXPECT_NEAR(balance[2], 205, 1e-9);
        EXPECT_NEAR(balance[3], 315.25, 1e-9);
        EXPECT_NEAR(balance[10], 1257.7892535548837, 1e-9);
    });
}

TEST_F(SeedSignals, RadiusOf300IsRightInEveryTile) { // T34; the text loads a halo of at most 256
    const auto x = counted(1, 1500);
    std::vector<std::int64_t> taps(601, 1);
    std::vector<std::int64_t> sums;
    for (std::int64_t i = 0; i < 1500; ++i) {
        std::int64_t sum = 0;
        for (auto k = std::max<std::int64_t>(0, i - 300); k < std::min<std::int64_t>(1500, i + 301); ++k)
            sum += k + 1;
        sums.push_back(sum);
    }
    expect_as<std::int64_t>(same(x, taps), x, sums);
    expect_as<std::int32_t>(same(x, taps), x, sums);
}

TEST_F(SeedSignals, FourSamplesAndThreeTapsHaveTheOutputsOfWinograd) { // T28
    expect(signal_request<std::int64_t>({1, 2, 3, 4}, {1, 2, 1}, SignalMode::valid), {1, 2, 3, 4}, {8, 12});
}

TEST_F(SeedSignals, ProductsWithoutGhostsAreThoseOfTheBook) { // T31: a signal of ones counts them
    for (const auto& [samples, taps, products] : {std::tuple{5, 3, 13}, {10, 5, 44}}) {
        const std::vector<std::int64_t> ones(static_cast<std::size_t>(samples), 1);
        const auto request = same(ones, std::vector<std::int64_t>(static_cast<std::size_t>(taps), 1));
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            const auto outputs = outputs_of(engine, request, ones, algorithm.id);
            EXPECT_EQ(std::accumulate(outputs.begin(), outputs.end(), std::int64_t{0}), products);
        });
    }
}

} // namespace
} // namespace kg
