// The operands of `patches`: products of them with the words of an image, emulated with the layout that the
// PTX ISA documents for mma.m16n8k32 with bytes, are the plain integer convolution. Runs without a GPU.

#include "gpu/kernels/tensor/patch_fragments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kg::gpu {
namespace {

constexpr int kColumns = 64, kMargin = 8;

/// Registers of a warp, as bytes: [lane][register][byte].
using OperandA = std::int8_t[32][4][4];
using OperandB = std::uint8_t[32][2][4];
using Sums = std::int32_t[32][4];

/// PTX ISA, matrix fragments for mma.m16n8k32: element i of a lane's registers, counted byte by byte.
void multiply_add(const OperandA& a, const OperandB& b, Sums& sums) {
    std::int32_t left[16][32], right[32][8];
    for (int lane = 0; lane < 32; ++lane) {
        const int group = lane >> 2, in_group = lane % 4;
        for (int i = 0; i < 16; ++i) {
            const int row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
            const int column = in_group * 4 + (i & 3) + (i < 8 ? 0 : 16);
            left[row][column] = a[lane][i / 4][i % 4];
        }
        for (int i = 0; i < 8; ++i)
            right[in_group * 4 + (i & 3) + (i < 4 ? 0 : 16)][group] = b[lane][i / 4][i % 4];
    }
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 4; ++i) {
            const int row = i < 2 ? lane >> 2 : (lane >> 2) + 8, column = lane % 4 * 2 + (i & 1);
            for (int n = 0; n < 32; ++n) sums[lane][i] += left[row][n] * right[n][column];
        }
}

/// Rows of pixels of one channel: [row][kMargin + column].
using Pixels = std::vector<std::vector<std::uint8_t>>;

/// What a warp computes of two rows of outputs, the first of them at row k / 2 of the pixels: [row][column].
std::vector<std::vector<std::int64_t>> by_patches(const DigitWeights& weights, const Taps& taps, int k,
                                                  int before, const Pixels& pixels) {
    std::vector<std::int8_t> fragments(
        static_cast<std::size_t>(patch_steps(k) * weights.digits * kFragmentBytes));
    make_patch_fragments(weights, taps, k, before, fragments);
    std::vector<std::vector<std::int64_t>> result(2, std::vector<std::int64_t>(kColumns));
    std::int64_t unit = 1;
    for (int d = 0; d < weights.digits; ++d, unit *= 256) {
        Sums sums{};
        for (int s = 0; s < patch_steps(k); ++s) {
            OperandA a;
            OperandB b;
            for (int lane = 0; lane < 32; ++lane) {
                for (int i = 0; i < 16; ++i)
                    a[lane][i / 4][i % 4] = fragments[static_cast<std::size_t>(
                        (s * weights.digits + d) * kFragmentBytes + lane * 16 + i)];
                for (int i = 0; i < 8; ++i) {
                    const auto& row = pixels[static_cast<std::size_t>(2 * s + i / 4)];
                    b[lane][i / 4][i % 4] =
                        row[static_cast<std::size_t>(kMargin + lane / 4 * 8 + lane % 4 * 4 - before + i % 4)];
                }
            }
            multiply_add(a, b, sums);
        }
        for (int lane = 0; lane < 32; ++lane)
            for (int e = 0; e < 4; ++e) { // as `patches` stores them
                const int g = lane / 4, t = lane % 4, column = 16 * t + 8 * (e % 2) + g % 4 * 2 + e / 2;
                result[static_cast<std::size_t>(g / 4)][static_cast<std::size_t>(column)] += unit *
                                                                                             sums[lane][e];
            }
    }
    return result;
}

TEST(PatchFragments, ProductsWithThemAreTheConvolution) {
    std::mt19937 random(7);
    const auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    constexpr std::int32_t kLargest[] = {127, 127 * 257, 127 * 65793};
    for (const int k : {3, 5, 7, 9})
        for (int digits = 1; digits <= 3; ++digits)
            for (int run = 0; run < 40; ++run) {
                Taps taps;
                taps.anchor_x = pick(0, k / 2), taps.anchor_y = pick(0, k / 2);
                taps.width = taps.anchor_x + 1 + pick(0, k / 2),
                taps.height = taps.anchor_y + 1 + pick(0, k / 2);
                if (run == 0) taps.width = taps.height = k, taps.anchor_x = taps.anchor_y = k / 2;
                DigitWeights weights;
                weights.digits = digits;
                const auto largest = kLargest[digits - 1];
                for (int i = 0; i < taps.width * taps.height; ++i)
                    weights.numbers.push_back(run == 1   ? -largest - 1
                                              : run == 2 ? largest
                                                         : pick(-largest - 1, largest));
                Pixels pixels(static_cast<std::size_t>(k + 1),
                              std::vector<std::uint8_t>(kColumns + 2 * kMargin));
                for (auto& row : pixels)
                    for (auto& pixel : row) pixel = static_cast<std::uint8_t>(run < 3 ? 255 : pick(0, 255));
                const auto result = by_patches(weights, taps, k, k / 2 + run % (9 - k / 2 * 2), pixels);
                for (int y = 0; y < 2; ++y)
                    for (int x = 0; x < kColumns; ++x) {
                        std::int64_t expected = 0;
                        for (int i = 0; i < taps.height; ++i)
                            for (int j = 0; j < taps.width; ++j)
                                expected +=
                                    std::int64_t{
                                        weights.numbers[static_cast<std::size_t>(i * taps.width + j)]} *
                                    pixels[static_cast<std::size_t>(y + k / 2 + i - taps.up())]
                                          [static_cast<std::size_t>(kMargin + x + j - taps.left())];
                        ASSERT_EQ(result[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)], expected)
                            << k << " digits " << digits << " at " << x << ", " << y << " of " << taps.width
                            << " x " << taps.height << " anchored at " << taps.anchor_x << ", "
                            << taps.anchor_y;
                    }
            }
}

} // namespace
} // namespace kg::gpu
