// Separable filters of bytes on tensor cores: the bound on their error, and the layout of operands in both
// passes. The products are written here from the PTX ISA, "Matrix Fragments for mma.m16n8k16 / m16n8k32 with
// integer type", and the device's operations around them are repeated (gpu/algorithms/separable_bytes.cu), so
// that this runs without a GPU.

#include "core/image/weights.hpp"
#include "core/request/sample.hpp"
#include "core/request/separate.hpp"
#include "gpu/kernels/tensor/byte_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

namespace kg::gpu {
namespace {

constexpr double kMostOff = 1.0 / 64;
constexpr int kLanes = 32;

Stage stage_of(Kernel kernel) {
    Stage stage;
    stage.kernels = {std::move(kernel)};
    return stage;
}

Stage gaussian(double sigma, int width, int height) {
    std::vector<float> weights;
    for (const double p : gaussian_profile(sigma, height))
        for (const double q : gaussian_profile(sigma, width)) weights.push_back(static_cast<float>(p * q));
    auto stage = stage_of(make_kernel(width, height, std::move(weights)));
    stage.generator = GaussianGenerator{sigma, width, height};
    return stage;
}

/// The product of a column and a row.
Stage product(const std::vector<float>& column, const std::vector<float>& row, float divisor = 1) {
    std::vector<float> weights;
    for (const float c : column)
        for (const float r : row) weights.push_back(c * r);
    return stage_of(make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()),
                                std::move(weights), divisor));
}

Stage box(int width, int height) {
    const auto ones = [](int n) { return std::vector<float>(static_cast<std::size_t>(n), 1); };
    return product(ones(height), ones(width), static_cast<float>(width * height));
}

std::vector<float> pascal_row(int size) {
    std::vector<float> row{1};
    while (static_cast<int>(row.size()) < size) {
        row.push_back(0);
        for (std::size_t i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
    }
    return row;
}

Stage binomial(int size) {
    return product(pascal_row(size), pascal_row(size), std::ldexp(1.0f, 2 * (size - 1)));
}

int number(const std::uint32_t word, int byte, bool is_signed) {
    const auto bits = static_cast<std::uint8_t>(word >> 8 * byte);
    return is_signed ? static_cast<std::int8_t>(bits) : bits;
}

using Sums = std::array<std::array<int, 4>, kLanes>; // the four sums of each lane
/// Register r of lane l.
using Operand = std::function<std::uint32_t(int lane, int r)>;

/// sums += a * b for m16n8k32, or for m16n8k16 if `inner` is 16. `is_signed`: the bytes of a; those of b are
/// not.
void multiply_add(Sums& sums, int inner, bool is_signed, const Operand& a, const Operand& b) {
    std::vector<int> first(static_cast<std::size_t>(16 * inner)), second(static_cast<std::size_t>(inner * 8));
    for (int lane = 0; lane < kLanes; ++lane) {
        const int g = lane / 4, t = lane % 4;
        for (int i = 0; i < inner / 2; ++i) { // the elements of a, in the order of the ISA
            const int row = (i / 4) % 2 == 0 ? g : g + 8, column = t * 4 + (i & 3) + (i < 8 ? 0 : 16);
            first[static_cast<std::size_t>(row * inner + column)] = number(a(lane, i / 4), i % 4, is_signed);
        }
        for (int i = 0; i < inner / 4; ++i) {
            const int row = t * 4 + (i & 3) + (i < 4 ? 0 : 16);
            second[static_cast<std::size_t>(row * 8 + g)] = number(b(lane, i / 4), i % 4, false);
        }
    }
    for (int lane = 0; lane < kLanes; ++lane)
        for (int i = 0; i < 4; ++i) {
            const int row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1);
            for (int k = 0; k < inner; ++k)
                sums[static_cast<std::size_t>(lane)][static_cast<std::size_t>(i)] +=
                    first[static_cast<std::size_t>(row * inner + k)] *
                    second[static_cast<std::size_t>(k * 8 + column)];
        }
}

/// sums += band * words of a window of `blocks`. index(block, t, m): place of a word in the table.
void add_products(Sums& sums, int blocks, bool is_signed, const std::uint32_t* table,
                  int (*index)(int block, int t, int m), const Operand& word) {
    for (int block = 0; block < blocks; block += 2) {
        const int inner = block + 1 < blocks ? 32 : 16;
        multiply_add(
            sums, inner, is_signed,
            [&](int lane, int r) { return table[index(block + r / 2, lane % 4, lane / 4 + 8 * (r % 2))]; },
            [&](int lane, int r) { return word(lane, block + r); });
    }
}

/// A window of samples: 16 outputs and what they reach, in both directions.
struct Window {
    int blocks;
    std::vector<std::uint8_t> samples = std::vector<std::uint8_t>(
        static_cast<std::size_t>(256 * blocks * blocks));
    std::uint8_t& at(int y, int x) { return samples[static_cast<std::size_t>(y * 16 * blocks + x)]; }
};

struct Output {
    int byte = 0;
    double value = 0; ///< before it was rounded
};
using Outputs = std::array<std::array<Output, 16>, 16>;

std::uint32_t bytes_of(int a, int b, int c, int d) {
    return static_cast<std::uint32_t>(a | b << 8 | c << 16 | d << 24);
}

/// What follows the column sums of high and of low bytes.
Output finish_sum(const ByteFactors& f, const ByteFinish& finish, float divisor, float offset, int high,
                  int low) {
    if (f.exact) {
        const auto sum = static_cast<float>(256 * high + low - finish.bias);
        const auto divided = [&] {
            const float q = sum * finish.sums.reciprocal;
            const float near = std::fma(std::fma(-divisor, q, sum), finish.sums.reciprocal, q);
            return std::fma(std::fma(-divisor, near, sum), finish.sums.reciprocal, near) + offset;
        };
        const float value = finish.sums.rounding == SumRounding::divide
                                ? divided()
                                : std::fma(sum, finish.sums.reciprocal, offset);
        return {std::clamp(std::bit_cast<int>(value * 0x1p-149f), 0, 255), static_cast<double>(value)};
    }
    const double value = std::ldexp(256.0 * high + low + f.left_out, -f.column_shift) +
                         static_cast<double>(offset);
    const int shifted = (256 * high + low + finish.start) >> finish.shift;
    const auto top = static_cast<unsigned>(high) * finish.high_scale +
                     (static_cast<unsigned>(low) * finish.scale + finish.add);
    if (finish.plain) {
        EXPECT_EQ(static_cast<int>(top >> 24), shifted);
    }
    return {std::clamp(shifted, 0, 255), value};
}

/// A word of each lane, for the columns of sums 0 and 1 (j = 0) and of 2 and 3.
using Words = std::array<std::array<std::uint32_t, kLanes>, 2>;

/// The row pass of 8 rows of a window.
Sums sum_rows(const ByteFactors& f, const ByteFinish& finish, const ByteTables& tables, int pad,
              Window& window, int first) {
    std::array<Sums, 2> digits{};
    for (int d = 0; d < (f.exact ? 1 : 2); ++d)
        add_products(digits[static_cast<std::size_t>(d)], window.blocks, f.exact,
                     tables.row[d] + ByteTables::kMostPad - pad, row_word, [&](int lane, int block) {
                         const int y = first + lane / 4, x = 16 * block + lane % 4 * 4;
                         return bytes_of(window.at(y, x), window.at(y, x + 1), window.at(y, x + 2),
                                         window.at(y, x + 3));
                     });
    Sums sums{};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        for (std::size_t e = 0; e < 4; ++e) {
            const auto low = static_cast<unsigned>(digits[0][lane][e]),
                       high = static_cast<unsigned>(digits[1][lane][e]);
            auto& sum = sums[lane][e];
            if (f.exact) sum = digits[0][lane][e] + f.bias;
            else
                sum = static_cast<int>(
                    (high * (256 * finish.row_scale) + (low * finish.row_scale + 0x8000u)) >> 16);
            EXPECT_TRUE(sum >= 0 && sum < 65536) << "16 bits hold the sum of a row";
        }
    return sums;
}

/// One unit of a warp: 16 x 16 outputs.
Outputs emulate(const ByteFactors& f, float divisor, float offset, int pad, Window& window) {
    const int blocks = window.blocks, digits = f.exact ? 1 : 2;
    const auto finish = byte_finish(f, divisor, offset);
    const auto tables = byte_tables(f);
    std::vector<Words> high(static_cast<std::size_t>(blocks)), low = high; // one entry for each block of rows
    for (int block = 0; block < blocks; ++block) {
        const auto first = sum_rows(f, finish, tables, pad, window, 16 * block),
                   second = sum_rows(f, finish, tables, pad, window, 16 * block + 8);
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t j = 0; j < 2; ++j) {
                const std::array four{first[lane][2 * j], first[lane][2 * j + 1], second[lane][2 * j],
                                      second[lane][2 * j + 1]};
                high[static_cast<std::size_t>(block)][j][lane] = bytes_of(four[0] >> 8, four[1] >> 8,
                                                                          four[2] >> 8, four[3] >> 8);
                low[static_cast<std::size_t>(block)][j][lane] = bytes_of(four[0] & 255, four[1] & 255,
                                                                         four[2] & 255, four[3] & 255);
            }
    }
    Outputs outputs;
    for (std::size_t j = 0; j < 2; ++j) {
        const auto high_word = [&](int lane, int block) {
            return high[static_cast<std::size_t>(block)][j][static_cast<std::size_t>(lane)];
        };
        const auto low_word = [&](int lane, int block) {
            return low[static_cast<std::size_t>(block)][j][static_cast<std::size_t>(lane)];
        };
        Sums of_high{}, of_low{};
        add_products(of_high, blocks, f.exact, tables.column[digits - 1], column_word, high_word);
        add_products(of_low, blocks, f.exact, tables.column[digits - 1], column_word, low_word);
        if (!f.exact) add_products(of_low, blocks, true, tables.column[0], column_word, high_word);
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t e = 0; e < 4; ++e) // as stored: four neighbouring pixels of a lane
                outputs[lane / 4 + 8 * (e / 2)][lane % 4 * 4 + 2 * j + e % 2] = finish_sum(
                    f, finish, divisor, offset, of_high[lane][e], of_low[lane][e]);
    }
    return outputs;
}

/// The plain sum of the window's samples for one output, over the listed weights.
double plain_sum(const Taps& t, Window& window, int y, int x, int pad) {
    double sum = 0;
    for (int i = 0; i < t.height; ++i)
        for (int j = 0; j < t.width; ++j)
            sum += static_cast<double>(t.at(i, j)) * window.at(y + i, x + j + pad);
    return sum;
}

/// Compares all 256 outputs of a window.
void expect_right(const Stage& stage, const ByteFactors& f, int pad, Window& window) {
    const auto& kernel = stage.kernels.front();
    const auto t = taps(kernel);
    const float offset = kernel.offset * 255;
    const auto outputs = emulate(f, kernel.divisor, offset, pad, window);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
            const double sum = plain_sum(t, window, y, x, pad);
            const auto& output = outputs[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
            if (f.most_off == 0) {
                const int expected = SampleTraits<std::uint8_t>::from(
                    static_cast<float>(sum) / kernel.divisor + offset);
                ASSERT_EQ(output.byte, expected) << x << ", " << y;
                continue;
            }
            const double value = sum / static_cast<double>(kernel.divisor) + static_cast<double>(offset);
            ASSERT_LE(std::fabs(output.value - value), f.most_off) << x << ", " << y;
            ASSERT_LE(std::fabs(output.byte - std::clamp(value, 0.0, 255.0)), 0.5 + f.most_off)
                << x << ", " << y;
        }
}

/// White where the factors' product is larger than the weight, or where it is smaller: the sums of all errors
/// of one sign.
void fill_with_worst(const Stage& stage, const ByteFactors& f, int pad, bool larger, Window& window) {
    const auto t = taps(stage.kernels.front());
    const double unit = std::ldexp(1.0, -f.row_shift - f.column_shift);
    for (int i = 0; i < t.height; ++i)
        for (int j = 0; j < t.width; ++j) {
            const double of_factors = f.column[static_cast<std::size_t>(i)] *
                                      static_cast<double>(f.row[static_cast<std::size_t>(j)]) * unit,
                         off = of_factors - static_cast<double>(t.at(i, j)) /
                                                static_cast<double>(stage.kernels.front().divisor);
            window.at(8 + i, 8 + j + pad) = (off > 0) == larger ? 255 : 0;
        }
}

void expect_right(const Stage& stage) {
    const auto& answer = byte_factors(stage);
    ASSERT_TRUE(answer.factors) << answer.why_not;
    const auto f = *answer.factors;
    const auto longest = static_cast<int>(std::max(f.row.size(), f.column.size()));
    const int room = longest <= 17 ? 2 : longest <= 33 ? 3 : kMostBlocks;
    std::mt19937 random(static_cast<unsigned>(longest));
    for (const int blocks : {room, kMostBlocks})
        for (const int pad : {0, 16 * (blocks - 1) - static_cast<int>(f.row.size()) + 1}) {
            Window window{blocks};
            for (auto& v : window.samples) v = static_cast<std::uint8_t>(random());
            expect_right(stage, f, pad, window);
            for (auto& v : window.samples) v = random() % 2 ? 255 : 0;
            expect_right(stage, f, pad, window);
            std::ranges::fill(window.samples, std::uint8_t{255});
            expect_right(stage, f, pad, window);
            for (const bool larger : {true, false}) {
                std::ranges::fill(window.samples, larger ? std::uint8_t{0} : std::uint8_t{255});
                fill_with_worst(stage, f, pad, larger, window);
                expect_right(stage, f, pad, window);
            }
            if (::testing::Test::HasFatalFailure()) return;
        }
}

TEST(ByteFactors, GaussiansAreWithinTheirBound) {
    for (const double sigma : {0.5, 0.8, 1.0, 1.7, 2.0, 3.3, 5.0, 7.5, 10.0, 15.0})
        for (const int size : {2 * static_cast<int>(std::ceil(4 * sigma)) + 1, 3, 9, 15, 16, 31, 63}) {
            SCOPED_TRACE(std::to_string(sigma) + " of size " + std::to_string(size));
            if (size > kLongestFactor) continue;
            const auto stage = gaussian(sigma, size, size);
            const auto& answer = byte_factors(stage);
            ASSERT_TRUE(answer.factors) << answer.why_not;
            EXPECT_GT(answer.factors->most_off, 0);
            EXPECT_LE(answer.factors->most_off, kMostOff);
        }
    for (const auto& [sigma, width, height] : std::vector<std::array<double, 3>>{
             {0.5, 5, 5}, {1.4, 3, 9}, {2, 17, 17}, {3.1, 24, 27}, {5, 31, 31}, {10, 63, 65}, {15, 65, 1}}) {
        SCOPED_TRACE(sigma);
        expect_right(gaussian(sigma, static_cast<int>(width), static_cast<int>(height)));
    }
}

TEST(ByteFactors, OtherWeightsAreRoundedWithinTheirBound) {
    std::mt19937 random(5);
    const auto factor = [&](int size) {
        std::vector<float> values;
        for (int i = 0; i < size; ++i) values.push_back(static_cast<float>(random() % 1000) / 997.0f);
        return values;
    };
    for (const auto& [width, height] : {std::pair{3, 3}, {9, 2}, {17, 33}, {1, 40}}) {
        auto stage = product(factor(height), factor(width));
        // Saturates.
        stage.kernels.front().divisor = static_cast<float>(dc_gain(stage.kernels.front())) * 0.9f;
        stage.kernels.front().offset = 0.1f;
        expect_right(stage);
        stage.kernels.front().offset = 0;
        stage.kernels.front().flip = true;
        expect_right(stage);
        stage.kernels.front().divisor *= -1;
        for (float& w : stage.kernels.front().weights) w *= -1;
        expect_right(stage);
    }
}

TEST(ByteFactors, IntegersThatFitAreExact) {
    std::vector<Stage> all;
    for (const int size : {1, 2, 3, 4, 9, 16, 17, 18, 31, 33, 34, 63, 65}) all.push_back(box(size, size));
    all.push_back(box(7, 64));
    for (int size = 2; size <= 9; ++size) all.push_back(binomial(size));
    all.push_back(product({1, 2, 1}, {-1, 0, 1}, 4));
    all.push_back(product({-1, -2, 0, 2, 1}, {1, 2, 0, -2, -1}, 3));
    all.push_back(product({-127, 126}, {-127, 1, 127}, 77));
    all.push_back(product({2, -100, 50}, {127, 127, 3}, -1000));
    all.back().kernels.front().offset = 0.3f;
    all.back().kernels.front().flip = true;
    for (const auto& stage : all) {
        SCOPED_TRACE(std::to_string(stage.kernels.front().width) + " / " +
                     std::to_string(static_cast<double>(stage.kernels.front().divisor)));
        const auto& answer = byte_factors(stage);
        ASSERT_TRUE(answer.factors) << answer.why_not;
        EXPECT_TRUE(answer.factors->exact);
        EXPECT_EQ(answer.factors->most_off, 0);
        expect_right(stage);
    }
}

TEST(ByteFactors, BinomialsBeyondExactSumsAreRounded) {
    for (const int size : {11, 16, 31}) {
        const auto stage = binomial(size);
        const auto& answer = byte_factors(stage);
        ASSERT_TRUE(answer.factors) << size << ": " << answer.why_not;
        EXPECT_FALSE(answer.factors->exact);
        expect_right(stage);
    }
}

TEST(ByteFactors, WhatTheyCannotDoIsRefusedWithAReason) {
    auto combined = stage_of(make_kernel(3, 1, {-1, 0, 1}));
    combined.combine = Combine::l2;
    auto loud = gaussian(2, 9, 9);
    loud.kernels.front().divisor = 0.1f;
    for (const auto& stage : {combined, loud, generated_stage(BoxGenerator{1101, 3}), gaussian(10, 67, 3),
                              box(66, 1), product({0.2f, 0.8f}, {-0.3f, 0.1f, 0.7f}), // negative, no integers
                              stage_of(make_kernel(2, 2, {1, 2, 3, 4})),              // rank 2
                              stage_of(make_kernel(2, 2, {0.11f, 0.2f, 0.3f, 0.41f})), // rank 2
                              product({1, 2}, {200, 1}), product({1}, {100, 99, 100}),
                              product({1}, {-100, -100, 1}), stage_of(make_kernel(2, 1, {0, 0}))}) {
        const auto& answer = byte_factors(stage);
        EXPECT_FALSE(answer.factors);
        EXPECT_FALSE(answer.why_not.empty());
    }
}

TEST(ByteFactors, AreThoseOfTheStageAskedFor) { // not of the previous one
    for (int i = 0; i < 2; ++i)
        for (const int size : {3, 5})
            EXPECT_EQ(byte_factors(box(size, size)).factors->row.size(), static_cast<std::size_t>(size));
}

} // namespace
} // namespace kg::gpu
