#pragma once
// The inner loop of all algorithms for filter banks, compiled once per SIMD target.

#include <cstdint>
#include <span>

namespace kg::cpu {

/// Numbers that may be read or written behind the last one of a sum: most of the widest vector.
inline constexpr std::int64_t kBankSlack = 64;

/// Filters that share the vectors they load: a block has 6, 4, 2 or 1.
constexpr std::int64_t bank_block(std::int64_t filters) {
    return filters >= 6 ? 6 : filters >= 4 ? 4 : filters >= 2 ? 2 : 1;
}

/// sums[f * pitch + i] += the sum over t of weights[t * block + f] * in[places[t] + i] in one chain of fused
/// multiply-adds that begins at 0, for f in [0, block) and i in [0, count). Numbers up to kBankSlack behind
/// the last are read and written without meaning.
void add_bank_sums(const float* in, std::span<const std::int64_t> places, const float* weights,
                   std::int64_t block, std::int64_t count, float* sums, std::int64_t pitch);

} // namespace kg::cpu
