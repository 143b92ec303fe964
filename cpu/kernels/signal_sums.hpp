#pragma once
// The inner loop of `direct` for signals, compiled once per SIMD target.

#include "core/request/signal_request.hpp"

#include <cstdint>
#include <span>

namespace kg::cpu {

/// Numbers that may be read behind the last one that a sum needs.
inline constexpr std::int64_t kSignalSlack = 64;

/// out[i] += the sum of weight * in[place + i] over the taps, in their order, for i in [0, count). Floats are
/// fused multiply-adds where the target has them; integers wrap. Reads up to kSignalSlack numbers behind
/// in[place + count].
void add_signal_sums(const float* in, std::span<const PlacedTap<float>> taps, std::int64_t count, float* out);
void add_signal_sums(const double* in, std::span<const PlacedTap<double>> taps, std::int64_t count,
                     double* out);
void add_signal_sums(const std::int32_t* in, std::span<const PlacedTap<std::int32_t>> taps,
                     std::int64_t count, std::int32_t* out);
void add_signal_sums(const std::int64_t* in, std::span<const PlacedTap<std::int64_t>> taps,
                     std::int64_t count, std::int64_t* out);

/// The same of floats for taps at places that follow each other from 0 on, in an order of its own: first
/// those that are a vector apart, then their neighbours. An output has the same order whatever is computed
/// beside it.
void add_dense_signal_sums(const float* in, std::span<const float> weights, std::int64_t count, float* out);
void add_dense_signal_sums(const double* in, std::span<const double> weights, std::int64_t count,
                           double* out);

} // namespace kg::cpu
