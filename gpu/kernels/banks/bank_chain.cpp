#include "gpu/kernels/banks/bank_chain.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

/// Roundings of a product until it is in an output: an eps of semantics 16 is two.
std::int64_t allowed_roundings(const BankRequest& request) { return 4 * term_extents(request); }

} // namespace

std::int64_t bank_chain(const BankRequest& request, std::int64_t unit) {
    const auto products = term_count(request), units = (products + unit - 1) / unit,
               allowed = allowed_roundings(request);
    const auto chains = [&](std::int64_t chain) { return (units + chain - 1) / chain; };
    if (products + 1 <= allowed) return units;
    auto chain = std::min(units, (allowed - 1) / unit);
    while (chain > 0 && chain * unit + chains(chain) > allowed)
        chain = std::min(chain - 1, (allowed - chains(chain)) / unit);
    return std::max<std::int64_t>(chain, 0);
}

std::int64_t straight_channels(const BankRequest& request) {
    const auto channels = group_channels(request), products = request.kernel.width * request.kernel.height,
               allowed = allowed_roundings(request) - 1; // the bias
    if (products + channels > allowed) return -1;
    // straight * products + (channels - straight) roundings of the first product
    return products == 1 ? channels : std::min(channels, (allowed - channels) / (products - 1));
}

} // namespace kg::gpu
