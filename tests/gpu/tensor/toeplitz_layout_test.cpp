// The operands of `toeplitz`, multiplied without a GPU: the product is written from the PTX ISA's description
// of mma.sp, the operands come from the functions that the kernel calls, and the sums are compared with the
// convolution.

#include "gpu/kernels/tensor/toeplitz_layout.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace kg::gpu {
namespace {

constexpr int kLanes = 32, kAcross = 128, kTilePixels = kAcross + 2 * kTapsOfSet;

/// Registers of a warp.
using Four = std::uint32_t[kLanes][4];
using Sums = std::int32_t[kLanes][4];

template <typename Byte>
Byte byte_of(std::uint32_t word, int i) {
    return static_cast<Byte>(word >> 8 * i);
}

/// sums += a * b as mma.sp::ordered_metadata.m16n8k64.s32.s8.u8.s32 with sparsity selector 0. PTX ISA,
/// 9.7.14.6: "Sparse matrix storage" and "Matrix Fragments for sparse mma.m16n8k64 with .u8 / .s8 integer
/// type".
void multiply_add_sparse(Sums& sums, const Four& a, const Four& b, const std::uint32_t (&metadata)[kLanes]) {
    for (int row = 0; row < 16; ++row)
        for (int stored = 0; stored < 32; ++stored) {
            const int group = stored / 2, lane = 4 * (row % 8) + stored % 16 / 4,
                      reg = row / 8 + 2 * (stored / 16);
            const auto value = byte_of<std::int8_t>(a[lane][reg], stored % 4);
            const auto places = metadata[4 * (row % 8) + row / 8 + 2 * (group / 8)] >> 4 * (group % 8) & 15u;
            ASSERT_LT(places & 3u, places >> 2) << "metadata is ordered";
            const int k = 4 * group + static_cast<int>(stored % 2 == 0 ? places & 3u : places >> 2);
            for (int column = 0; column < 8; ++column) {
                const auto sample = byte_of<std::uint8_t>(b[4 * column + k % 16 / 4][k / 16], k % 4);
                sums[4 * (row % 8) + column / 2][row / 8 * 2 + column % 2] += value * sample;
            }
        }
}

struct Tile {
    std::uint8_t pixels[kMostToeplitzHeight + 2][kTilePixels];
    std::uint32_t planes[kMostToeplitzHeight + 2][kTilePixels / 4 + 8] = {};

    explicit Tile(std::mt19937& random) {
        for (int y = 0; y < kMostToeplitzHeight + 2; ++y)
            for (int x = 0; x < kTilePixels; ++x) {
                pixels[y][x] = static_cast<std::uint8_t>(random());
                reinterpret_cast<std::uint8_t*>(planes[y])[byte_of_pixel(x)] = pixels[y][x];
            }
    }
};

struct RowCase {
    DigitWeights weights;
    int width, height, lead, sets;
};

TapRegisters registers_of(const RowCase& c, const ToeplitzTaps& taps, int lane, int row, int d, int set) {
    if (row < 0 || row >= c.height) return {0, 0};
    std::uint32_t ring[4];
    std::memcpy(ring, taps.bytes + ((row * c.weights.digits + d) * c.sets + set) * kTapsOfSet, sizeof ring);
    const int word = tap_word_of_lane(lane);
    return tap_registers(lane, ring[word], ring[(word + 1) % 4]);
}

/// Adds the product of digit d of kernel row `row` with the tile's row below it: with one set, of this row
/// and the next one.
void add_rows(const RowCase& c, const ToeplitzTaps& taps, const Tile& tile, int tile_row, int row, int d,
              Sums& sums) {
    Four a, b;
    std::uint32_t metadata[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const bool two_rows = c.sets == 1;
        const auto first = registers_of(c, taps, lane, row, d, 0),
                   second = registers_of(c, taps, lane, row + two_rows, d, !two_rows);
        const std::uint32_t own_a[] = {first.even, first.odd, second.even, second.odd};
        const auto* upper = tile.planes[tile_row] + lane;
        const auto* lower = two_rows ? tile.planes[tile_row + 1] + lane : upper + 4;
        const auto one = window_registers(upper[0], upper[4]), other = window_registers(lower[0], lower[4]);
        const std::uint32_t own_b[] = {one.low, one.high, other.low, other.high};
        std::memcpy(a[lane], own_a, sizeof own_a);
        std::memcpy(b[lane], own_b, sizeof own_b);
        metadata[lane] = toeplitz_metadata(lane);
    }
    multiply_add_sparse(sums, a, b, metadata);
}

/// `parity` 1: an odd output row, for which a product of two rows begins in the middle.
void expect_convolution(const RowCase& c, const Tile& tile, int parity) {
    static ToeplitzTaps taps;
    lay_out(c.weights, c.width, c.height, c.lead, c.sets, taps);
    std::int64_t results[kLanes][4] = {};
    for (int d = c.weights.digits - 1; d >= 0; --d) {
        Sums sums = {};
        if (c.sets == 2)
            for (int i = 0; i < c.height; ++i) add_rows(c, taps, tile, i + parity, i, d, sums);
        else
            for (int i = 0; 2 * i - parity < c.height; ++i)
                add_rows(c, taps, tile, 2 * i, 2 * i - parity, d, sums);
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < 4; ++i)
                results[lane][i] = results[lane][i] * 256 + sums[lane][sum_of_output(i)];
    }
    for (int lane = 0; lane < kLanes; ++lane)
        for (int i = 0; i < 4; ++i) {
            std::int64_t expected = 0;
            for (int y = 0; y < c.height; ++y)
                for (int x = 0; x < c.width; ++x)
                    expected += std::int64_t{c.weights.numbers[static_cast<std::size_t>(y * c.width + x)]} *
                                tile.pixels[y + parity][output_of_lane(lane, i) + c.lead + x];
            ASSERT_EQ(results[lane][i], expected)
                << c.width << " x " << c.height << ", " << c.weights.digits << " digits, lead " << c.lead
                << ", parity " << parity << ", lane " << lane << ", output " << i;
        }
}

TEST(ToeplitzLayout, ProductsAreTheConvolution) {
    constexpr std::int32_t kLargest[] = {127, 32639, 8355711};
    std::mt19937 random(5);
    const Tile tile(random);
    for (int width = 1; width <= kMostToeplitzWidth; ++width)
        for (const int height : {1, 2, 3, 8, 15, 31, kMostToeplitzHeight}) {
            const int digits = 1 + static_cast<int>(random() % kMostDigits);
            RowCase c{{{{}, 0, 0}, digits}, width, height, 0, width <= kTapsOfSet ? 1 : 2};
            for (int i = 0; i < width * height; ++i) {
                const auto largest = kLargest[digits - 1];
                c.weights.numbers.push_back(
                    static_cast<std::int32_t>(random() % (2u * static_cast<unsigned>(largest) + 2)) -
                    largest - 1);
            }
            for (; c.lead < 4 && c.lead + width <= c.sets * kTapsOfSet; ++c.lead)
                for (const int parity : {0, 1}) expect_convolution(c, tile, parity);
        }
}

TEST(ToeplitzLayout, EveryOutputBelongsToOneLane) {
    int count[kAcross] = {};
    for (int lane = 0; lane < kLanes; ++lane)
        for (int i = 0; i < 4; ++i) ++count[output_of_lane(lane, i)];
    for (const int n : count) EXPECT_EQ(n, 1);
}

TEST(ToeplitzLayout, WordsOfAPlaneAreItsPixelsInPlace) {
    for (int block = 0; block < 2; ++block)
        for (int quad = 0; quad < 2; ++quad) { // pixels 4 quad to 4 quad + 3 of a block, and those 8 further
            std::uint8_t row[32] = {};
            const auto words = plane_words(0x03020100, 0x0b0a0908);
            const std::uint32_t both[] = {words.low, words.high};
            std::memcpy(row + 16 * block + 8 * quad, both, sizeof both);
            for (const int pixel : {0, 1, 2, 3, 8, 9, 10, 11})
                EXPECT_EQ(row[byte_of_pixel(16 * block + 4 * quad + pixel)], pixel);
        }
}

TEST(ToeplitzLayout, DigitsAreSignedBytesBehindTheLead) {
    const DigitWeights weights{{{300, -129}, 0, 0}, 2};
    ToeplitzTaps taps;
    lay_out(weights, 2, 1, 3, 1, taps);
    const std::int8_t expected[2][kTapsOfSet] = {{0, 0, 0, 44, 127}, {0, 0, 0, 1, -1}};
    EXPECT_EQ(std::memcmp(taps.bytes, expected, sizeof expected), 0);
}

} // namespace
} // namespace kg::gpu
