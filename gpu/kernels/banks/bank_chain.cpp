#include "gpu/kernels/banks/bank_chain.hpp"

#include <algorithm>

namespace kg::gpu {

std::int64_t bank_chain(const BankRequest& request, std::int64_t unit) {
    const auto products = term_count(request), units = (products + unit - 1) / unit,
               allowed = 4 * term_extents(request); // an eps is two roundings
    const auto chains = [&](std::int64_t chain) { return (units + chain - 1) / chain; };
    if (products + 1 <= allowed) return units;
    auto chain = std::min(units, (allowed - 1) / unit);
    while (chain > 0 && chain * unit + chains(chain) > allowed)
        chain = std::min(chain - 1, (allowed - chains(chain)) / unit);
    return std::max<std::int64_t>(chain, 0);
}

} // namespace kg::gpu
