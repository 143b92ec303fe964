// Requests of filter banks: what is refused, the numbers that outputs depend on, and what the planner
// chooses.

#include "tests/support/bank_runs.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kg {
namespace {

using testing::bank_request;
using testing::code_of;

/// Two channels of 7 x 5 and four filters of 3 x 2.
BankRequest small_bank() { return bank_request({7, 5}, 2, 4, {3, 2}, std::vector<float>(48, 1)); }

TEST(BankRequests, ThatContradictThemselvesAreRefused) {
    const auto refused = [](auto change) {
        auto request = small_bank();
        change(request);
        return code_of([&] { validate(request); });
    };
    using Request = BankRequest;
    constexpr auto kNaN = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refused([](Request&) {}), "no error");
    EXPECT_EQ(refused([](Request& r) { r.size.width = 0; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.channels = 0; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.filters = -1; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.stride.rows = 0; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.dilation.columns = 0; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.dilation.columns = kMostOfBank; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.padding.left = -1; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.size.height = kMostOfBank + 1; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.groups = 0; }), "bad-bank-number");
    EXPECT_EQ(refused([](Request& r) { r.groups = 3; }), "groups-do-not-divide");
    EXPECT_EQ(refused([](Request& r) { r.groups = 2; }), "weights-do-not-fit"); // they are of one group
    EXPECT_EQ(refused([](Request& r) { r.weights.pop_back(); }), "weights-do-not-fit");
    EXPECT_EQ(refused([](Request& r) { r.filters = kMostOfBank; }), "weights-do-not-fit");
    EXPECT_EQ(refused([](Request& r) { r.bias = {1, 2, 3}; }), "bias-does-not-fit");
    EXPECT_EQ(refused([](Request& r) { r.weights[7] = kNaN; }), "bank-not-finite");
    EXPECT_EQ(refused([](Request& r) { r.bias = {1, 2, 3, kNaN}; }), "bank-not-finite");
    EXPECT_EQ(refused([](Request& r) { r.outside = kNaN; }), "bad-outside");
    EXPECT_EQ(refused([](Request& r) { r.tolerance = -1; }), "bad-tolerance");
    EXPECT_EQ(refused([](Request& r) { r.dilation.columns = 4; }), "no-outputs");
    EXPECT_EQ(refused([](Request& r) { r.size.height = 1; }), "no-outputs");
}

TEST(BankRequests, AMessageNamesTheParameter) {
    const auto message_of = [](const BankRequest& request) -> std::string {
        try {
            validate(request);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    auto request = small_bank();
    request.stride.columns = 0;
    EXPECT_EQ(message_of(request), "the stride in columns must be from 1 to 1099511627776, not 0");
    request = small_bank();
    request.weights[7] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(message_of(request),
              "the weight of filter 0, channel 1, row 0 and column 1 (k c r s) is not finite");
    request = small_bank();
    request.padding.top = 1;
    request.dilation.columns = 4;
    EXPECT_EQ(message_of(request),
              "there is no output: the weights reach over 9 x 2, and the padded channels have 7 x 6");
}

TEST(BankRequests, OutputsDependOnTheNumbersUnderTheirTaps) {
    auto request = small_bank();
    EXPECT_EQ(source_rect(request, {1, 2, 3, 1}), (Rect{1, 2, 5, 2}));
    request.stride = {1, 2};
    request.padding = {1, 2, 0, 0};
    EXPECT_EQ(source_rect(request, {0, 0, 1, 1}), (Rect{0, 0, 1, 1}));
    request.border = Border::wrap;
    EXPECT_EQ(source_rect(request, {0, 0, 1, 1}), (Rect{0, 0, 7, 5}));
    request.padding.left = 100; // far outside there is the nearest number
    request.border = Border::zero;
    EXPECT_EQ(source_rect(request, {0, 2, 1, 1}), (Rect{0, 1, 1, 2}));
}

TEST(BankRequests, AutoChoosesByCostAndAnAlgorithmCanBeForced) {
    const auto engine = cpu::make_engine(2);
    const auto shallow = bank_request({768, 512}, 6, 6, {6, 6}, std::vector<float>(1296, 1));
    EXPECT_EQ(plan(*engine, shallow)->algorithm, "direct");
    auto request = bank_request({30, 30}, 256, 256, {3, 3}, std::vector<float>(589'824, 0.01f));
    EXPECT_EQ(plan(*engine, request)->algorithm, "im2col_gemm"); // whose rows have no gaps
    EXPECT_EQ(plan(*engine, request, "naive")->reason, "naive as asked for");
    EXPECT_EQ(code_of([&] { plan(*engine, request, "winograd"); }), "algorithm-refused");
    EXPECT_EQ(code_of([&] { plan(*engine, request, "separable"); }), "algorithm-refused");
    request.tolerance = 0.05; // between the errors of both
    EXPECT_EQ(plan(*engine, request)->algorithm, "winograd");
    request.tolerance = 1;
    EXPECT_EQ(plan(*engine, request)->algorithm, "winograd_4x4");
    auto large = bank_request({100, 100}, 32, 32, {15, 15}, std::vector<float>(230'400, 0.01f));
    EXPECT_EQ(code_of([&] { plan(*engine, large, "fft"); }), "algorithm-refused");
    large.tolerance = 1;
    EXPECT_EQ(plan(*engine, large)->algorithm, "fft");
}

/// What an algorithm states as its largest error.
double stated_error(std::string_view id, const BankRequest& request) {
    const auto engine = cpu::make_engine(1);
    for (const auto* algorithm : engine->bank_algorithms())
        if (algorithm->id == id) return algorithm->error(request);
    ADD_FAILURE() << id;
    return 0;
}

/// Worked out by hand from the matrices of Lavin and Gray.
TEST(BankRequests, TheErrorOfWinogradIsAFunctionOfTheWeights) {
    constexpr double kEps = std::numeric_limits<float>::epsilon();
    auto corner = bank_request({9, 9}, 1, 1, {3, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 0});
    // The first column of |G|, weighed by the row sums of |B^T| and summed by a row of |A^T|, is at most
    // 2 (1 + 1/2 + 1/2) of F(2 x 2), and 10 (1/2 + 1/2) + 8 * 6 (1/8 + 1/8) of F(4 x 4), whose G is three
    // times the paper's. There are 1 + 9 and 1 + 17 roundings.
    EXPECT_DOUBLE_EQ(stated_error("winograd", corner), 4 * 4 * 10 * kEps);
    EXPECT_DOUBLE_EQ(stated_error("winograd_4x4", corner), 22.0 * 22.0 / 9 * 18 * kEps);
    corner.weights[0] = -3;
    EXPECT_DOUBLE_EQ(stated_error("winograd_4x4", corner), 3 * 22.0 * 22.0 / 9 * 18 * kEps);
    // The last column: 10 (1/2 + 1/2) + 8 * 6 (1/2 + 1/2) + 10 * 3.
    const auto last = bank_request({9, 9}, 1, 1, {3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 1});
    EXPECT_DOUBLE_EQ(stated_error("winograd_4x4", last), 88.0 * 88.0 / 9 * 18 * kEps);
    // Two channels add up, with one rounding more; of filters the largest counts.
    auto both = bank_request({9, 9}, 2, 2, {3, 3}, std::vector<float>(36, 0));
    both.weights[0] = 1, both.weights[18] = 2, both.weights[27] = 1;
    EXPECT_DOUBLE_EQ(stated_error("winograd", both), 3 * 4 * 4 * 11 * kEps);
    EXPECT_DOUBLE_EQ(stated_error("winograd_4x4", both), 3 * 22.0 * 22.0 / 9 * 19 * kEps);
}

/// The sum over the channels of the roots of the squared weights, of the filter where it is largest.
TEST(BankRequests, TheErrorOfTheFourierTransformIsAFunctionOfTheWeights) {
    auto request = bank_request({20, 20}, 2, 2, {2, 2}, {3, 0, 0, 4, 0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 0, 0});
    const double of_five = stated_error("fft", request);
    EXPECT_GT(of_five, 0);
    for (auto& weight : request.weights) weight *= -2;
    EXPECT_DOUBLE_EQ(stated_error("fft", request), 2 * of_five);
    request.weights = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    EXPECT_DOUBLE_EQ(stated_error("fft", request), of_five / 5);
}

TEST(BankRequests, RunsCheckTheirItems) {
    const auto engine = cpu::make_engine(1);
    const auto request = small_bank();
    const auto plan = kg::plan(*engine, request);
    const auto source = allocate_tensor(*engine, Element::f32, 2, {0, 0, 7, 5});
    const auto target = allocate_tensor(*engine, Element::f32, 4, {0, 0, 5, 4});
    const auto refused = [&](const BufferView& from, const BufferView& to) {
        return code_of([&] {
            const Item item{from, to};
            const auto queue = engine->queue();
            queue->run(plan, std::span(&item, 1));
            queue->fence().wait();
        });
    };
    EXPECT_EQ(refused(source, target), "no error");
    EXPECT_EQ(refused(allocate_tensor(*engine, Element::f64, 2, {0, 0, 7, 5}), target), "format-mismatch");
    EXPECT_EQ(refused(target, target), "format-mismatch");
    EXPECT_EQ(refused(source, allocate_tensor(*engine, Element::f32, 4, {0, 0, 6, 4})),
              "outputs-outside-request");
    EXPECT_EQ(refused(source.crop({0, 0, 6, 5}), target), "source-too-small");
    auto over = target;
    over.memory = source.memory;
    over.offset = source.pitch;
    EXPECT_EQ(refused(source, over), "overlapping-tensors");
}

} // namespace
} // namespace kg
