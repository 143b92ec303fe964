#include "cpu/kernels/bank_weights.hpp"

#include "cpu/kernels/bank_sums.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// Calls body(first, block) for the blocks of a tile's filters.
template <typename Body>
void for_each_block(std::int64_t filters, Body body) {
    for (std::int64_t first = 0; first < filters; first += bank_block(filters - first))
        body(first, bank_block(filters - first));
}

} // namespace

std::vector<BankChain> bank_chains(const BankRequest& request, std::int64_t longest) {
    // An eps is two roundings.
    const auto allowed = 4 * term_extents(request), all = term_count(request),
               of_channel = request.kernel.height * request.kernel.width;
    const auto length = std::min({longest, allowed / 2, all});
    const bool whole_channels = of_channel <= length;
    const auto chain = whole_channels ? length / of_channel * of_channel : length;
    std::vector<BankChain> chains;
    for (std::int64_t begin = 0; begin < all; begin = chains.back().end) {
        const auto channel_end = (begin / of_channel + 1) * of_channel;
        chains.push_back({begin, std::min(begin + chain, whole_channels ? all : channel_end)});
    }
    if (chain + std::ssize(chains) > allowed) chains.clear();
    return chains;
}

BankWeights::BankWeights(std::span<const float> weights, std::int64_t terms, std::int64_t of_group,
                         std::int64_t most)
    : terms_(terms) {
    sorted_.reserve(weights.size());
    const auto filters = std::ssize(weights) / terms;
    for (std::int64_t group = 0; group < filters; group += of_group)
        for (std::int64_t tile = 0; tile < of_group; tile += most)
            for_each_block(std::min(most, of_group - tile), [&](std::int64_t first, std::int64_t block) {
                const float* from = weights.data() + (group + tile + first) * terms;
                for (std::int64_t t = 0; t < terms; ++t)
                    for (std::int64_t f = 0; f < block; ++f) sorted_.push_back(from[f * terms + t]);
            });
}

BankWeights::BankWeights(const BankRequest& request, std::int64_t most)
    : BankWeights(request.weights, term_count(request), group_filters(request), most) {}

void BankWeights::add_sums(const float* in, std::span<const std::int64_t> places, Span filters,
                           BankChain chain, std::int64_t count, float* sums, std::int64_t pitch) const {
    const float* weights = sorted_.data() + filters.begin * terms_;
    for_each_block(filters.end - filters.begin, [&](std::int64_t first, std::int64_t block) {
        add_bank_sums(in, places, weights + first * terms_ + chain.begin * block, block, count,
                      sums + first * pitch, pitch);
    });
}

} // namespace kg::cpu
