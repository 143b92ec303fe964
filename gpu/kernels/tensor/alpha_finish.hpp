#pragma once
// Weights and last operations for RGBA of bytes weighted by alpha, from integer sums
// (gpu/kernels/tensor/toeplitz_alpha.cuh).

#include "gpu/kernels/tensor/digit_weights.hpp"

#include <optional>

namespace kg::gpu {

/// From the sums of colour times alpha and of alpha to bytes. Sums are of the rounded weights times 2^shift.
struct AlphaFinish {
    double scale;   ///< of a sum of alpha, for its level
    double full;    ///< sum of alpha from which on alpha is full
    double faint;   ///< sum of alpha below which the rounding of the weights could violate semantics 11
    double divisor; ///< of sums of the weights themselves
};

/// The finest weights of three digits, however coarse. The last result of each thread is cached, as by
/// digit_weights().
const std::optional<DigitWeights>& finest_digit_weights(const Kernel& kernel);

/// Empty if the divisor is negative, or if alpha of eight levels and more would be faint.
std::optional<AlphaFinish> alpha_finish(const Kernel& kernel, const DigitWeights& weights);

} // namespace kg::gpu
