#pragma once
// The weights of a filter bank in the order in which they are read, and the chains in which products are
// summed.

#include "core/request/bank_request.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace kg::cpu {

/// The terms [begin, end) of a filter that are summed in one chain. A chain has whole channels, or lies in
/// one.
using BankChain = Span;
/// Chains of up to `longest` terms. Empty if the roundings of a chain and of adding all chains exceed the
/// 2 (c + r + s) eps of semantics 16, which happens for many channels of large kernels.
std::vector<BankChain> bank_chains(const BankRequest& request, std::int64_t longest);

/// Weights of filters of `terms` terms each, sorted for tiles of up to `most` filters of one group: in blocks
/// (bank_block()), whose weights of one term are next to each other.
class BankWeights {
public:
    BankWeights(std::span<const float> weights, std::int64_t terms, std::int64_t of_group, std::int64_t most);
    BankWeights(const BankRequest& request, std::int64_t most);

    /// Adds the chain's sums of the filters of a tile (add_bank_sums()): `places` has those of the chain
    /// alone, and sums of the first of the filters begin at `sums`.
    void add_sums(const float* in, std::span<const std::int64_t> places, Span filters, BankChain chain,
                  std::int64_t count, float* sums, std::int64_t pitch) const;

private:
    std::int64_t terms_;
    std::vector<float> sorted_;
};

} // namespace kg::cpu
