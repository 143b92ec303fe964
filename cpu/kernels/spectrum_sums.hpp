#pragma once
// Sums of products of spectra over channels, compiled once per SIMD target.

#include <cstdint>

namespace kg::cpu {

/// Frequencies that lie side by side: their real parts, then their imaginary parts.
inline constexpr std::int64_t kSpectrumBlock = 16, kSpectrumNumbers = 2 * kSpectrumBlock;
/// Filters that are summed together.
inline constexpr std::int64_t kSpectrumFilters = 4;

/// sums[f] = sum over c of weights[c][f] numbers[c], complex, for one block of frequencies and
/// kSpectrumFilters filters: each number of these arrays is a block. The order of the sum is that of c.
void sum_spectra(const float* weights, const float* numbers, std::int64_t channels, float* sums);

} // namespace kg::cpu
