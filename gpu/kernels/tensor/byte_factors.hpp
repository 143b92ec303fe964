#pragma once
// A kernel as a row of integers and then a column of integers, for two passes over bytes on tensor cores,
// which keep the sums of rows in 16 bits; and the verification, at plan time, that the bytes satisfy
// semantics 11.

#include "core/image/host_device.hpp"
#include "core/request/stage.hpp"
#include "gpu/kernels/tensor/integer_sums.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kg::gpu {

/// Extents of the passes: 16 outputs need a window of `blocks` times 16 samples, which has room for kernels
/// of up to 16 (blocks - 1) + 1 taps in each direction.
inline constexpr int kBlock = 16, kMostBlocks = 5;
inline constexpr int kLongestFactor = kBlock * (kMostBlocks - 1) + 1;

/// weight[i][j] / divisor, or weight[i][j] if exact, is column[i] * row[j] / 2^(row_shift + column_shift),
/// exactly or to within most_off. Both factors are in the order of taps(kernel).
struct ByteFactors {
    std::vector<int> row, column;
    /// The factors are integers of 8 bits, signed, and the sums of rows are exact. Otherwise they have 16
    /// bits, unsigned, and the sums of rows are rounded to 1/256 of a level.
    bool exact = false;
    int row_shift = 0, column_shift = 0;
    /// Exact: added to the sums of rows, so that none is negative; 0 or 2^15.
    int bias = 0;
    /// Rounded: Added to column sums in units of 1/2^column_shift level: the mean of the products that are
    /// left out.
    double left_out = 0;
    /// The sum of the weights, the divisor included; of rounded factors.
    double gain = 1;
    /// The largest error of any result, in levels, and what follows the sums (offset, rounding); 0: bytes are
    /// identical.
    double most_off = 0;
};

/// The factors, or why there are none.
struct ByteFactorsFound {
    std::optional<ByteFactors> factors;
    std::string why_not;
};

/// Exact factors where the kernel has them; otherwise rounded ones whose error is at most 1/64 of a level,
/// whatever the image. Depends on the weights alone. The last result of each thread is cached.
const ByteFactorsFound& byte_factors(const Stage& stage);

/// What follows the sums, as parameters of a launch.
struct ByteFinish {
    bool plain; ///< results lie between 0 and 255, all channels alike
    // rounded factors: a row sum is ((256 high + low) * row_scale + 2^15) / 2^16; the result, plain or not,
    unsigned row_scale;
    unsigned high_scale, scale, add;  ///< (high_scale * high + scale * low + add) / 2^24
    int shift, start, start_of_alpha; ///< (256 high + low + start) / 2^shift
    // exact factors:
    unsigned sign; ///< flips the highest bits of row sums, which adds 2^15 to each
    int bias;      ///< and that to each result's sum
    SumFinish sums;
};

/// `divisor`: of the kernel; `offset`: levels.
ByteFinish byte_finish(const ByteFactors& factors, float divisor, float offset);

// Low and high digit of a rounded weight: number = low + 256 * high. A row's low digit is unsigned. A
// column's is signed, which halves what is lost with the products of low digits.
constexpr int row_digit(int number, int index) { return index == 0 ? number & 255 : number >> 8; }
constexpr int column_digit(int number, int index) {
    const int high = (number + 128) >> 8;
    return index == 0 ? number - 256 * high : high;
}

/// Words of weights, from which each lane takes those of its operands; two digits of both passes. Exact
/// factors have one digit.
struct ByteTables {
    static constexpr int kWords = kBlock * (kMostBlocks + 1), kMostPad = kBlock * (kMostBlocks - 1);
    /// Word i has the digits of taps i - 79 to i - 76: those of a window that begins `pad` <= kMostPad
    /// samples before the first tap are kWords words from kMostPad - pad on.
    std::uint32_t row[2][kWords + kMostPad];
    /// Word i has the digits of taps i - 15, i - 14, i - 7 and i - 6.
    std::uint32_t column[2][kWords];
};

ByteTables byte_tables(const ByteFactors& factors);

// Layout of the operands (gpu/kernels/tensor/mma.cuh; drawn in gpu/algorithms/separable_bytes.cu). In row
// pass and column pass alike, operand A has the weights: its row is an output, its column a sample of the
// window. A word of A begins at place t of a block.

/// The output of a row that row m of the row pass's sums belongs to. After the column pass, in which it is a
/// column, a lane so has four neighbours.
KG_HOST_DEVICE constexpr int place_of(int m) { return (m % 8) / 2 * 4 + m % 2 + m / 8 * 2; }
/// The row, within its block of 16, of byte i in a lane's word of row sums.
KG_HOST_DEVICE constexpr int row_of(int t, int i) { return i / 2 * 8 + 2 * t + i % 2; }
/// Indices of an operand's word among those of a row's window, and in ByteTables::column.
KG_HOST_DEVICE constexpr int row_word(int block, int t, int m) {
    return kBlock * block + 4 * t - place_of(m) + kBlock - 1;
}
KG_HOST_DEVICE constexpr int column_word(int block, int t, int m) {
    return kBlock * block + 2 * t - m + kBlock - 1;
}

} // namespace kg::gpu
