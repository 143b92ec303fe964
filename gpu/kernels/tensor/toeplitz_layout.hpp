#pragma once
// Operands of sparse products on tensor cores (mma.sp m16n8k64) whose matrix of weights is a row of a kernel,
// moved one pixel further with every output: layouts that host and device share, so that tests can carry out
// the products without a GPU.
//
// Blocks are 16 neighbouring pixels of a row. Column n of operand B is a window of 32 pixels from the n-th
// block on, and row m of operand A holds 16 neighbouring taps for output output_of_row(m) of that block. Of
// the pixels i and i + 16 of a window a tap meets exactly one, so if they are neighbours in B, two of every
// four values of A are zero: the sparsity that tensor cores skip at twice the speed. Which two is the
// metadata; it is the same for every kernel. What is left of A is the 16 taps, rotated by the output's place,
// so that a lane cuts its registers out of a table with the taps of each row. Layouts: PTX ISA, "Warp-level
// matrix instructions: mma.sp", m16n8k64 with .u8 / .s8 (lane = 4 group + place).

#include "core/image/host_device.hpp"
#include "gpu/kernels/tensor/digit_weights.hpp"

#include <cstdint>

namespace kg::gpu {

inline constexpr int kTapsOfSet = 16;       // taps of a kernel row that one half of a product sums
inline constexpr int kMostToeplitzSets = 2; // per kernel row
inline constexpr int kMostToeplitzWidth = kTapsOfSet * kMostToeplitzSets, kMostToeplitzHeight = 40;

/// __byte_perm(): the result's byte i is byte (order >> 4 i & 7) of the eight bytes of first and second.
KG_HOST_DEVICE inline std::uint32_t permuted(std::uint32_t first, std::uint32_t second, std::uint32_t order) {
#ifdef __CUDA_ARCH__
    return __byte_perm(first, second, order);
#else
    const std::uint64_t bytes = std::uint64_t{second} << 32 | first;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i)
        result |= static_cast<std::uint32_t>(bytes >> 8 * (order >> 4 * i & 7u) & 0xffu) << 8 * i;
    return result;
#endif
}

/// Four of the eight bytes of low and high, from byte `first` on, 0 to 4.
KG_HOST_DEVICE inline std::uint32_t bytes_from(std::uint32_t low, std::uint32_t high, std::uint32_t first) {
#ifdef __CUDA_ARCH__
    return __funnelshift_rc(low, high, 8 * first);
#else
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> 8 * first);
#endif
}

/// The output of a block, 0 to 15, that row m of operand A computes: a lane, which has the sums of rows g and
/// g + 8, has neighbouring outputs.
KG_HOST_DEVICE constexpr int output_of_row(int m) { return m < 8 ? 2 * m : 2 * (m - 8) + 1; }

/// Byte of a plane's row in which a pixel is stored: words of a block hold pixels 2 q, 2 q + 1, 2 q + 8, 2 q
/// + 9.
KG_HOST_DEVICE constexpr int byte_of_pixel(int pixel) {
    return (pixel & ~15) | (pixel & 6) << 1 | (pixel & 8) >> 2 | (pixel & 1);
}

/// The two words of such rows of eight neighbouring pixels, of which `first` has pixels 0 to 3 and `second`
/// pixels 8 to 11 (or 4 to 7 and 12 to 15) of a block.
struct PlaneWords {
    std::uint32_t low, high;
};
KG_HOST_DEVICE inline PlaneWords plane_words(std::uint32_t first, std::uint32_t second) {
    return {permuted(first, second, 0x5410), permuted(first, second, 0x7632)};
}

/// The two registers of operand B in which a lane has a window: from its word of the window's first block and
/// of the second.
struct WindowRegisters {
    std::uint32_t low, high;
};
KG_HOST_DEVICE inline WindowRegisters window_registers(std::uint32_t first, std::uint32_t second) {
    return {permuted(first, second, 0x5140), permuted(first, second, 0x7362)};
}

/// A lane's metadata: bits 4 n to 4 n + 3 are the places of the two values of group n (lanes with place 2 and
/// 3: n + 8) of row g, or g + 8 of odd lanes, lowest first. Groups 0 to 7 and 8 to 15 are the two halves of a
/// product, which are alike.
KG_HOST_DEVICE constexpr std::uint32_t toeplitz_metadata(int lane) {
    const int first_tap = output_of_row((lane >> 2) + 8 * (lane & 1));
    // Of a group, both values, one or none belong to the window's second half: places 1 and 3, 1 and 2, 0 and
    // 2.
    const int both = 4 * (first_tap / 2);
    const auto one = static_cast<std::uint32_t>(first_tap & 1);
    return 0x88888888u | (0x55555555u & ((1u << both) - 1)) | one << both;
}

/// The two registers of operand A that hold 16 taps: of row g and of row g + 8.
struct TapRegisters {
    std::uint32_t even, odd;
};

/// Byte of 16 taps, taken as a ring, at which a lane's register of row g + 8 begins. That of row g begins one
/// later.
KG_HOST_DEVICE constexpr int first_tap_of_lane(int lane) {
    return (4 * (lane & 3) - output_of_row((lane >> 2) + 8)) & (kTapsOfSet - 1);
}
/// The word of the ring that contains it.
KG_HOST_DEVICE constexpr int tap_word_of_lane(int lane) { return first_tap_of_lane(lane) >> 2; }

/// From that word and the next one.
KG_HOST_DEVICE inline TapRegisters tap_registers(int lane, std::uint32_t word, std::uint32_t next) {
    const auto begin = static_cast<std::uint32_t>(first_tap_of_lane(lane) & 3);
    return {bytes_from(word, next, begin + 1), bytes_from(word, next, begin)};
}

/// Of the 128 outputs of a row that a warp computes, a lane has four, i = 0 to 3: output 2 g and its
/// neighbour of block 2 t, and those of the next block. Output i is the sum sum_of_output(i) of a product
/// (gpu/kernels/tensor/mma.cuh), whose columns are blocks.
KG_HOST_DEVICE constexpr int output_of_lane(int lane, int i) {
    return (lane & 3) * 32 + (i >> 1) * 16 + (lane >> 2) * 2 + (i & 1);
}
KG_HOST_DEVICE constexpr int sum_of_output(int i) { return (i & 1) * 2 + (i >> 1); }

/// Digits of a kernel as signed bytes [row][digit][set][16], zero where there is no tap.
struct alignas(16) ToeplitzTaps {
    std::int8_t bytes[kMostToeplitzHeight * kMostDigits * kMostToeplitzWidth];
};

/// The digits of a kernel of the given extents. The first tap of each row follows `lead` zeros; lead + width
/// <= 16 sets.
void lay_out(const DigitWeights& weights, int width, int height, int lead, int sets, ToeplitzTaps& taps);

} // namespace kg::gpu
