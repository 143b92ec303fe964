// The algorithms for filter banks by transforms, Winograd's and Fourier's, beyond what the walk of
// bank_walk_test.cpp reaches: parts of scratch, frames, the largest errors, and numbers that are not finite.

#include "tests/engines/support/bank_walk.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>

namespace kg {
namespace {

using testing::BankWalk;
using testing::random_floats;

TEST_F(BankWalk, WinogradNeedsAToleranceAboveItsError) {
    for (const auto& engine : engines_)
        for (const std::string_view id : {"winograd", "winograd_4x4"}) {
            SCOPED_TRACE(std::string(id) + " on " + engine->device().id);
            auto request = testing::bank_request({8, 8}, 1, 1, {3, 3}, std::vector<float>(9, 1));
            const auto refusal = [&] {
                for (const auto& answer : algorithm_answers(*engine, request))
                    if (answer.algorithm->id == id) return answer.why_not;
                return std::string("absent");
            };
            EXPECT_NE(refusal().find("no tolerance"), std::string::npos);
            request.tolerance = 1e-9;
            EXPECT_NE(refusal().find("above the tolerance"), std::string::npos);
            request.tolerance = 1e-2;
            EXPECT_EQ(refusal(), "");
            request.stride.rows = 2;
            EXPECT_NE(refusal().find("without stride"), std::string::npos);
        }
}

/// Tiles of several parts of scratch, and of several items in one block of threads; filters and channels of
/// several blocks and chains, whole and begun.
TEST_F(BankWalk, WinogradIsRightInPartsBlocksAndChainsOfAnySize) {
    struct Case {
        Extent size;
        std::int64_t channels, filters, groups, items;
    };
    int runs = 0;
    for (const auto& one : {Case{{260, 226}, 3, 61, 1, 1}, Case{{9, 10}, 70, 130, 1, 5},
                            Case{{21, 6}, 63, 20, 1, 3}, Case{{12, 17}, 66, 99, 3, 67}}) {
        SCOPED_TRACE(one.filters);
        auto request = testing::bank_request(
            one.size, one.channels, one.filters, {3, 3},
            random_floats(random_, one.filters * one.channels / one.groups * 9));
        request.groups = one.groups;
        request.padding = {1, 1, 1, 0};
        request.tolerance = 1e3;
        request.bias = random_floats(random_, one.filters);
        const auto items = items_for(request, one.items);
        for (const auto& engine : engines_)
            for (const auto& answer : algorithm_answers(*engine, request)) {
                if (!answer.algorithm->id.starts_with("winograd")) continue;
                SCOPED_TRACE("on " + engine->device().id);
                ++runs;
                ASSERT_EQ(answer.why_not, "");
                const auto result = run(*engine, request, items, answer.algorithm->id);
                ASSERT_NO_FATAL_FAILURE(expect_right(request, items, result, *answer.algorithm));
            }
    }
    EXPECT_EQ(runs, 8 * std::ssize(engines_));
}

/// Numbers of one size whose signs, repeated every four rows and columns, are those of a row of B^T of
/// F(4 x 4, 3 x 3), so that points of the transform are as large as the bound assumes.
TEST_F(BankWalk, WinogradKeepsItsErrorWhereItsTransformsAreLargest) {
    constexpr float kSigns[][4] = {{1, 1, -1, 1}, {1, -1, -1, 1}, {1, 1, -1, -1}, {1, 1, 1, -1}};
    constexpr std::int64_t kChannels = 100, kSide = 22;
    auto request = testing::bank_request({kSide, kSide}, kChannels, 3, {3, 3},
                                         random_floats(random_, kChannels * 27));
    request.tolerance = 1e3;
    for (const auto& down : kSigns)
        for (const auto& across : kSigns) {
            std::vector<float> items;
            for (std::int64_t i = 0; i < kChannels * kSide * kSide; ++i)
                items.push_back(down[i / kSide % kSide % 4] * across[i % kSide % 4] *
                                (1 + 0x1p-23f * static_cast<float>(i % 5)));
            ASSERT_NO_FATAL_FAILURE(expect_reference(request, items));
        }
    for (const auto& engine : engines_) EXPECT_EQ((ran_[{engine->device().id, "winograd_4x4"}]), 16);
}

/// Frames at all edges, whole and cut, of the second of a pair too, with strides, dilation, groups and
/// padding.
TEST_F(BankWalk, FramesOfTheFourierTransformKeepItsError) {
    struct Case {
        Extent size, kernel;
        std::int64_t channels, filters, groups;
        RowsAndColumns stride, dilation;
        Padding padding;
    };
    const Case cases[]{{{61, 47}, {7, 7}, 5, 6, 1, {1, 1}, {1, 1}, {3, 3, 3, 3}},
                       {{200, 9}, {9, 5}, 3, 9, 3, {1, 2}, {1, 1}, {0, 4, 2, 0}},
                       {{33, 130}, {4, 11}, 2, 4, 2, {3, 1}, {1, 2}, {5, 0, 5, 1}},
                       {{17, 13}, {17, 13}, 4, 5, 1, {1, 1}, {1, 1}, {6, 8, 6, 8}},
                       {{1, 300}, {1, 31}, 2, 3, 1, {1, 1}, {1, 1}, {0, 0, 0, 0}},
                       // On a GPU more frames than are in memory at a time.
                       {{9000, 16}, {3, 3}, 64, 64, 64, {1, 1}, {1, 1}, {0, 0, 0, 0}}};
    for (const auto& one : cases)
        for (const auto border : {Border::zero, Border::reflect101}) {
            SCOPED_TRACE(one.size.width);
            auto request = testing::bank_request(
                one.size, one.channels, one.filters, one.kernel,
                random_floats(random_, static_cast<std::size_t>(one.filters * one.channels / one.groups *
                                                                one.kernel.width * one.kernel.height)));
            request.groups = one.groups;
            request.stride = one.stride;
            request.dilation = one.dilation;
            request.padding = one.padding;
            request.border = border;
            request.tolerance = 1e3;
            request.bias = random_floats(random_, static_cast<std::size_t>(one.filters));
            ASSERT_NO_FATAL_FAILURE(expect_reference(request, items_for(request)));
        }
    expect_transforms(2 * static_cast<int>(std::size(cases)));
}

/// A number that is not finite, or so large that its transform overflows, spoils no output but its own.
TEST_F(BankWalk, NumbersThatATransformWouldSpreadStayInTheirOutputs) {
    auto request = testing::bank_request({40, 40}, 2, 3, {5, 5}, std::vector<float>(150, 0.01f));
    request.tolerance = 1e3;
    for (const float number :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 0x1p127f}) {
        auto items = items_for(request);
        items[20 * 40 + 20] = number;
        ASSERT_NO_FATAL_FAILURE(expect_reference(request, items));
    }
    expect_transforms(3);
}

} // namespace
} // namespace kg
