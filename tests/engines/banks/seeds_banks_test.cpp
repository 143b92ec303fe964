// The examples of the texts that the filter banks come from, on every algorithm of every engine, with the
// values worked out independently: what the texts print or program wrong is what these tests refuse
// (docs/seeds.md).

#include "core/image/copy_tensor.hpp"
#include "tests/support/bank_runs.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace kg {
namespace {

using testing::ascending;
using testing::bank_request;

class SeedBanks : public ::testing::Test {
protected:
    /// Expects the outputs of every algorithm that supports the request, exactly: they are whole numbers,
    /// which the halves of Winograd's algorithms, asked for by a tolerance, sum without rounding. Those of a
    /// Fourier transform, whose factors are not rational, are nearest to them. Only inexact algorithms may
    /// refuse it, unless `by_all`.
    void expect(BankRequest request, const std::vector<float>& items, const std::vector<float>& expected,
                Layout layout = Layout::nchw, bool by_all = false) {
        request.tolerance = 1;
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                SCOPED_TRACE(std::string(answer.algorithm->id) + " on " + engine->device().id);
                if (!answer.why_not.empty()) {
                    EXPECT_TRUE(testing::lacks_library(*engine, *answer.algorithm) ||
                                (answer.algorithm->error && !by_all) ||
                                has_few_borders(*answer.algorithm, request))
                        << answer.why_not;
                    continue;
                }
                EXPECT_EQ(testing::whole_outputs_of(*engine, request, items, answer.algorithm->id, layout,
                                                    &queues_.of(*engine)),
                          expected);
            }
    }

    /// Those of the texture unit.
    static bool has_few_borders(const Algorithm& algorithm, const BankRequest& request) {
        return algorithm.id == "texture" && request.border != Border::zero &&
               request.border != Border::replicate;
    }

    static BankRequest padded(BankRequest request, std::int64_t rows, std::int64_t columns) {
        request.padding = {rows, columns, rows, columns};
        return request;
    }
    static BankRequest strided(BankRequest request, std::int64_t rows, std::int64_t columns) {
        request.stride = {rows, columns};
        return request;
    }

    const std::vector<std::shared_ptr<Engine>> engines_ = testing::bank_engines();
    testing::Queues queues_;
    /// B and K of the texts.
    const std::vector<float> b_ = ascending(0, 25);
    const BankRequest k_ = bank_request({5, 5}, 1, 1, {3, 3}, ascending(0, 9));
};

TEST_F(SeedBanks, CorrelationOfTheExampleHas528InItsMiddle) { // T7; 351 is a misprint of the convolution
    expect(k_, b_, {312, 348, 384, 492, 528, 564, 672, 708, 744});
    auto turned = k_;
    std::ranges::reverse(turned.weights);
    expect(turned, b_, {120, 156, 192, 300, 336, 372, 480, 516, 552});
}

TEST_F(SeedBanks, SamePaddingOfTheExample) { // T8
    expect(padded(k_, 1, 1), b_, {88,  142, 175, 208, 136, 210, 312, 348, 384, 240, 345, 492, 528,
                                  564, 345, 480, 672, 708, 744, 450, 232, 304, 319, 334, 184});
}

TEST_F(SeedBanks, BordersOfTheExample) { // T9
    auto request = padded(k_, 1, 1);
    request.border = Border::replicate;
    expect(request, b_, {120, 147, 183, 219, 240, 285, 312, 348, 384, 405, 465, 492, 528,
                         564, 585, 645, 672, 708, 744, 765, 720, 747, 783, 819, 840});
    request.border = Border::reflect101;
    expect(request, b_, {144, 162, 198, 234, 240, 294, 312, 348, 384, 390, 474, 492, 528,
                         564, 570, 654, 672, 708, 744, 750, 624, 642, 678, 714, 720});
}

TEST_F(SeedBanks, StridesLeaveOutputsOut) { // T11
    expect(strided(padded(k_, 1, 1), 2, 2), b_, {88, 175, 136, 345, 528, 345, 232, 319, 184});
    expect(strided(k_, 2, 2), b_, {312, 384, 672, 744});
    expect(strided(padded(k_, 1, 0), 2, 1), b_, {142, 175, 208, 492, 528, 564, 304, 319, 334});
}

TEST_F(SeedBanks, FirstWeightIsOverThePaddedCorner) { // T12
    expect(padded(bank_request({3, 3}, 1, 1, {3, 3}, ascending(0, 9)), 1, 1), ascending(0, 9),
           {58, 100, 70, 132, 204, 132, 70, 100, 58});
}

TEST_F(SeedBanks, OnesCountTheVisitsOfEveryNumber) { // T13
    const auto ones = [](std::int64_t count) {
        return std::vector<float>(static_cast<std::size_t>(count), 1);
    };
    expect(padded(bank_request({3, 3}, 1, 1, {3, 3}, ones(9)), 2, 2), ones(9),
           {1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6, 9, 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1});
    expect(padded(bank_request({5, 5}, 1, 1, {3, 3}, ones(9)), 1, 1), ones(25),
           {4, 6, 6, 6, 4, 6, 9, 9, 9, 6, 6, 9, 9, 9, 6, 6, 9, 9, 9, 6, 4, 6, 6, 6, 4});
}

const std::vector<float> kBatchOutputs{380,  352, 296, 268, 884,  856,  800,  772,  1388, 1360, 1304, 1276,
                                       1052, 960, 776, 684, 2708, 2616, 2432, 2340, 4364, 4272, 4088, 3996};

TEST_F(SeedBanks, BatchOfTwoChannelsAndThreeFilters) { // T14
    expect(padded(bank_request({2, 2}, 2, 3, {3, 3}, ascending(0, 54)), 1, 1), ascending(0, 16),
           kBatchOutputs);
}

/// The result of one layout in the order of another's memory.
std::vector<float> in_layout(std::vector<float> nchw, const BatchShape& shape, Layout layout) {
    auto sorted = nchw;
    for (std::int64_t n = 0; n < shape.items; ++n)
        copy_tensor(batch_item(nchw.data(), shape, Layout::nchw, n),
                    batch_item(sorted.data(), shape, layout, n));
    return sorted;
}

TEST_F(SeedBanks, ChannelsNextToEachOtherHaveTheSameOutputs) { // T15, and CHWN
    const auto request = padded(bank_request({2, 2}, 2, 3, {3, 3}, ascending(0, 54)), 1, 1);
    expect(request, {0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15},
           {380,  884,  1388, 352, 856,  1360, 296, 800,  1304, 268, 772,  1276,
            1052, 2708, 4364, 960, 2616, 4272, 776, 2432, 4088, 684, 2340, 3996},
           Layout::nhwc);
    expect(request, in_layout(ascending(0, 16), {2, 2, {2, 2}}, Layout::chwn),
           in_layout(kBatchOutputs, {2, 3, {2, 2}}, Layout::chwn), Layout::chwn);
}

TEST_F(SeedBanks, InterleavedColoursAreThreeChannels) { // T16: filters of one weight pick the planes
    expect(bank_request({2, 2}, 3, 3, {1, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}),
           in_layout({0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}, {1, 3, {2, 2}}, Layout::nhwc), ascending(0, 12),
           Layout::nhwc);
}

TEST_F(SeedBanks, OutputSizesRoundDown) { // T17; the text has q for p in the height
    for (const auto& [h, r, u, p, rows] :
         std::initializer_list<std::array<std::int64_t, 5>>{{768, 6, 1, 0, 763},
                                                            {512, 6, 1, 0, 507},
                                                            {225, 3, 2, 0, 112},
                                                            {35, 3, 2, 0, 17},
                                                            {105, 3, 2, 0, 52},
                                                            {230, 7, 2, 0, 112},
                                                            {838, 7, 2, 0, 416},
                                                            {1350, 7, 2, 0, 672},
                                                            {28, 2, 2, 0, 14},
                                                            {6, 3, 2, 0, 2},
                                                            {5, 3, 2, 1, 3}}) {
        auto request = bank_request({100, h}, 1, 1, {1, r}, ascending(0, r));
        request.stride = {u, 1};
        request.padding = {p, 7, p, 7}; // not that of the rows
        EXPECT_EQ(output_size(request), (Extent{114, rows}));
    }
}

TEST_F(SeedBanks, TilesOfTheTextLeaveThreeRowsAndThreeColumns) { // T30; `direct` has tiles of any size
    const auto request = bank_request({768, 512}, 6, 6, {6, 6}, ascending(0, 6 * 6 * 36));
    const auto size = output_size(request);
    EXPECT_EQ(size, (Extent{763, 507}));
    EXPECT_EQ(size.width * size.height * request.filters * term_count(request), 501'345'936);
    constexpr Extent kBlock{8, 4};
    EXPECT_EQ(size.width / kBlock.width, 95);
    EXPECT_EQ(size.height / kBlock.height, 126);
    EXPECT_EQ(size.width % kBlock.width, 3);
    EXPECT_EQ(size.height % kBlock.height, 3);

    // The text's rule for a block of outputs by filters, for 8 x 8 outputs of 5 filters.
    constexpr std::int64_t kFilters = 5, kOutputs = 64, kMostThreads = 1024;
    const auto across = std::max<std::int64_t>(
        1, std::min((kOutputs + kFilters - 1) / kFilters, kMostThreads / kFilters));
    EXPECT_EQ(across, 13);
    EXPECT_EQ((kOutputs + across - 1) / across, 5);

    // Its tile of 256 samples with a radius of 5 reads each sample little more than once, `naive` 11 times.
    constexpr double kReads = (256.0 + 2 * 5) / 256;
    EXPECT_EQ(kReads, 1.0390625);
    EXPECT_NEAR(11 / kReads, 10.586, 0.001);
}

TEST_F(SeedBanks, UnrolledMatrixOfTheExample) { // T18
    expect(bank_request({4, 4}, 1, 1, {3, 3}, ascending(0, 9)), ascending(0, 16), {258, 294, 402, 438});
}

TEST_F(SeedBanks, EveryChannelHasItsOwnWeights) { // T19; the text's program has one filter for all channels
    expect(bank_request({3, 3}, 2, 2, {2, 2}, ascending(1, 16)), ascending(0, 18),
           {320, 356, 428, 464, 736, 836, 1036, 1136});
}

TEST_F(SeedBanks, RampThroughOddWeightsShowsAFlip) { // T20; the text's comparison passes with a flip
    const auto ramp = [](std::int64_t side, std::int64_t channels) {
        std::vector<float> numbers;
        for (std::int64_t i = 0; i < side * side * channels; ++i)
            numbers.push_back(static_cast<float>(i % side));
        return numbers;
    };
    const auto odd = [](std::int64_t count) {
        std::vector<float> weights;
        for (std::int64_t i = 0; i < count; ++i) weights.push_back(static_cast<float>(i % 3 - 1));
        return weights;
    };
    expect(bank_request({5, 5}, 3, 1, {3, 3}, odd(27)), ramp(5, 3), std::vector<float>(9, 18));
    expect(bank_request({8, 8}, 6, 1, {6, 6}, odd(216)), ramp(8, 6), std::vector<float>(9, 144));
}

TEST_F(SeedBanks, FourNumbersAndThreeWeightsHaveTheOutputsOfWinograd) { // T28, in rows and in columns
    expect(bank_request({4, 1}, 1, 1, {3, 1}, {1, 2, 1}), {1, 2, 3, 4}, {8, 12});
    expect(bank_request({1, 4}, 1, 1, {1, 3}, {1, 2, 1}), {1, 2, 3, 4}, {8, 12});
    expect(bank_request({4, 4}, 1, 1, {3, 3}, {0, 0, 0, 1, 2, 1, 0, 0, 0}),
           {9, 9, 9, 9, 1, 2, 3, 4, 4, 3, 2, 1, 9, 9, 9, 9}, {8, 12, 12, 8}, Layout::nchw, true);
}

TEST_F(SeedBanks, EvenWeightsHaveTheirAnchorByThePadding) { // T33
    const auto request = bank_request({3, 3}, 1, 1, {2, 2}, {1, 2, 3, 4});
    auto first = request, last = request;
    first.padding = {0, 0, 1, 1};
    last.padding = {1, 1, 0, 0};
    expect(first, ascending(0, 9), {27, 37, 17, 57, 67, 29, 20, 23, 8});
    expect(last, ascending(0, 9), {0, 4, 11, 12, 27, 37, 30, 57, 67});
}

} // namespace
} // namespace kg
