#pragma once
// The weights of `patches` as operand A of its products (gpu/algorithms/patches.cu).

#include "core/request/kernel.hpp"
#include "gpu/kernels/tensor/digit_weights.hpp"

#include <cstdint>
#include <span>

namespace kg::gpu {

/// Products of one digit that sum a square of `k` x `k` taps for two rows of outputs: each has two rows of
/// input.
constexpr int patch_steps(int k) { return (k + 1) / 2; }

/// Bytes of the operands of one product in a warp: 32 lanes of 4 registers.
inline constexpr int kFragmentBytes = 512;

/// Fills `fragments`, patch_steps(k) * digits * kFragmentBytes bytes: the operand of step s and digit d
/// begins at (s * digits + d) * kFragmentBytes, 16 bytes a lane. `taps` gives the place of the weights, which
/// must lie in the square of k x k around the output; k is odd and at most 9. The input begins `before`
/// pixels before the patch, from k / 2 to 8 - k / 2.
///
/// Row m of the operand (16) is an output of a patch of 8 x 2: row m % 8 / 4, column m % 4 * 2 + m / 8.
/// Column n (32) is an input pixel: row 2 s + n / 16 of the square of the patch's first row, column n % 16 -
/// before of the patch.
void make_patch_fragments(const DigitWeights& weights, const Taps& taps, int k, int before,
                          std::span<std::int8_t> fragments);

} // namespace kg::gpu
