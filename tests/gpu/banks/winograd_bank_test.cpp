// Winograd's algorithms of the GPU, on the CPU: their transforms against the matrices and the correlation,
// and which outputs, items and weights the columns and rows of their matrices are.

#include "gpu/kernels/banks/winograd_bank.hpp"

#include "core/request/winograd.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/banks/bank_gemm.hpp"
#include "gpu/kernels/banks/winograd_tile.hpp"
#include "tests/support/bank_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>

namespace kg::gpu {
namespace {

using testing::bank_request;

std::vector<float> whole_numbers(std::mt19937& random, std::int64_t count) {
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(random() % 19) - 9);
    return numbers;
}

/// Rows of B^T or A^T times the numbers, along rows and columns, as the matrices define it.
template <typename Matrix>
std::vector<double> by_matrix(const Matrix& matrix, std::size_t rows, std::size_t edge,
                              const std::vector<double>& numbers) {
    std::vector<double> result(rows * rows);
    for (std::size_t p = 0; p < rows; ++p)
        for (std::size_t q = 0; q < rows; ++q)
            for (std::size_t i = 0; i < edge; ++i)
                for (std::size_t j = 0; j < edge; ++j)
                    result[p * rows + q] += matrix[p][i] * numbers[i * edge + j] * matrix[q][j];
    return result;
}

template <int Side, typename Number>
void expect_transforms(const WinogradMethod& method) {
    constexpr std::size_t kEdge = Side + 2, kPoints = kEdge * kEdge;
    ASSERT_EQ(method.side, Side);
    for (std::size_t one = 0; one < kPoints; ++one) { // both are linear
        std::vector<double> unit(kPoints);
        unit[one] = 3;
        Number tile[kPoints] = {}, outputs[Side * Side] = {};
        tile[one] = 3;
        const Number sums[kPoints] = {};
        transform_winograd_sums<Side>(sums, outputs);
        EXPECT_TRUE(std::ranges::all_of(outputs, [](Number n) { return n == 0; }));
        transform_winograd_sums<Side>(std::as_const(tile), outputs);
        const auto expected_outputs = by_matrix(method.output, Side, kEdge, unit);
        for (std::size_t i = 0; i < expected_outputs.size(); ++i)
            EXPECT_EQ(static_cast<double>(outputs[i]), expected_outputs[i]) << one << ' ' << i;
        transform_winograd_numbers<Side>(tile);
        const auto expected = by_matrix(method.input, kEdge, kEdge, unit);
        for (std::size_t i = 0; i < kPoints; ++i)
            EXPECT_EQ(static_cast<double>(tile[i]), expected[i]) << one << ' ' << i;
    }
}

TEST(WinogradBanks, TransformsAreThoseOfTheMatrices) {
    expect_transforms<2, std::int64_t>(kWinogradF2x2);
    expect_transforms<2, float>(kWinogradF2x2);
    expect_transforms<4, std::int64_t>(kWinogradF4x4);
    expect_transforms<4, float>(kWinogradF4x4);
}

/// A^T [(G g G^T) (B^T d B)] A = scale^2 times the correlation of d and g, in whole numbers and eighths,
/// which are exact.
template <int Side>
void expect_correlation(const WinogradMethod& method) {
    constexpr int kEdge = Side + 2, kPoints = kEdge * kEdge;
    std::mt19937 random(7);
    for (int round = 0; round < 100; ++round) {
        const auto g = whole_numbers(random, 9), d = whole_numbers(random, kPoints);
        const auto weights = winograd_weights(method, bank_request({Side + 2, Side + 2}, 1, 1, {3, 3}, g));
        ASSERT_EQ(std::ssize(weights), kPoints);
        double tile[kPoints], outputs[Side * Side];
        std::copy(d.begin(), d.end(), tile);
        transform_winograd_numbers<Side>(tile);
        for (std::size_t point = 0; point < kPoints; ++point)
            tile[point] *= static_cast<double>(weights[point][0]);
        transform_winograd_sums<Side>(std::as_const(tile), outputs);
        for (int p = 0; p < Side; ++p)
            for (int q = 0; q < Side; ++q) {
                double sum = 0;
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        sum += static_cast<double>(g[static_cast<std::size_t>(3 * i + j)]) *
                               static_cast<double>(d[static_cast<std::size_t>((p + i) * kEdge + q + j)]);
                EXPECT_EQ(outputs[p * Side + q], method.scale * method.scale * sum);
            }
    }
}

TEST(WinogradBanks, OutputsAreTheCorrelation) {
    expect_correlation<2>(kWinogradF2x2);
    expect_correlation<4>(kWinogradF4x4);
}

TEST(WinogradBanks, EveryOutputIsInATileOfItsItemOnce) {
    for (const int side : {2, 4})
        for (const Rect outputs : {Rect{0, 0, 9, 7}, Rect{3, 5, 1, 1}, Rect{5, 0, 8, 3}, Rect{4, 8, 12, 4}})
            for (const std::int64_t at_once : {4, 8, 64}) {
                constexpr unsigned kItems = 3;
                const auto tiles = winograd_tiles(outputs, side);
                std::map<std::tuple<unsigned, std::int64_t, std::int64_t>, int> times;
                for (std::int64_t first = 0; first < tiles.count; first += at_once) {
                    const auto part = winograd_part(first, std::min(at_once, tiles.count - first), kItems);
                    EXPECT_EQ(part.columns, part.of_item * kItems);
                    EXPECT_GE(part.pitch, part.columns);
                    EXPECT_EQ(part.pitch % 4, 0);
                    EXPECT_LE(part.pitch, at_once * kItems) << "scratch of this size";
                    for (std::int64_t column = 0; column < part.columns; ++column) {
                        const auto at = winograd_place(tiles, part, side, column);
                        EXPECT_EQ(at.p % side, 0);
                        EXPECT_EQ(at.q % side, 0);
                        EXPECT_EQ(at.item, column / part.of_item);
                        for (int i = 0; i < side; ++i)
                            for (int j = 0; j < side; ++j) ++times[{at.item, at.p + i, at.q + j}];
                    }
                }
                for (unsigned item = 0; item < kItems; ++item)
                    for (auto p = outputs.y; p < outputs.bottom(); ++p)
                        for (auto q = outputs.x; q < outputs.right(); ++q)
                            EXPECT_EQ((times[{item, p, q}]), 1) << item << ' ' << p << ' ' << q;
                EXPECT_TRUE(std::ranges::all_of(times, [](const auto& one) { return one.second == 1; }));
                EXPECT_LT(std::ssize(times),
                          kItems * (outputs.width + 2 * side) * (outputs.height + 2 * side));
            }
}

TEST(WinogradBanks, ScratchIsLimitedAndPartsAreAboutAsLarge) {
    const auto bank = [](std::int64_t channels, std::int64_t filters) {
        return bank_request({9, 9}, channels, filters, {3, 3}, {});
    };
    const auto small = bank(3, 61);
    EXPECT_EQ(winograd_floats(small, 4), 36 * 64);
    EXPECT_EQ(winograd_tiles_at_once(small, 4, 1), 4);
    EXPECT_EQ(winograd_tiles_at_once(small, 4, 3000), 3000);
    EXPECT_EQ(winograd_tiles_at_once(small, 4, 3640), 3640); // 36 * 64 * 4 * 3640 bytes are 32 MiB
    EXPECT_EQ(winograd_tiles_at_once(small, 4, 3641), 1824);
    EXPECT_EQ(winograd_tiles_at_once(small, 2, 8193), 4100);
    EXPECT_EQ(winograd_tiles_at_once(bank(1 << 20, 1), 2, 100), 4);
    EXPECT_TRUE(winograd_fits(bank(1 << 20, 1), 4));
    EXPECT_FALSE(winograd_fits(bank(1 << 20, 1 << 20), 4));
}

template <typename T>
void expect_weights(std::int64_t filters, std::int64_t terms) {
    std::vector<float> sorted{-1}; // others lie before
    append_gemm_weights<T>(sorted, filters, terms, [&](std::int64_t filter, std::int64_t term) {
        return static_cast<float>(filter * terms + term + 1);
    });
    const auto rows = parts_of(terms, T::kRows) * T::kRows, blocks = parts_of(filters, T::kFilters);
    ASSERT_EQ(std::ssize(sorted), 1 + blocks * rows * T::kFilters);
    for (std::int64_t f = 0; f < filters; ++f)
        for (std::int64_t t = 0; t < terms; ++t)
            ASSERT_EQ(sorted[static_cast<std::size_t>(1 + (f / T::kFilters * rows + t) * T::kFilters +
                                                      f % T::kFilters)],
                      static_cast<float>(f * terms + t + 1));
    EXPECT_EQ(std::ranges::count(sorted, 0.0f), std::ssize(sorted) - 1 - filters * terms);
}

TEST(BankGemms, EveryWeightIsInARowOfItsBlockOnce) {
    for (const std::int64_t filters : {1, 16, 17, 64, 65, 130})
        for (const std::int64_t terms : {1, 8, 16, 17, 33}) {
            expect_weights<GemmOfFew>(filters, terms);
            expect_weights<GemmOfMany>(filters, terms);
        }
}

TEST(WinogradBanks, NeedAToleranceAboveTheErrorThatTheirMethodHas) {
    const auto engine = make_engine();
    const std::map<std::string_view, WinogradMethod> methods{{"winograd", kWinogradF2x2},
                                                             {"winograd_4x4", kWinogradF4x4}};
    int found = 0;
    for (const auto* algorithm : bank_algorithms()) {
        const auto method = methods.find(algorithm->id);
        if (method == methods.end()) continue;
        ++found;
        auto r = bank_request({30, 20}, 4, 5, {3, 3}, testing::ascending(-90, 180));
        EXPECT_NE(algorithm->why_not(r, *engine), "");
        const double error = algorithm->error(r);
        EXPECT_EQ(error, winograd_error(method->second, r));
        r.tolerance = error / 2;
        EXPECT_NE(algorithm->why_not(r, *engine), "");
        r.tolerance = error * 2;
        EXPECT_EQ(algorithm->why_not(r, *engine), "");
        r.dilation.rows = 2;
        EXPECT_NE(algorithm->why_not(r, *engine), "");
    }
    EXPECT_EQ(found, 2);
}

} // namespace
} // namespace kg::gpu
