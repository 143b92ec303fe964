// What `implicit_gemm` decides for a filter bank, on the CPU: its steps of terms, and where the fragments of
// the tensor cores find weights and numbers.

#include "gpu/kernels/banks/tensor_bank.hpp"

#include "core/plan/planner.hpp"
#include "gpu/engine.hpp"
#include "tests/support/bank_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kg::gpu {
namespace {

constexpr std::size_t kTensorShared = 227 * 1024; // of an H100 or H200

BankRequest tensor_request(std::int64_t channels, std::int64_t filters, Extent kernel) {
    auto request = testing::bank_request(
        {300, 200}, channels, filters, kernel,
        testing::ascending(1, channels * filters * kernel.width * kernel.height));
    request.tolerance = 1e9;
    return request;
}

void expect_every_weight_in_a_fragment_once(const BankRequest& r) {
    const auto bank = tensor_bank(r, kTensorShared);
    ASSERT_TRUE(bank);
    const auto sorted = tensor_weights(r, *bank);
    const auto of_stage = std::int64_t{bank->tile.channels} * bank->terms, all = term_count(r),
               stages = (r.channels + bank->tile.channels - 1) / bank->tile.channels,
               of_step = bank->by_rows ? r.kernel.width : kTensorTerms;
    for (std::int64_t k = 0; k < r.filters; ++k)
        for (std::int64_t t = 0; t < all; ++t) {
            // PTX ISA, operand B of mma.m16n8k8: row place + 4 r, column group.
            const auto block = k / bank->tile.filters, f = k % bank->tile.filters, stage = t / of_stage,
                       step = t % of_stage / of_step, term = t % of_stage % of_step;
            const auto lane = f % 8 * 4 + term % 4, half = term / 4;
            const auto at = (block * stages + stage) * bank->weights +
                            ((step * bank->groups + f / 8) * 32 + lane) * 2 + half;
            ASSERT_EQ(sorted[static_cast<std::size_t>(at)], static_cast<float>(k * all + t + 1));
        }
    EXPECT_EQ(std::ranges::count_if(sorted, [](float weight) { return weight != 0; }), r.filters * all);
}

TEST(TensorBanks, EveryWeightIsInAFragmentOnce) { // numbers up to 2048 are exact in TF32
    for (const std::int64_t channels : {1, 3, 4})
        for (const std::int64_t filters : {1, 8, 9, 17})
            for (const std::int64_t width : {1, 2, 5})
                for (const std::int64_t height : {2, 5})
                    expect_every_weight_in_a_fragment_once(
                        tensor_request(channels, filters, {width, height}));
    expect_every_weight_in_a_fragment_once(tensor_request(2, 8, {8, 8}));
    expect_every_weight_in_a_fragment_once(tensor_request(5, 6, {6, 7}));
}

TEST(TensorBanks, AreSummedByRowsWhereZerosAreFew) {
    const auto rows = [](Extent kernel, std::int64_t filters, RowsAndColumns stride = {1, 1},
                         RowsAndColumns dilation = {1, 1}) {
        auto r = tensor_request(3, filters, kernel);
        r.stride = stride, r.dilation = dilation;
        const auto bank = tensor_bank(r, kTensorShared);
        if (!bank || !bank->by_rows) return 0;
        // The last number that a lane reads for the last 16 outputs of a row: group 7, place 3, register 3.
        EXPECT_LT(kColumnsByRows - kTensorOutputs + 7 + 3 + 12, bank->tile.cells);
        EXPECT_EQ(bank->tile.columns_out(), kColumnsByRows);
        return bank->by_rows;
    };
    EXPECT_EQ(rows({6, 5}, 6), 5);
    EXPECT_EQ(rows({5, 8}, 8), 8);
    EXPECT_EQ(rows({8, 8}, 1), 8);
    EXPECT_EQ(rows({6, 6}, 6, {1, 1}, {2, 3}), 6);
    EXPECT_EQ(rows({6, 6}, 9), 0);
    EXPECT_EQ(rows({4, 6}, 6), 0);
    EXPECT_EQ(rows({6, 9}, 6), 0);
    EXPECT_EQ(rows({6, 6}, 6, {2, 1}), 0);
    EXPECT_EQ(rows({6, 6}, 6, {1, 2}), 0);
}

TEST(TensorBanks, WeightsAreRoundedToTenBitsBehindThePoint) {
    auto r = tensor_request(1, 1, {4, 1});
    r.weights = {1 + 0x1p-10f, 1 + 0x1p-11f, -1 - 0x1p-12f, 3e-30f};
    const auto bank = tensor_bank(r, kTensorShared);
    ASSERT_TRUE(bank);
    const auto sorted = tensor_weights(r, *bank); // lanes 0 to 3 have the first four terms of filter 0
    EXPECT_EQ(sorted[0], 1 + 0x1p-10f);
    EXPECT_EQ(sorted[2], 1 + 0x1p-10f) << "ties away from zero";
    EXPECT_EQ(sorted[4], -1);
    EXPECT_NEAR(sorted[6], 3e-30f, 3e-30 * 0x1p-11);
}

TEST(TensorBanks, TermsLieWithinTheTile) {
    for (const std::int64_t stride : {1, 2, 3})
        for (const std::int64_t dilation : {1, 2}) {
            auto r = tensor_request(5, 3, {6, 3});
            r.stride = {stride, stride};
            r.dilation = {dilation, dilation};
            const auto bank = tensor_bank(r, kTensorShared);
            ASSERT_TRUE(bank);
            EXPECT_LE(bank->shared_bytes(), kTensorShared);
            const auto& tile = bank->tile;
            const auto offsets = tensor_offsets(r, *bank);
            ASSERT_EQ(std::ssize(offsets), bank->steps * kTensorTerms);
            EXPECT_LE(bank->steps * kTensorTerms - tile.channels * bank->terms, kTensorTerms - 1);
            const auto last_output = (tile.rows_out() - 1) * tile.row_step * tile.pitch + tile.columns_out() -
                                     1;
            for (const int offset : offsets) EXPECT_LT(last_output + offset, tile.channels * tile.tile());
            EXPECT_GE(tile.columns_out(), kTensorOutputs);
        }
}

TEST(TensorBanks, NeedATolerance) {
    const auto engine = make_engine();
    for (const auto* algorithm : bank_algorithms())
        if (algorithm->id == "implicit_gemm" || algorithm->id == "im2col_tf32") {
            auto r = tensor_request(1, 1, {3, 3});
            r.tolerance = 0;
            EXPECT_FALSE(algorithm->why_not(r, *engine).empty());
            // A number loses a thousandth of itself, a weight as much or half of that.
            EXPECT_GT(algorithm->error(r), 45 * 0x1p-10); // 1 + 2 + ... + 9
            EXPECT_LT(algorithm->error(r), 45.1 * 0x1p-9);
            r.tolerance = algorithm->error(r) / 2;
            EXPECT_FALSE(algorithm->why_not(r, *engine).empty());
        }
}

} // namespace
} // namespace kg::gpu
