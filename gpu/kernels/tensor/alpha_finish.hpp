#pragma once
// The last operations for RGBA of bytes weighted by alpha, from integer sums
// (gpu/kernels/tensor/toeplitz_alpha.cuh).

#include "gpu/kernels/tensor/digit_weights.hpp"

#include <optional>

namespace kg::gpu {

/// From the sums of colour times alpha and of alpha to bytes, in float32. Sums are of the rounded weights
/// times 2^shift.
struct AlphaFinish {
    float unit, reciprocal; ///< sum of alpha for one level, and 1 / unit
    float full;             ///< sum of alpha from which on alpha is full
    float faint;            ///< sum of alpha below which the roundings could violate semantics 11
    float divisor;          ///< the kernel's, for sums of the weights themselves
};

/// `weights`: finest_digit_weights(). Empty if the divisor is negative, if alpha of eight levels and more
/// would be faint, or if the magnitudes of the weights add up to over some twenty times the divisor, whose
/// sums float32 rounds too much.
std::optional<AlphaFinish> alpha_finish(const Kernel& kernel, const DigitWeights& weights);

} // namespace kg::gpu
